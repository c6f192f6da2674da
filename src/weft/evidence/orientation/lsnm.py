"""Location-scale noise: the effect is f(cause) + g(cause) e, with noise e independent of the cause.

Both f and log g are penalised splines; :mod:`weft.evidence.orientation.noise_models` describes how they are fitted.

The two forms
-------------
``hsic``
    Cause and e = (effect - f) / g must be independent: the score is the logarithm of the quotient of the two HSIC
    ratios, backward over forward (:mod:`weft.evidence.orientation.dependence`).
``likelihood``
    The Gaussian log likelihood of both columns, standardised, for each row: the effect's by the model from
    leave-one-out residuals, the cause's by its mean and variance (so that it is the same for both directions). The
    score is the difference, forward minus backward, times the root of the number of rows over 10.
    Sharper where the noise is
    Gaussian, misled where it is not.

Scores
------
``hsic``: the p-values of independence, not corrected for the two regressions (for a true model they are too large
rather than too small). ``likelihood``: the log likelihood of a row.

Diagnostic
----------
``score``; for ``hsic`` also ``ratio_forward``, ``ratio_backward``: HSIC over its mean under independence.

References
----------
Immer, Schultheiss, Vogt, Schölkopf, Bühlmann & Marx, *On the identifiability and estimation of causal location-scale
noise models*, ICML 2023.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

from weft.errors import StudyError
from weft.evidence.orientation.calibration import log_odds
from weft.evidence.orientation.columns import NUMBERS, ForNumbers
from weft.evidence.orientation.dependence import (
    MOST_ROWS,
    fit_judgement,
    log_ratio,
    prepared,
)
from weft.evidence.orientation.noise_models import Model, fitted_models
from weft.evidence.orientation.protocol import Assumptions, Judgement
from weft.graphs.criteria import Structure
from weft.studies import Column

Form = Literal["hsic", "likelihood"]
_MODEL = Model("identity", scaled=True)


@dataclass(frozen=True)
class Lsnm(ForNumbers):
    """The location-scale noise model.

    Parameters
    ----------
    form
        How a fit is judged: ``hsic`` or ``likelihood``.
    most_rows
        More rows than this are thinned.
    """

    name: ClassVar[str] = "lsnm"
    assumptions: ClassVar[Assumptions] = Assumptions(
        sees_confounding=False,
        linear=False,
        kinds=NUMBERS,
        text="Mean and spread of the effect are smooth functions of the cause; the noise is independent of the cause.",
    )
    form: Form = "hsic"
    most_rows: int = MOST_ROWS

    def __post_init__(self) -> None:
        if self.form not in get_args(Form):
            raise StudyError(f"lsnm has no form {self.form!r}; choose one of {', '.join(get_args(Form))}")

    def judge(self, x: Column, y: Column) -> Judgement:
        """Fit both directions and compare them."""
        one, other = prepared(x, y, self.most_rows)
        fits = [fitted_models(cause, effect, [_MODEL])[_MODEL] for cause, effect in ((one, other), (other, one))]
        if self.form == "hsic":
            tests = [fit.dependence for fit in fits]
            score = log_ratio(tests[1].ratio, tests[0].ratio)
            return fit_judgement(log_odds("lsnm", score), score, *tests)
        forward, backward = (fit.log_likelihood for fit in fits)
        score = likelihood_score(forward, backward, len(one))
        return Judgement(
            log_odds("lsnm-likelihood", score),
            {Structure.CAUSES: forward, Structure.CAUSED: backward},
            reason="Gaussian likelihood of the two directions compared",
            diagnostic={"score": score},
        )


def likelihood_score(forward: float, backward: float, rows: int) -> float:
    """The difference of the log likelihoods, in units in which chance does not grow with the rows."""
    return (forward - backward) * math.sqrt(rows) / 10
