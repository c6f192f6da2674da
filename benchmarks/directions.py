"""Methods of direction compared: ``python -m benchmarks directions``; fitted: ``python -m benchmarks.directions fit``.

Three outcomes are fitted after that, by ``python -m benchmarks.directions fit-three``; their protocol is in
``outcomes.py``.

The protocol
------------
1. *Families*: those of ``pair_families.py``, made up to look like measurements; 100 to 3000 rows. The variants of the
   methods, and the set of scores that ``combined`` weighs, were chosen on seeds below 300, by accuracy on families left
   out. Constants are fitted on the seeds 2000 and up; what is reported is from the seeds 5000 and up, which were used
   for nothing else.
2. *Fit*: each family counts as one. Pairs of an unidentifiable family count once with each direction, so that the best
   log odds are 0. ``combined``: each score is divided by its usual size (its median absolute value over 0.6745) and
   bounded; coefficients of at least 0 (no score may count against its own direction), no intercept, log odds bounded.
   The mean log loss has a penalty: a strength times the sum of squares of what the coefficients differ from their mean.
   The strength is chosen by the 20 % quantile, over families, of the accuracy on the family left out (not by the mean:
   real pairs are a family that was left out, and not the easiest); of all strengths within one standard error of the
   best (by bootstrap over families) the largest. A single method: slope and limit of its curve.
3. *Forced decision*: the sign of the log odds; half a point if they are 0 or the method refuses the columns.
4. *Calibration*: the expected calibration error of the confidence in ten bins of equal width from 0.5 to 1, over all
   identifiable families together; by ``fit`` also with coefficients that were fitted without the family in question.
5. *Tuebingen* (Mooij et al. 2016): all pairs of two single columns with a weight that is not 0, all rows, every column
   as numbers, the weights of ``pairmeta.txt``. Accuracy is the weight of the right pairs over the weight of all;
   "surest half": the same over the half of the pairs with the largest confidence. Nothing may be changed for its sake.
6. *The paper's equations*: scales drawn from 0.5 to 2, 1000 rows; for each direct relation the share of runs in which
   it is right, and the share of runs in which all relations of a graph are.

Looks at Tuebingen
------------------
*The first.* A combination led by ``gain``, fitted on textbook families only: 59.8 % (surest half 76.0 %, calibration
error 0.127), far below what it did on families it was not fitted on (87.9 %, 98.2 %, 0.029). ``grci`` 74.9, ``qccd``
70.0, ``igci`` 67.5, ``reci`` 66.4, ``lsnm`` 65.8, ``anm`` 63.9, ``mt-anm`` 63.3, ``gain`` 52.1, ``lingam`` 51.4,
``lsnm-likelihood`` 50.0, ``kcdc`` 44.0. After it, and because of it, the families got what measurements are like
(their docstring says what), and the coefficients their shrinkage; no pair was looked at by itself.

*The second.* ``combined`` as it is now (equal weights, for that is what the shrinkage came to), run once after all was
frozen: 77.7 %, surest half 75.4 %, calibration error 0.126. The goals were 80 and 90: both missed, and the confidence
does not carry over, since the surer half is no better than the rest. ``grci`` 76.0 (surest half 79.8), ``qccd`` 69.2,
``igci`` 67.5, ``anm`` 63.2, ``lsnm`` 62.8, ``reci`` 62.8, ``mt-anm`` 62.2, ``lingam`` 51.4, ``lsnm-likelihood`` 50.4,
``gain`` 50.3, ``kcdc`` 44.0. One standard error is 4 to 5 points, so that ``combined`` and ``grci`` cannot be told
apart. The set of candidate scores was given before, but the families were made by someone who knew the first figures;
so the second look is not quite a fresh one. Whatever is changed from here on cannot be judged by these pairs: the
topic prints them again so that the figures can be checked, not so that anything can be chosen.

*The third.* ``auto`` with three outcomes (``outcomes.py``), ``grci`` among its scores, and coefficients for pairs alone
that were fitted to the harder half of the families; all frozen before, run once: 79.6 %, surest half 79.8 %,
calibration error 0.123. The goals were 80, 88 and 0.08: all missed, the first by a tenth of a standard error. The
confidence errs the other way now: 0.68 on the mean, where 0.79 of the pairs are right (bins of 0.52, 0.57, 0.63, 0.68,
0.73, 0.77, 0.83 and 0.87: right 76, 71, 71, 69, 77, 100, 92, 80 %). To count only the harder half of the families was a
guess made because of the second look, and it went too far; it stays, for nothing may be changed now. ``grci``, brought
to the authors' program on other pairs (its docstring), 79.2; on the 99 pairs of which scores are published 80.9, where
these give 81.6. That is one pair, 40, of weight 0.25: in whole numbers many rows are exactly as far as the tenth
neighbour, and whether they count is decided by the last bit of a difference in the published program, by a tolerance
here. Two more, 47 and 70, have a column with two levels and were left out there; one is right. All other methods as
before.
"""

