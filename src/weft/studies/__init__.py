"""Tables of data: one :class:`Study` for each, whatever file or frame it comes from.

============================ ==========================================================================================
module                       holds
============================ ==========================================================================================
:mod:`.study`                the values: `Study`, its `Column`, the `Kind` of a column
:mod:`.frames`               data frames, mappings and arrays, taken apart
:mod:`.files`                CSV and Parquet files, taken apart
:mod:`.kinds`                what a column is: numbers or text, missing values, its kind and its levels
:mod:`.checks`               what a study must be to be used, and what several must be together
:mod:`.source`               where a value stands, for messages
============================ ==========================================================================================

>>> study = Study.of({"dose": [0.5 * i for i in range(30)], "group": ["a", "b", "b"] * 10}, "trial")
>>> study.rows, [(column.name, str(column.kind)) for column in study.columns]
(30, [('dose', 'continuous'), ('group', 'binary')])
"""

from weft.studies.build import read_studies
from weft.studies.checks import MINIMUM_ROWS, StudyWarning, check_studies, usable
from weft.studies.kinds import MISSING
from weft.studies.study import Column, Kind, Study

__all__ = [
    "MINIMUM_ROWS",
    "MISSING",
    "Column",
    "Kind",
    "Study",
    "StudyWarning",
    "check_studies",
    "read_studies",
    "usable",
]
