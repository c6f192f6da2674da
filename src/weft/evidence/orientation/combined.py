"""Several judgements of a pair of numbers, weighed against each other.

Each of these antisymmetric scores is positive if x -> y does better:

``information``
    Mutual information of cause and noise, as in :mod:`weft.evidence.orientation.grci` but with neighbours on the scale
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
``grci``
    The score of :mod:`weft.evidence.orientation.grci`, as published.

Every score is divided by its usual size and bounded, so that none can outvote all others, and their log odds are a
weighted sum, no intercept, bounded again. The weights are not negative, and were shrunk towards one common weight: no
method of direction can be trusted alone, and which one fails depends on data that nobody has seen
(:mod:`weft.evidence.orientation.calibration`). Where the scores contradict each other, or none has a preference, the
log odds are near 0.

The scores compare the two directions of the pair alone. They are put together with *absolute fits*, which look at the
neighbours of the pair in its study (:mod:`weft.evidence.orientation.gof`) and can see that neither direction fits:
three outcomes, x causes y, only a common cause, y causes x. Where neither tells anything the pair is undecided.

For the scores, rounding is undone before anything else (:func:`weft.evidence.orientation.dependence.prepared`).

Scores
------
``->``, ``<-``, ``<->``: the probability of that outcome.

Diagnostic
----------
The seven scores; ``scores``: their log odds; the absolute fits; ``model_forward``, ``model_backward``: the model that
the scores like best.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from weft.evidence.independence.kernels import FloatArray, normal_scores
from weft.evidence.orientation.calibration import COMBINED, COMBINED_ALONE, three_way, weighed
from weft.evidence.orientation.columns import NUMBERS, ForNumbers
from weft.evidence.orientation.dependence import MOST_ROWS, log_ratio, prepared
from weft.evidence.orientation.gain import largest_gain
from weft.evidence.orientation.gof import both_fits
from weft.evidence.orientation.grci import Grci, information_score, noise_information, scaled_information
from weft.evidence.orientation.noise_models import EXACT, Model, fitted_models, gain_score
from weft.evidence.orientation.protocol import Around, Assumptions, Judgement
from weft.evidence.orientation.qccd import code_lengths, length_score
from weft.evidence.orientation.reci import relative_error
from weft.graphs.criteria import Structure
from weft.studies import Column

_ADDITIVE, _SCALED = Model("identity", scaled=False), Model("identity", scaled=True)
_MULTIPLICATIVE = Model("log", scaled=False)


@dataclass(frozen=True)
class Combined(ForNumbers):
    """A combination of several judgements with calibrated probabilities of three outcomes.

    Parameters
    ----------
    most_rows
        More rows than this are thinned for the scores.
    """

    name: ClassVar[str] = "combined"
    assumptions: ClassVar[Assumptions] = Assumptions(
        sees_confounding=True,
        linear=False,
        kinds=NUMBERS,
        text="The effect, or its logarithm, follows the cause with noise that is independent of the cause, but for a "
        "scale; or the effect is at least easier to predict from the cause than the other way round.",
    )
    most_rows: int = MOST_ROWS

    def judge(self, x: Column, y: Column) -> Judgement:
        """Judge the pair alone."""
        return self._judged(x, y, Around(), COMBINED_ALONE)

    def judge_among(self, x: Column, y: Column, around: Around) -> Judgement:
        """Judge a pair of a study."""
        return self._judged(x, y, around, COMBINED)

    def _judged(self, x: Column, y: Column, around: Around, coefficients: Mapping[str, float]) -> Judgement:
        """Weigh the scores, and look whether each direction fits."""
        one, other = prepared(x, y, self.most_rows)
        forward, backward = Side.of(one, other), Side.of(other, one)
        scores = compared(forward, backward, len(one))
        scores["quantiles"] = length_score(*code_lengths(normal_scores(one), normal_scores(other)), len(one))
        scores["grci"] = float(Grci(self.most_rows).judge(x, y).diagnostic["score"])
        odds, fits = weighed(scores), both_fits(x, y, around)
        outcomes = three_way(fits, odds, coefficients)
        return Judgement(
            outcomes.log_odds,
            {
                Structure.CAUSES: outcomes.forward,
                Structure.COMMON: outcomes.common,
                Structure.CAUSED: outcomes.backward,
            },
            reason="seven scores of the direction weighed, and models with independent noise tried in each direction",
            diagnostic={
                **scores,
                "scores": odds,
                **fits,
                "model_forward": forward.model,
                "model_backward": backward.model,
            },
            outcomes=outcomes,
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
            noise_information(cause, effect),
            scaled_information(cause, fits[_MULTIPLICATIVE].noise),
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
