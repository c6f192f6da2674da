"""The orientation methods by name: the one place where a string becomes a method. Add a new one here."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from weft.evidence.named import Entry, made

if TYPE_CHECKING:
    from weft.evidence.orientation.protocol import OrientationMethod

_HERE = "weft.evidence.orientation"

METHODS: Mapping[str, Entry] = MappingProxyType(
    {
        "auto": Entry(f"{_HERE}.auto", "Auto", "combined, discrete or mixed, by the kinds of the columns"),
        "combined": Entry(f"{_HERE}.combined", "Combined", "numbers: seven scores and absolute fits weighed"),
        "gof": Entry(f"{_HERE}.gof", "Gof", "absolute fit of each direction, with the neighbours in the study"),
        "anm": Entry(f"{_HERE}.anm", "Anm", "additive noise: effect = f(cause) + noise"),
        "lsnm": Entry(f"{_HERE}.lsnm", "Lsnm", "location-scale noise: effect = f(cause) + g(cause) noise"),
        "mt-anm": Entry(f"{_HERE}.mt_anm", "MtAnm", "additive noise after a transform of the effect"),
        "grci": Entry(f"{_HERE}.grci", "Grci", "heteroscedastic noise, by the error's dependence on the cause"),
        "qccd": Entry(f"{_HERE}.qccd", "Qccd", "quantile regression, by description length"),
        "reci": Entry(f"{_HERE}.reci", "Reci", "the smaller regression error"),
        "gain": Entry(f"{_HERE}.gain", "Gain", "the model that knows more about the effect"),
        "kcdc": Entry(f"{_HERE}.kcdc", "Kcdc", "kernel deviance of the conditionals: the paper's method"),
        "igci": Entry(f"{_HERE}.igci", "Igci", "information geometry: a nearly deterministic relation"),
        "lingam": Entry(f"{_HERE}.lingam", "Lingam", "linear effect, non-Gaussian noise"),
        "discrete": Entry(f"{_HERE}.discrete", "Discrete", "levels: additive noise or entropy"),
        "mixed": Entry(f"{_HERE}.mixed_pair", "Mixed", "a number and levels"),
        "cumulant": Entry(f"{_HERE}.cumulant", "Cumulant", "linear, non-Gaussian: sees common causes, by cumulants"),
        "lvlingam": Entry(f"{_HERE}.lvlingam", "LvLingam", "linear, non-Gaussian: sees common causes, by likelihood"),
    }
)
"""The methods by their names."""


def method_named(name: str, **settings: object) -> OrientationMethod:
    """The method of that name, with those settings.

    >>> method_named("kcdc").name
    'kcdc'
    """
    method: OrientationMethod = made("orientation method", METHODS, name, settings)
    return method
