"""The command line: the only place that prints and chooses exit codes.

=========================== ==========================================================================================
module                      holds
=========================== ==========================================================================================
:mod:`.commands`            ``weft`` and its commands: their options, and one call each
:mod:`.failures`            every failure as one line on standard error and an exit code
:mod:`.interrupts`          Ctrl-C that is heard while the solver works
:mod:`.studies`             ``--study name=X,Y`` as a study
:mod:`.tables`              the files of a command line: tables, knowledge, results
:mod:`.targets`             where a command writes: never over what it reads
:mod:`.check`               ``weft check``: what is in tables, and what does not fit between them
:mod:`.discover`            ``weft discover``: from several tables to an answer
:mod:`.evidence`            ``weft evidence``: the same, stopped before the solver
:mod:`.work`                where the tests of these two run, where results are kept, who is told
:mod:`.pair`                ``weft orient``: what each method says about one pair, as lines
:mod:`.claims`              ``weft claims``: what is claimed of every pair, and how sure that is
:mod:`.effects`             ``weft effects``: how large effects are, over all structures
:mod:`.explain`             ``weft explain``: why a claim holds or not, and what it rests on
:mod:`.suggest`             ``weft suggest``: what to measure or to randomise next
:mod:`.report`              ``weft report``: a result as a page that opens anywhere
:mod:`.explore`             ``weft explore``: the same page with a solver behind it
:mod:`.reproduce`           ``weft reproduce``: the paper's experiments beside the paper's figures
:mod:`.options`             options that several commands share
:mod:`.compare`             ``weft compare``: what changed from one result to another
:mod:`.convert`             ``weft convert``: a graph, or one of a result, in another format
:mod:`.completion`          ``weft completion``: a script that lets the shell complete commands
:mod:`.demo`                ``weft demo``: the whole way, from three tables to a report
:mod:`.progress`            who is told how far it is: a bar, lines, JSON or nobody
=========================== ==========================================================================================

Only click is loaded at the start; each command imports what it needs, so that ``weft --help`` answers at once.
"""

from __future__ import annotations

from weft.cli.commands import main

__all__ = ["main"]
