"""The data that come with weft: one compressed table a file, with sources and licences in ``data/README.md``."""

from __future__ import annotations

import csv
import gzip
from functools import cache
from importlib.resources import files


@cache
def shipped(name: str) -> tuple[tuple[str, ...], ...]:
    """The rows of a table, the names of its columns first.

    >>> shipped("wdbc")[:2]
    (('Diagnosis', 'Perimeter', 'Texture'), ('malignant', '122.8', '10.38'))
    """
    packed = files("weft.reproduce").joinpath("data", f"{name}.csv.gz").read_bytes()
    return tuple(map(tuple, csv.reader(gzip.decompress(packed).decode("utf-8").splitlines())))
