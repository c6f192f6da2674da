"""Information gain: the direction whose models know more about the effect from its cause.

Four models are fitted each way (:mod:`weft.evidence.orientation.noise_models`): the effect or its normal scores, noise
with or without a scale that depends on the cause. The gain of a direction is the largest of the four, in nats. Both
directions can gain at most the mutual information of the two columns, and the causal one does if one of the models is
right; so a shorter description of the pair as p(cause) p(effect | cause) is sought, with densities of any form. The
score is the difference of the gains, forward minus backward, times the root of the number of rows over 6, through the
hyperbolic tangent.

Scores
------
``->``, ``<-``: the gain in nats; larger is better.

Diagnostic
----------
``score``; ``model_forward``, ``model_backward``: the transform of the best model, "scaled" if its noise has a scale.

References
----------
Zhang & Hyvärinen, *On the identifiability of the post-nonlinear causal model*, UAI 2009: the mutual information of
cause and noise is the likelihood.

Strobl & Lasko, *Identifying patient-specific root causes with the heteroscedastic noise model*, J. Comput. Sci. 72
(2023): the same for location-scale noise.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from weft.evidence.orientation.calibration import log_odds
from weft.evidence.orientation.columns import NUMBERS, ForNumbers
from weft.evidence.orientation.dependence import MOST_ROWS, prepared
from weft.evidence.orientation.noise_models import EXACT, Fitted, Model, fitted_models, gain_score
from weft.evidence.orientation.protocol import Assumptions, Judgement
from weft.graphs.criteria import Structure
from weft.studies import Column


@dataclass(frozen=True)
class Gain(ForNumbers):
    """The information that the best model of each direction has about its effect.

    Parameters
    ----------
    most_rows
        More rows than this are thinned.
    """

    name: ClassVar[str] = "gain"
    assumptions: ClassVar[Assumptions] = Assumptions(
        sees_confounding=False,
        linear=False,
        kinds=NUMBERS,
        text="Mean and spread of the effect, on some scale, depend on the cause; the rest is independent of the cause.",
    )
    most_rows: int = MOST_ROWS

    def judge(self, x: Column, y: Column) -> Judgement:
        """Compare the gains."""
        one, other = prepared(x, y, self.most_rows)
        (model, forward), (model_back, backward) = (
            largest_gain(fitted_models(cause, effect, EXACT)) for cause, effect in ((one, other), (other, one))
        )
        score = gain_score(forward, backward, len(one))
        return Judgement(
            log_odds(self.name, score),
            {Structure.CAUSES: forward, Structure.CAUSED: backward},
            reason="the larger information gain of the two directions",
            diagnostic={"score": score, "model_forward": str(model), "model_backward": str(model_back)},
        )


def largest_gain(fits: Mapping[Model, Fitted]) -> tuple[Model, float]:
    """The exact model that knows most, and how much it knows."""
    gains = {model: fits[model].gain for model in EXACT}
    best = max(gains, key=lambda model: gains[model])
    return best, gains[best]