from __future__ import annotations

import argparse
import math
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy import optimize

from benchmarks import outcomes as three
from benchmarks.pair_families import DIRECT, IDENTIFIABLE, UNIDENTIFIABLE, FloatArray, draw
from benchmarks.settings import Settings
from benchmarks.table import Row, skipped
from weft.evidence.orientation.anm import Anm
from weft.evidence.orientation.auto import Auto
from weft.evidence.orientation.calibration import LARGEST, LIMIT, WEIGHTS
from weft.evidence.orientation.combined import Combined
from weft.evidence.orientation.gain import Gain
from weft.evidence.orientation.grci import Grci
from weft.evidence.orientation.lsnm import Lsnm
from weft.evidence.orientation.mt_anm import MtAnm
from weft.evidence.orientation.protocol import LEAST_CONFIDENCE, Judgement, OrientationMethod
from weft.evidence.orientation.qccd import Qccd
from weft.evidence.orientation.reci import Reci
from weft.evidence.orientation.registry import METHODS
from weft.studies import Column, Kind

ROOT = Path(__file__).resolve().parents[1]
TUEBINGEN = ROOT.parent / "shared" / "data" / "tuebingen"
CALIBRATION = ROOT / "src" / "weft" / "evidence" / "orientation" / "calibration.py"
FIT_SEED, REPORT_SEED = 2000, 5000
STRENGTHS = (0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
"""Candidate strengths of the shrinkage towards a common coefficient."""
LARGEST_CURVE = 4.0
COMPARISON = (
    "for comparison: GRCI 81.6, QCCD 77.1 (recomputed from published scores); a sketch of LOCI 74.3; "
    "the package cdt: RECI 72.3, CDS 62.1, IGCI 62.0, ANM 52.2"
)

CALIBRATED: Mapping[str, OrientationMethod] = {
    "anm": Anm(repetitions=0),
    "lsnm": Lsnm(),
    "lsnm-likelihood": Lsnm("likelihood"),
    "mt-anm": MtAnm(),
    "gain": Gain(),
    "grci": Grci(),
    "qccd": Qccd(),
    "reci": Reci(),
}
"""The methods whose log odds come from calibration.py."""
OTHERS = {"kcdc": "Kcdc", "igci": "Igci", "lingam": "Lingam"}


class Outcome(NamedTuple):
    """What a method said about a pair whose first column is the cause."""

    log_odds: float
    weight: float = 1.0

    @property
    def points(self) -> float:
        """1 if the forced decision is right, 0 if not, a half if there is none."""
        return 0.5 + 0.5 * float(np.sign(self.log_odds))

    @property
    def confidence(self) -> float:
        """That the forced decision is right."""
        return 1 / (1 + math.exp(-abs(self.log_odds)))


# ----------------------------------------------------------------------------------------------------------- measuring


def methods() -> dict[str, OrientationMethod]:
    """All methods of direction that there are."""
    found: dict[str, OrientationMethod] = {"auto": Auto(), **CALIBRATED}
    for name, class_name in OTHERS.items():
        module = f"weft.evidence.orientation.{name}"
        if name in METHODS:
            found[name] = METHODS[name].load()()
        elif find_spec(module) is not None:
            found[name] = getattr(import_module(module), class_name)()
    return found


def kcdc_ridges() -> dict[str, OrientationMethod]:
    """KCDC with other values of its lambda, which the paper does not state."""
    if "kcdc" not in METHODS:
        return {}
    return {f"kcdc, {ridge:g}": METHODS["kcdc"].load()(ridge=ridge) for ridge in (1e-1, 1e-2, 1e-4, 1e-5)}


def judged(method: OrientationMethod, cause: FloatArray, effect: FloatArray) -> Judgement:
    """The judgement of (cause, effect); no preference if the method refuses."""
    x, y = (Column(name, Kind.CONTINUOUS, values) for name, values in (("cause", cause), ("effect", effect)))
    refusal = method.refusal(x, y)
    return method.judge(x, y) if refusal is None else Judgement(0.0, reason=refusal)


def accuracy(outcomes: Sequence[Outcome]) -> float:
    """The weighted share of right forced decisions, in per cent."""
    total = sum(outcome.weight for outcome in outcomes)
    return 100 * sum(outcome.weight * outcome.points for outcome in outcomes) / total


def surest_half(outcomes: Sequence[Outcome]) -> list[Outcome]:
    """The half of the outcomes with the largest confidence."""
    ordered = sorted(outcomes, key=lambda outcome: -outcome.confidence)
    return ordered[: (len(ordered) + 1) // 2]


def calibration_bins(outcomes: Iterable[Outcome], bins: int = 10) -> list[tuple[int, float, float]]:
    """For each bin of confidence: how many, their mean confidence, the share that is right."""
    sorted_in: list[list[Outcome]] = [[] for _ in range(bins)]
    for outcome in outcomes:
        sorted_in[min(int((outcome.confidence - 0.5) * 2 * bins), bins - 1)].append(outcome)
    return [
        (
            len(inside),
            float(np.mean([one.confidence for one in inside])),
            float(np.mean([one.points for one in inside])),
        )
        for inside in sorted_in
        if inside
    ]


def calibration_error(outcomes: Sequence[Outcome]) -> float:
    """The expected calibration error."""
    return sum(count * abs(sure - right) for count, sure, right in calibration_bins(outcomes)) / len(outcomes)


# ------------------------------------------------------------------------------------------------------------- fitting


def likelihood_loss(odds: FloatArray, identifiable: bool) -> float:
    """The mean log loss of log odds for the true direction; for a pair without one, of both directions."""
    right = np.logaddexp(0, -odds)
    return float(np.mean(right if identifiable else (right + np.logaddexp(0, odds)) / 2))


def total_loss(scores: Mapping[str, FloatArray], odds: Callable[[FloatArray], FloatArray]) -> float:
    """The mean loss over families."""
    return float(np.mean([likelihood_loss(odds(table), family in IDENTIFIABLE) for family, table in scores.items()]))


def usual_sizes(scores: Mapping[str, FloatArray]) -> FloatArray:
    """The usual size of each score, families x (pairs x scores) being given."""
    known = np.concatenate([table for family, table in scores.items() if family in IDENTIFIABLE])
    return np.asarray(np.median(np.abs(known), axis=0) / 0.6745)


def bounded_sum(coefficients: FloatArray) -> Callable[[FloatArray], FloatArray]:
    """The log odds of scores that are in units of their usual size and bounded."""
    return lambda table: np.asarray(LIMIT * np.tanh(table @ coefficients / LIMIT))


def fit_coefficients(scores: Mapping[str, FloatArray], strength: float) -> FloatArray:
    """The coefficients of bounded scores."""
    count = next(iter(scores.values())).shape[1]

    def loss(coefficients: FloatArray) -> float:
        apart = coefficients - coefficients.mean()
        return total_loss(scores, bounded_sum(coefficients)) + strength * float(apart @ apart)

    found = optimize.minimize(loss, np.full(count, 0.2), bounds=[(0, None)] * count, method="L-BFGS-B")
    return np.asarray(found.x)


def left_out(scores: Mapping[str, FloatArray], strength: float) -> dict[str, list[Outcome]]:
    """The outcomes of every identifiable family, by coefficients that were fitted without it."""
    found = {}
    for family in (one for one in scores if one in IDENTIFIABLE):
        others = fit_coefficients({name: rest for name, rest in scores.items() if name != family}, strength)
        found[family] = [Outcome(float(odds)) for odds in bounded_sum(others)(scores[family])]
    return found


def low_quantile(accuracies: Sequence[float]) -> float:
    """The accuracy that four of five families reach."""
    return float(np.quantile(accuracies, 0.2))


def standard_error(accuracies: Sequence[float]) -> float:
    """The standard error of the low quantile, by bootstrap over families."""
    generator = np.random.default_rng(0)
    return float(np.std([low_quantile(list(generator.choice(accuracies, len(accuracies)))) for _ in range(500)]))


def chosen_strength(accuracies: Mapping[float, Sequence[float]]) -> float:
    """The largest strength within one standard error of the best."""
    best = max(accuracies, key=lambda strength: low_quantile(accuracies[strength]))
    least = low_quantile(accuracies[best]) - standard_error(accuracies[best])
    return max(strength for strength, some in accuracies.items() if low_quantile(some) >= least)


def fit_curve(scores: Mapping[str, FloatArray]) -> tuple[float, float]:
    """Slope and limit of a method's curve."""
    columns = {family: table[:, 0] for family, table in scores.items()}
    scale = float(np.median(np.abs(np.concatenate(list(columns.values()))))) or 1.0

    def loss(parameters: FloatArray) -> float:
        slope, limit = parameters[0] / scale, parameters[1]
        return total_loss(columns, lambda column: limit * np.tanh(slope * column / limit))

    found = optimize.minimize(loss, np.array([0.5, 2.0]), bounds=[(0, 20), (0.1, LARGEST_CURVE)], method="L-BFGS-B")
    return float(found.x[0]) / scale, float(found.x[1])


def measure_scores(pairs: int) -> tuple[tuple[str, ...], dict[str, dict[str, FloatArray]]]:
    """The names of the scores of ``combined``; and for each method the scores of each family."""
    names = tuple(WEIGHTS)
    tables: dict[str, dict[str, FloatArray]] = {name: {} for name in ("combined", *CALIBRATED)}
    for family in (*IDENTIFIABLE, *UNIDENTIFIABLE):
        rows: dict[str, list[list[float]]] = {name: [] for name in tables}
        for seed in range(FIT_SEED, FIT_SEED + pairs):
            cause, effect = draw(family, seed)
            diagnostic = judged(Combined(), cause, effect).diagnostic
            rows["combined"].append([float(diagnostic[name]) for name in names])
            for name, method in CALIBRATED.items():
                rows[name].append([float(judged(method, cause, effect).diagnostic["score"])])
        for name, table in tables.items():
            table[family] = np.array(rows[name])
        print(f"  {family}", flush=True)
    return names, tables


def fit(pairs: int) -> None:
    """Fit the constants on fresh pairs, show how they do on families left out, and write them to calibration.py."""
    print(f"{pairs} pairs of each family, seeds from {FIT_SEED}")
    names, tables = measure_scores(pairs)
    raw = tables.pop("combined")
    sizes = usual_sizes(raw)
    scores = {family: LARGEST * np.tanh(table / sizes / LARGEST) for family, table in raw.items()}
    found = {strength: left_out(scores, strength) for strength in STRENGTHS}
    accuracies = {strength: [accuracy(some) for some in outcomes.values()] for strength, outcomes in found.items()}
    strength = chosen_strength(accuracies)
    print("strength; on families left out: mean accuracy, 20 % quantile of families, worst; surest half; calibration")
    for one, outcomes in found.items():
        pooled = [outcome for some in outcomes.values() for outcome in some]
        low, worst = low_quantile(accuracies[one]), min(accuracies[one])
        half, error = accuracy(surest_half(pooled)), calibration_error(pooled)
        print(f"  {one:6g}{np.mean(accuracies[one]):7.1f}{low:7.1f}{worst:7.1f}{half:7.1f}{error:7.3f}")
    coefficients = fit_coefficients(scores, strength)
    weights = {name: (float(size), float(one)) for name, size, one in zip(names, sizes, coefficients, strict=True)}
    curves = {name: fit_curve(table) for name, table in tables.items()}
    _write({"CURVES": ("Curve", curves), "WEIGHTS": ("Weight", weights)})
    print(f"strength {strength:g}, written to {CALIBRATION}: {weights}")


def fit_three(pairs: int, studies: int, folder: Path | None) -> None:
    """Fit what makes three outcomes of scores and fits, and write it to calibration.py.

    Pairs that were measured are kept in the folder, and taken from there if it has them.
    """
    seen = three.kept(
        folder and folder / "studies.jsonl",
        three.measured_studies(range(three.STUDY_SEED, three.STUDY_SEED + studies)),
    )
    alone = three.kept(
        folder and folder / "families.jsonl",
        three.measured_families(range(three.FAMILY_SEED, three.FAMILY_SEED + pairs)),
    )
    without = ("additive", "linear")
    tables = {
        "COMBINED": three.fit_outcomes(seen),
        "COMBINED_ALONE": three.fit_outcomes(alone, hardest=0.5),
        "GOF": three.fit_outcomes(seen, without),
        "GOF_ALONE": three.fit_outcomes(alone, without, hardest=0.5),
    }
    _write(
        {name: ("", values) for name, values in tables.items()},
        SHARE=("Share", three.fit_share(seen, alone)),
        BASE=("Outcomes", tuple(three.base_rates(seen))),
    )
    print(f"{len(seen)} pairs of studies, {len(alone)} of families, written to {CALIBRATION}: {tables}")


def _write(tables: Mapping[str, tuple[str, Mapping[str, object]]], **values: tuple[str, tuple[float, ...]]) -> None:
    """Put constants in the place of those of the same name in calibration.py."""
    text = CALIBRATION.read_text(encoding="utf-8")
    for name, (kind, table) in tables.items():
        text = rewritten(text, name, as_table(name, kind, table))
    for name, (kind, numbers) in values.items():
        text = rewritten(text, name, f"{name} = {_made(kind, numbers)}")
    CALIBRATION.write_text(text, encoding="utf-8")


def as_table(name: str, kind: str, values: Mapping[str, object]) -> str:
    """The source of a table: plain numbers, or tuples of that kind."""
    inside = [f'        "{key}": {_made(kind, value)},' for key, value in values.items()]
    return "\n".join([f"{name}: Mapping[str, {kind or 'float'}] = MappingProxyType(", "    {", *inside, "    }", ")"])


def _made(kind: str, value: object) -> str:
    if isinstance(value, tuple):
        return f"{kind}({', '.join(f'{one:.4g}' for one in value)})"
    assert isinstance(value, float)
    return f"{value:.4g}"


def rewritten(text: str, name: str, source: str) -> str:
    """The text of calibration.py with another value of a constant, which stands between its "fitted" marks."""
    begin, inside, end = re.split(r"(?<=# fitted: begin\n)|(?=# fitted: end)", text)
    pattern = rf"^{name}\b.*?(?=^[A-Z]|\Z)"
    changed, count = re.subn(pattern, lambda _: source + "\n", inside, flags=re.DOTALL | re.MULTILINE)
    assert count == 1, f"calibration.py has no constant {name}"
    return begin + changed + end


# ----------------------------------------------------------------------------------------------------------- reporting


def tuebingen_pairs(folder: Path) -> list[tuple[FloatArray, FloatArray, float]]:
    """(cause, effect, weight) of the pairs of two single columns that are there."""
    pairs = []
    for line in (folder / "pairmeta.txt").read_text(encoding="utf-8").splitlines():
        if not line.strip():
            continue
        number, *places, weight = line.split()
        cause, cause_end, effect, effect_end = (int(place) - 1 for place in places)
        path = folder / f"pair{number}.txt"
        if cause == cause_end and effect == effect_end and float(weight) > 0 and path.exists():
            table = np.loadtxt(path)
            pairs.append((table[:, cause], table[:, effect], float(weight)))
    return pairs


def tuebingen(chosen: Mapping[str, OrientationMethod]) -> Iterator[Row]:
    """The accuracy on the Tuebingen pairs, if they are there; the surest half in the last column."""
    if not TUEBINGEN.is_dir():
        yield skipped("Tuebingen", f"there is no folder {TUEBINGEN}")
        return
    pairs = tuebingen_pairs(TUEBINGEN)
    total = sum(weight for _, _, weight in pairs)
    yield Row(f"Tuebingen, {len(pairs)} pairs, weight {total:.1f}, %: surest half", notes=(COMPARISON,))
    for name, method in chosen.items():
        start = time.process_time()
        outcomes = [Outcome(judged(method, cause, effect).log_odds, weight) for cause, effect, weight in pairs]
        spent = time.process_time() - start
        forced, half, error = accuracy(outcomes), accuracy(surest_half(outcomes)), calibration_error(outcomes)
        note = f"calibration error {error:.3f}, {spent:.1f} s"
        goals = (">= 80, 88", forced >= 80 and half >= 88) if name == "auto" else ("", None)
        yield Row(f"  {name}", goals[0], f"{forced:.1f}", f"{half:.1f}", goals[1], (note,), (forced, half, error))


def families(chosen: Mapping[str, OrientationMethod], pairs: int) -> Iterator[Row]:
    """The mean accuracy over families and that of the worst; then how ``auto`` does on each, and how reliable it is."""
    every: dict[str, dict[str, list[Outcome]]] = {name: {} for name in chosen}
    for family in (*IDENTIFIABLE, *UNIDENTIFIABLE):
        drawn = [draw(family, seed) for seed in range(REPORT_SEED, REPORT_SEED + pairs)]
        for name, method in chosen.items():
            every[name][family] = [Outcome(judged(method, *pair).log_odds) for pair in drawn]
    yield Row(f"{len(IDENTIFIABLE)} families, {pairs} pairs each, %: mean, worst")
    for name, outcomes in every.items():
        shares = [accuracy(outcomes[family]) for family in IDENTIFIABLE]
        pooled = [one for family in IDENTIFIABLE for one in outcomes[family]]
        half, error = accuracy(surest_half(pooled)), calibration_error(pooled)
        note = f"surest half {half:.1f}, calibration error {error:.3f}"
        values = (float(np.mean(shares)), half, error)
        yield Row(f"  {name}", "", f"{np.mean(shares):.1f}", f"{min(shares):.0f}", None, (note,), values)
    yield Row("auto on each family, %: right, undecided")
    for family, some in every["auto"].items():
        sure = [one for one in some if one.confidence >= LEAST_CONFIDENCE]
        undecided = 100 - 100 * len(sure) / len(some)
        told = family in IDENTIFIABLE
        shown = f"{accuracy(some):.0f}" if told else ""
        what = f"  {family}{'' if told else ', no direction'}"
        yield Row(what, "", shown, f"{undecided:.0f}", None, (), (accuracy(some), undecided))
    pooled = [one for family in IDENTIFIABLE for one in every["auto"][family]]
    yield Row("auto: mean confidence, share right, by confidence")
    for count, sure_of, right in calibration_bins(pooled):
        yield Row(f"  {count} pairs", "", f"{sure_of:.3f}", f"{right:.3f}", None, (), (count, sure_of, right))


def paper(chosen: Mapping[str, OrientationMethod], runs: int) -> Iterator[Row]:
    """How often each method is right on all direct relations of the paper's data together, and on its worst one."""
    yield Row(f"The paper's equations, {runs} runs, %: mean, worst relation")
    tables = {
        title: [sampled_by(np.random.default_rng([REPORT_SEED, run]), 1000) for run in range(runs)]
        for title, (sampled_by, _) in DIRECT.items()
    }
    for name, method in chosen.items():
        shares = {
            f"{title[-1]}: {cause} -> {effect}": 100
            * float(np.mean([judged(method, table[cause], table[effect]).log_odds > 0 for table in tables[title]]))
            for title, (_, relations) in DIRECT.items()
            for cause, effect in relations
        }
        note = ", ".join(f"{relation} {share:.0f}" for relation, share in shares.items())
        mean, worst = float(np.mean(list(shares.values()))), min(shares.values())
        goals = (">= 95", worst >= 95) if name == "auto" else ("", None)
        yield Row(f"  {name}", goals[0], f"{mean:.0f}", f"{worst:.0f}", goals[1], (note,), tuple(shares.values()))


def timing(chosen: Mapping[str, OrientationMethod]) -> Iterator[Row]:
    """The processor time for one pair."""
    yield Row("Processor time for a pair of 3000 rows: seconds")
    drawn = [draw("location-scale", REPORT_SEED + i, 3000) for i in range(5)]
    for name, method in chosen.items():
        spent = []
        for pair in drawn:
            start = time.process_time()
            judged(method, *pair)
            spent.append(time.process_time() - start)
        median, worst = float(np.median(spent)), max(spent)
        goals = ("< 0.5", worst < 0.5) if name == "auto" else ("", None)
        yield Row(f"  {name}", goals[0], f"{median:.3f}", f"{worst:.3f}", goals[1], (), tuple(spent))


def directions(settings: Settings) -> Iterator[Row]:
    """Families, the paper's equations, processor time and the Tuebingen pairs."""
    chosen = methods()
    if settings.quick:
        chosen = {name: chosen[name] for name in ("auto", "grci", "qccd", "reci")}
    yield from families(chosen, 2 if settings.quick else 12)
    yield from paper(chosen if settings.quick else chosen | kcdc_ridges(), 2 if settings.quick else 20)
    yield from timing(chosen)
    if not settings.quick:
        yield from tuebingen(chosen)


def main() -> None:
    """Fit, or look at the Tuebingen pairs."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.directions", description=__doc__.splitlines()[0])
    parser.add_argument("what", nargs="?", choices=["report", "fit", "fit-three"], default="report")
    parser.add_argument("--pairs", type=int, default=40, help="pairs of each family")
    parser.add_argument("--studies", type=int, default=60, help="studies of each way, to fit three outcomes")
    parser.add_argument("--keep", type=Path, help="a folder for what is measured to fit three outcomes")
    parser.add_argument("--runs", type=int, default=20, help="runs of the paper's equations")
    parser.add_argument("--without-tuebingen", action="store_true", help="leave the Tuebingen pairs alone")
    parser.add_argument("--only-tuebingen", action="store_true", help="nothing but the Tuebingen pairs")
    options = parser.parse_args()
    if options.what == "fit":
        fit(options.pairs)
        return
    if options.what == "fit-three":
        fit_three(options.pairs, options.studies, options.keep)
        return
    chosen = methods()
    rows: list[Iterator[Row]] = []
    if not options.only_tuebingen:
        rows += [families(chosen, options.pairs), paper(chosen | kcdc_ridges(), options.runs), timing(chosen)]
    if not options.without_tuebingen:
        rows.append(tuebingen(chosen))
    for some in rows:
        for row in some:
            print(row, flush=True)


if __name__ == "__main__":
    main()
