"""The paper's experiments, run again: its Table 2 with the printed figures and ours side by side.

================= ====================================================================================================
module            what it holds
================= ====================================================================================================
``paper``         every figure of Table 2, and what follows from the figures by arithmetic alone
``synthetic``     Synthetic 1 and 2: perfect tests, and data from the appendix's equations
``overlap``       random graphs of six variables whose studies share two, three or four
``sample_size``   seven variables, perfect tests of independence, directions learned from 200 to 1000 rows
``protein``       the proteins of Sachs et al.
``cancer``        three columns of the Wisconsin diagnostic data
``tables``        the data that come with weft (``data/README.md`` names sources and licences)
``registry``      the experiments by name
``units``         a unit of work, and the folder that keeps what came of it
``runner``        runs what is missing, and hands back everything
``outcome``       what a method answers: numbers, precision and recall, what was given up, or that time ran out
``figures``       numbers of repetitions: means, medians, quartiles, intervals
``sections``      what an experiment has to say: rows of the table and blocks of a page
``page``          the page as Markdown and HTML; ``plots`` draws its pictures
``reproduce``     everything together: run, and write
================= ====================================================================================================

An experiment is a list of units, a function that measures one, and a function that turns all results into a section.
"""
