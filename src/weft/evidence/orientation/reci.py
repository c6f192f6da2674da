"""RECI: regression error based causal inference.

For relations with little noise the mean squared error of predicting the effect from the cause is the smaller one, if
both columns are scaled alike and the cause is about uniform. Here both are brought to [0, 1] by their 1st and 99th
percentile (one far value would decide everything otherwise), and the regressions are penalised splines with
leave-one-out errors (:mod:`weft.evidence.orientation.smoothing`). The score is the logarithm of the quotient of the two
errors, backward over forward.

Scores
------
``->``, ``<-``: the mean squared leave-one-out error; smaller is better.

Diagnostic
----------
``score``.

References
----------
Blöbaum, Janzing, Washio, Shimizu & Schölkopf, *Cause-effect inference by comparing regression errors*, AISTATS 2018.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from weft.evidence.independence.kernels import FloatArray
from weft.evidence.orientation.calibration import log_odds
from weft.evidence.orientation.columns import NUMBERS, ForNumbers
from weft.evidence.orientation.dependence import MOST_ROWS, log_ratio, prepared
from weft.evidence.orientation.protocol import Assumptions, Judgement
from weft.evidence.orientation.smoothing import Smoother
from weft.graphs.criteria import Structure
from weft.studies import Column

_LEAST_ERROR = 1e-6


@dataclass(frozen=True)
class Reci(ForNumbers):
    """The errors of the two regressions, compared.

    Parameters
    ----------
    most_rows
        More rows than this are thinned.
    """

    name: ClassVar[str] = "reci"
    assumptions: ClassVar[Assumptions] = Assumptions(
        sees_confounding=False,
        linear=False,
        kinds=NUMBERS,
        text="Noise is small and the relation was not chosen to suit the distribution of the cause.",
    )
    most_rows: int = MOST_ROWS

    def judge(self, x: Column, y: Column) -> Judgement:
        """Compare the errors of the two regressions."""
        one, other = prepared(x, y, self.most_rows)
        forward, backward = relative_error(one, other), relative_error(other, one)
        score = log_ratio(backward, forward)
        return Judgement(
            log_odds(self.name, score),
            {Structure.CAUSES: forward, Structure.CAUSED: backward},
            reason="errors of the two regressions compared",
            diagnostic={"score": score},
        )


def relative_error(cause: FloatArray, effect: FloatArray) -> float:
    """The mean squared leave-one-out error, the effect's range being 1."""
    low, high = np.quantile(effect, (0.01, 0.99))
    width = float(high - low) or float(np.ptp(effect))
    return Smoother(cause).fit(effect).loss / width**2 + _LEAST_ERROR
