"""The words of the field in a sentence each: what the page says where a reader points at one.

``docs/glossary.md`` says more about each of them, and has these very sentences (``tests/docs/test_glossary.py``).
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

TERMS: Mapping[str, str] = MappingProxyType(
    {
        "adjacent": "Two variables with an edge between them are adjacent: no set of the other variables makes them "
        "independent.",
        "bootstrap": "Repeating the whole analysis on half of the rows of each table, drawn at random without "
        "replacement.",
        "claim": "A sentence about two variables that is so or not, such as X causes Y.",
        "collider": "A variable on a path at which both edges of the path have an arrowhead.",
        "confidence": "How often claims that hold in as large a share of the likely models were right on simulated "
        "data.",
        "confounded": "X and Y are confounded if they share a cause, measured or hidden.",
        "MAG": "A maximal ancestral graph: a structure with one edge at most for each pair, which shows who causes "
        "whom and which variables are independent given which, whatever is hidden.",
        "margin": "What would have to be given up to deny a claim, beyond the least that must be given up anyway.",
        "PAG": "A partial ancestral graph: a whole class of structures that no test of independence can tell apart.",
        "repair": "The statements that are given up so that the others can hold together.",
        "weakest link": "Of the statements that a claim follows from, the one of least weight.",
        "weight": "The log odds that a statement is right: a weight of 0 is a coin toss, 2.2 is nine in ten, 4.6 is "
        "ninety-nine in a hundred.",
    }
)
