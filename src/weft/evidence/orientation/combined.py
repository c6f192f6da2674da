"""Several judgements of a pair of numbers, weighed against each other.

Each of these antisymmetric scores is positive if x -> y does better:

``information``
    Mutual information of cause and noise: the score of :mod:`weft.evidence.orientation.grci`, neighbours on the scale
    of normal scores. A direction is as good as the better of two models: location-scale and multiplicative noise.
``fit``
    The same two models, judged by HSIC: the logarithm of the quotient of the two ratios, backward over forward
    (:mod:`weft.evidence.orientation.noise_models`).
``simple``
    The same for the two simplest models, additive and multiplicative noise: a good fit of a simple model says more.
``quantiles``
    The lengths of codes by quantiles: the score of :mod:`weft.evidence.orientation.qccd`.
``error``
    The errors of the two regressions: the score of :mod:`weft.evidence.orientation.reci`.
``gain``
    How much the best model knows about the effect: the score of :mod:`weft.evidence.orientation.gain`.

Every score is divided by its usual size and bounded, so that none can outvote all others, and the log odds are a
weighted sum, no intercept, bounded again. The weights are not negative, and were shrunk towards one common weight: no
method of direction can be trusted alone, and which one fails depends on data that nobody has seen
(:mod:`weft.evidence.orientation.calibration`). Where the scores contradict each other, or none has a preference, the
log odds are near 0 and the pair is undecided.

Rounding is undone before anything else (:func:`weft.evidence.orientation.dependence.prepared`).

Scores
------
``->``, ``<-``: the probability of that direction, given that one of the two is right.

Diagnostic
----------
The six scores; ``model_forward``, ``model_backward``: the model that fits best.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from weft.evidence.independence.kernels import FloatArray, normal_scores
from weft.evidence.orientation.calibration import weighed
from weft.evidence.orientation.columns import NUMBERS, ForNumbers
from weft.evidence.orientation.dependence import MOST_ROWS, log_ratio, prepared
from weft.evidence.orientation.gain import largest_gain
from weft.evidence.orientation.grci import information_score, noise_information, scaled_information
from weft.evidence.orientation.noise_models import EXACT, Model, fitted_models, gain_score
from weft.evidence.orientation.protocol import Assumptions, Judgement
from weft.evidence.orientation.qccd import code_lengths, length_score
from weft.evidence.orientation.reci import relative_error
from weft.graphs.criteria import Structure
from weft.studies import Column

_ADDITIVE, _SCALED = Model("identity", scaled=False), Model("identity", scaled=True)
_MULTIPLICATIVE = Model("log", scaled=False)


@dataclass(frozen=True)
class Combined(ForNumbers):
    """A combination of several judgements with calibrated log odds.

    Parameters
    ----------
    most_rows
        More rows than this are thinned.
    """

    name: ClassVar[str] = "combined"
    assumptions: ClassVar[Assumptions] = Assumptions(
        sees_confounding=False,
        linear=False,
        kinds=NUMBERS,
        text="The effect, or its logarithm, follows the cause with noise that is independent of the cause, but for a "
        "scale; or the effect is at least easier to predict from the cause than the other way round.",
    )
    most_rows: int = MOST_ROWS

    def judge(self, x: Column, y: Column) -> Judgement:
        """Weigh the scores."""
        one, other = prepared(x, y, self.most_rows)
        forward, backward = Side.of(one, other), Side.of(other, one)
        scores = compared(forward, backward, len(one))
        scores["quantiles"] = length_score(*code_lengths(normal_scores(one), normal_scores(other)), len(one))
        odds = weighed(scores)
        return Judgement(
            odds,
            {Structure.CAUSES: 1 / (1 + math.exp(-odds)), Structure.CAUSED: 1 / (1 + math.exp(odds))},
            reason="six judgements weighed: independence of the noise, code lengths, errors and gains",
            diagnostic={**scores, "model_forward": forward.model, "model_backward": backward.model},
        )


@dataclass(frozen=True)
class Side:
    """What the models say about one direction.

    Attributes
    ----------
    information
        The least mutual information of cause and noise.
    ratio, simple
        The least HSIC ratio, of location-scale and multiplicative noise, and of additive and multiplicative noise.
    error
        The relative error of the regression.
    gain
        The largest gain.
    model
        The model with the least HSIC ratio.
    """

    information: float
    ratio: float
    simple: float
    error: float
    gain: float
    model: str

    @classmethod
    def of(cls, cause: FloatArray, effect: FloatArray) -> Side:
        """Fit the models to standardised columns."""
        fits = fitted_models(cause, effect, (*EXACT, _MULTIPLICATIVE))
        ratios = {model: fits[model].dependence.ratio for model in (_ADDITIVE, _MULTIPLICATIVE, _SCALED)}
        information = min(
            noise_information(cause, effect, "normal scores")[0],
            scaled_information(cause, fits[_MULTIPLICATIVE].noise, "normal scores"),
        )
        return cls(
            information,
            min(ratios[_SCALED], ratios[_MULTIPLICATIVE]),
            min(ratios[_ADDITIVE], ratios[_MULTIPLICATIVE]),
            relative_error(cause, effect),
            largest_gain(fits)[1],
            str(min(ratios, key=lambda model: ratios[model])),
        )


def compared(forward: Side, backward: Side, rows: int) -> dict[str, float]:
    """The scores of the two sides."""
    return {
        "information": information_score(forward.information, backward.information, rows),
        "fit": log_ratio(backward.ratio, forward.ratio),
        "simple": log_ratio(backward.simple, forward.simple),
        "error": log_ratio(backward.error, forward.error),
        "gain": gain_score(forward.gain, backward.gain, rows),
    }
