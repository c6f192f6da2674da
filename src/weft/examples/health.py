"""Three health studies that share two variables; simulated, so that the truth is known.

A clinic, a laboratory and a survey measured different things in different people of one population. All measured body
mass index and blood pressure. Nobody measured, for instance, physical activity and arterial stiffness in the same
people. The truth behind all of it is :data:`TRUTH`: exercise keeps weight down; weight, age and salt raise the blood
pressure; weight raises the glucose, and pressure stiffens the arteries. The effects are curved and the noise is skewed,
as they often are; some values are missing.

The CSV files beside this module are what :func:`draw` gives for :data:`SEED`. They are an example and no benchmark: the
seed was chosen because a test fails in it, as happens in real studies, so that there is something to give up, and
because the answer is short. Of the seeds 0 to 9, the truth is among the answers of ``weft discover`` in eight.

=========== ==================================== ============
variable    what it is                           unit
=========== ==================================== ============
activity    physical activity                    hours a week
age         age                                  years
bmi         body mass index                      kg/m²
glucose     fasting glucose                      mmol/l
pressure    systolic blood pressure              mmHg
salt        salt eaten                           g a day
stiffness   pulse wave velocity in the aorta     m/s
=========== ==================================== ============
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from io import StringIO
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

TRUTH = "age -> pressure; activity -> bmi; bmi -> glucose; bmi -> pressure; pressure -> stiffness; salt -> pressure"
STUDIES: Mapping[str, tuple[int, tuple[str, ...]]] = {
    "clinic": (800, ("age", "activity", "bmi", "pressure")),
    "lab": (900, ("bmi", "glucose", "pressure", "stiffness")),
    "survey": (1000, ("activity", "salt", "bmi", "pressure")),
}
"""For each study the number of people and what was measured."""
SEED = 4
MISSING = 0.004
"""The share of values that are missing."""
_DIGITS = {"age": 0, "activity": 1, "bmi": 1, "glucose": 2, "pressure": 0, "salt": 1, "stiffness": 2}


def tables() -> dict[str, Traversable]:
    """The three CSV files, by the name of the study."""
    folder = files("weft.examples").joinpath("health")
    return {name: folder.joinpath(f"{name}.csv") for name in STUDIES}


def draw(seed: int = SEED, studies: Mapping[str, tuple[int, tuple[str, ...]]] = STUDIES) -> dict[str, str]:
    r"""The studies with newly drawn people, as CSV text.

    Parameters
    ----------
    seed
        The same seed gives the same people: those of a study stay the same if its columns change.
    studies
        For each study the number of people and what is measured.

    Examples
    --------
    >>> draw(studies={"clinic": (2, ("age", "pressure"))})
    {'clinic': 'age,pressure\n38,116\n80,153\n'}
    """
    import numpy as np

    rng = np.random.default_rng(seed)
    return {name: _as_csv(_people(rng, rows), columns, rng) for name, (rows, columns) in studies.items()}


def _people(rng: np.random.Generator, rows: int) -> dict[str, NDArray[np.float64]]:
    """Everything about some people: each variable is a function of its causes and of noise of its own."""
    import numpy as np

    age = np.clip(rng.gamma(9, 5.5, rows), 18, 95)
    activity = rng.gamma(2, 2.2, rows)
    salt = 4 + rng.gamma(3, 1.6, rows)
    bmi = 19.5 + 13 * np.exp(-activity / 2.5) + rng.gamma(2, 1.1, rows)
    pressure = 85 + 0.011 * (age - 18) ** 2 + 0.07 * (bmi - 19) ** 2 + 2.2 * salt + rng.gamma(2, 3, rows)
    glucose = 4 + 0.7 * np.exp((bmi - 24) / 6) + rng.gamma(2, 0.6, rows)
    stiffness = 5 + 1.6 * np.exp((pressure - 130) / 22) + rng.gamma(2, 0.35, rows)
    return {
        "age": age,
        "activity": activity,
        "salt": salt,
        "bmi": bmi,
        "pressure": pressure,
        "glucose": glucose,
        "stiffness": stiffness,
    }


def _as_csv(people: Mapping[str, NDArray[np.float64]], columns: tuple[str, ...], rng: np.random.Generator) -> str:
    rows = len(people[columns[0]])
    missing = rng.random((rows, len(columns))) < MISSING
    out = StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(columns)
    for row in range(rows):
        cells = (f"{people[name][row]:.{_DIGITS[name]}f}" for name in columns)
        table.writerow("" if gone else cell for gone, cell in zip(missing[row], cells, strict=True))
    return out.getvalue()
