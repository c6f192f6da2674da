"""Families of pairs with known direction: made-up measurements on which methods of direction are fitted and compared.

A family is a function from a generator and a number of rows to (cause, effect). Distributions and mechanisms are drawn
anew for every pair. ``IDENTIFIABLE`` tell their direction (to someone who knows the right model; a few pairs of each
do not), ``UNIDENTIFIABLE`` do not, and a method should abstain. ``COMMON`` have only a common cause, ``CONFOUNDED``
one besides an effect of the first column on the second: a method of three outcomes is fitted on these too.

What measurements are like
--------------------------
Textbook models (the first half of the families) have one cause, one noise, and exact numbers. A table of measurements
differs from them in ways that do not turn the arrow but do break the model, so that no method can count on its model
being right:

*The instrument.* Both columns are measured with error; numbers are written down with few digits, so that values are
tied; below a detection limit, or above the top of a scale, all values are the same; now and then one is simply wrong.
*The sample.* Some ranges are not sampled at all (patients are ill, trees are grown, cities are large), the sample is
100 to 3000 rows, and often it is several populations together, so that the cause has several modes.
*The mechanism.* An effect has many causes. What is called noise is the sum or the product of a few others, each with a
distribution of its own, so that it is skewed and not Gaussian; it may act inside the function rather than after it, and
through intermediate steps, each with its noise. Sizes, incomes, concentrations and durations are positive and skewed,
their spread grows with their level, and effects of a dose level off. Time, age, place and height are causes that are
spread evenly or in lumps, and are whole numbers.
*The world.* Nothing is quite unconfounded: something else moves both a little.

:func:`recorded` does to any pair what instrument and sample do, each thing with a small probability; the families from
``sizes`` on have the mechanisms. None was made after any pair of a public benchmark: what they are to resemble is the
list above.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
Generator = np.random.Generator
Pair = tuple[FloatArray, FloatArray]
Family = Callable[[Generator, int], Pair]


# ------------------------------------------------------------------------------------------------------- ingredients


def standard(values: FloatArray) -> FloatArray:
    """Mean 0, standard deviation 1."""
    return np.asarray((values - values.mean()) / (values.std() or 1.0))


def one_of(generator: Generator, choices: list[Callable[[], FloatArray]]) -> FloatArray:
    """The result of one of several recipes."""
    return choices[int(generator.integers(len(choices)))]()


def marginal(generator: Generator, rows: int) -> FloatArray:
    """A cause: a distribution as measurements have them, standardised."""
    return standard(
        one_of(
            generator,
            [
                lambda: generator.normal(size=rows),
                lambda: generator.uniform(size=rows),
                lambda: generator.gamma(generator.uniform(1, 6), size=rows),
                lambda: generator.lognormal(0, generator.uniform(0.3, 0.9), size=rows),
                lambda: generator.beta(generator.uniform(0.7, 4), generator.uniform(0.7, 4), size=rows),
                lambda: mixture(generator, rows),
                lambda: generator.exponential(size=rows),
                lambda: -generator.gamma(generator.uniform(1, 4), size=rows),
            ],
        )
    )


def mixture(generator: Generator, rows: int) -> FloatArray:
    """Two to four groups of different size, centre and width."""
    groups = int(generator.integers(2, 5))
    centres, widths = generator.normal(0, 2, size=groups), generator.uniform(0.2, 1, size=groups)
    group = generator.choice(groups, size=rows, p=generator.dirichlet(np.full(groups, 4.0)))
    return np.asarray(centres[group] + widths[group] * generator.normal(size=rows))


def noise(generator: Generator, rows: int) -> FloatArray:
    """Noise with mean 0 and standard deviation 1: Gaussian in one of three cases, else skewed, peaked or flat."""
    return standard(
        one_of(
            generator,
            [
                lambda: generator.normal(size=rows),
                lambda: generator.normal(size=rows),
                lambda: generator.laplace(size=rows),
                lambda: generator.gamma(generator.uniform(1.5, 6), size=rows) * generator.choice([-1, 1]),
                lambda: generator.uniform(size=rows),
                lambda: generator.standard_t(5, size=rows),
            ],
        )
    )


def smooth_function(generator: Generator, roughness: float = 1.0) -> Callable[[FloatArray], FloatArray]:
    """A draw from a Gaussian process with squared exponential kernel, by random features."""
    waves = generator.normal(size=100) * roughness
    phases, sizes = generator.uniform(0, 2 * math.pi, size=100), generator.normal(size=100) / math.sqrt(50)
    return lambda x: np.asarray(np.cos(np.multiply.outer(x, waves) + phases) @ sizes)


def monotone_function(generator: Generator) -> Callable[[FloatArray], FloatArray]:
    """An increasing or decreasing curve on about [-2, 2]: bent, saturating, or nearly straight."""
    sign, place, steepness = generator.choice([-1, 1]), generator.normal(0, 0.7), generator.uniform(0.8, 3)
    kind = int(generator.integers(5))
    if kind == 0:
        return lambda x: sign * np.tanh(steepness * (x - place))
    if kind == 1:
        return lambda x: sign * np.exp(-0.5 * steepness * (x - place).clip(-3))
    if kind == 2:
        return lambda x: sign * np.log1p(np.exp(steepness * (x - place)))
    if kind == 3:
        return lambda x: sign * np.sqrt(np.maximum(x - x.min(), 0) + 0.02)
    rate = generator.uniform(0.2, 2)
    return lambda x: sign * (x - x.min()) / (x - x.min() + rate)


def any_function(generator: Generator) -> Callable[[FloatArray], FloatArray]:
    """A smooth function; monotone in half of the cases."""
    return smooth_function(generator) if generator.random() < 0.5 else monotone_function(generator)


def positive_function(generator: Generator) -> Callable[[FloatArray], FloatArray]:
    """A smooth positive function that varies by a factor of a few."""
    inner, strength = any_function(generator), generator.uniform(0.4, 1.2)
    return lambda x: np.exp(strength * standard(inner(x)))


def rounded(generator: Generator, values: FloatArray, fewest: int, most: int) -> FloatArray:
    """The values on a grid of so many steps between the 2nd and the 98th percentile."""
    steps = math.exp(generator.uniform(math.log(fewest), math.log(most)))
    low, high = np.quantile(values, (0.02, 0.98))
    step = (high - low) / steps or 1.0
    return np.asarray(np.round(values / step) * step)


def written(generator: Generator, pair: Pair) -> Pair:
    """Both columns as they would be written down: one in three is rounded to 30 to 300 steps."""
    one, other = (rounded(generator, side, 30, 300) if generator.random() < 1 / 3 else side for side in pair)
    return one, other


def recorded(generator: Generator, pair: Pair) -> Pair:
    """What an instrument and a sample make of a pair; each thing happens with a small probability."""
    cause, effect = selected(generator, pair) if generator.random() < 0.25 else pair
    if generator.random() < 0.3:
        cause = cause + generator.uniform(0.05, 0.3) * cause.std() * generator.normal(size=len(cause))
    if generator.random() < 0.3:
        effect = effect + generator.uniform(0.05, 0.3) * effect.std() * noise(generator, len(effect))
    one, other = (instrument(generator, side) for side in (cause, effect))
    return one, other


def selected(generator: Generator, pair: Pair) -> Pair:
    """The rows in which one column, the cause more often, is in a part of its range."""
    side = pair[0 if generator.random() < 0.7 else 1]
    low, high = generator.uniform(0, 0.25), 1 - generator.uniform(0, 0.25)
    inside = (side >= np.quantile(side, low)) & (side <= np.quantile(side, high))
    return (pair[0][inside], pair[1][inside]) if inside.sum() >= 60 else pair


def instrument(generator: Generator, values: FloatArray) -> FloatArray:
    """Limits of detection, a few wrong values, and rounding."""
    if generator.random() < 0.1:
        share = generator.uniform(0.02, 0.2)
        below = generator.random() < 0.5
        limit = np.quantile(values, share if below else 1 - share)
        values = np.maximum(values, limit) if below else np.minimum(values, limit)
    if generator.random() < 0.1:
        wrong = generator.random(len(values)) < generator.uniform(0.002, 0.01)
        values = np.where(
            wrong, values + generator.uniform(2, 6) * values.std() * generator.normal(size=len(values)), values
        )
    if generator.random() < 0.4:
        values = rounded(generator, values, 10, 300)
    return values


# ---------------------------------------------------------------------------------------------------------- families


def additive(generator: Generator, rows: int) -> Pair:
    """Additive noise, smooth function."""
    cause = marginal(generator, rows)
    return cause, standard(smooth_function(generator)(cause)) + generator.uniform(0.2, 0.9) * noise(generator, rows)


def additive_monotone(generator: Generator, rows: int) -> Pair:
    """Additive noise, monotone function."""
    cause = marginal(generator, rows)
    return cause, standard(monotone_function(generator)(cause)) + generator.uniform(0.1, 0.7) * noise(generator, rows)


def location_scale(generator: Generator, rows: int) -> Pair:
    """Mean and spread depend on the cause."""
    cause = marginal(generator, rows)
    spread = generator.uniform(0.2, 0.7) * positive_function(generator)(cause)
    return cause, standard(any_function(generator)(cause)) + spread * noise(generator, rows)


def multiplicative(generator: Generator, rows: int) -> Pair:
    """A positive or signed function times positive noise."""
    cause = marginal(generator, rows)
    factor = one_of(
        generator,
        [
            lambda: generator.uniform(size=rows),
            lambda: generator.exponential(size=rows),
            lambda: generator.lognormal(0, generator.uniform(0.2, 0.7), size=rows),
            lambda: generator.gamma(generator.uniform(1.5, 6), size=rows),
        ],
    )
    inner = smooth_function if generator.random() < 0.4 else positive_function
    return cause, inner(generator)(cause) * factor


def post_nonlinear(generator: Generator, rows: int) -> Pair:
    """An increasing function of an additive noise model."""
    cause = marginal(generator, rows)
    inner = standard(any_function(generator)(cause)) + generator.uniform(0.2, 0.8) * noise(generator, rows)
    bend = generator.uniform(0.3, 1)
    return cause, one_of(
        generator,
        [
            lambda: np.exp(bend * inner),
            lambda: np.tanh(bend * inner),
            lambda: inner**3 + inner,
            lambda: np.log1p(np.exp(2 * bend * inner)),
        ],
    )


def two_inputs(generator: Generator, rows: int) -> Pair:
    """The noise is an argument of a smooth function, and both columns are measured with error (Mooij et al. 2016)."""
    hidden = standard(smooth_function(generator, 0.6)(generator.normal(size=rows)) + 0.7 * generator.normal(size=rows))
    waves = generator.normal(size=(2, 100)) * np.array([[generator.uniform(0.5, 1.2)], [generator.uniform(0.2, 0.7)]])
    phases = generator.uniform(0, 2 * math.pi, size=100)
    arguments = np.column_stack([hidden, generator.normal(size=rows)])
    effect = standard(np.cos(arguments @ waves + phases) @ generator.normal(size=100))
    error = generator.uniform(0, 0.15, size=2)
    return hidden + error[0] * generator.normal(size=rows), effect + error[1] * generator.normal(size=rows)


def nearly_noiseless(generator: Generator, rows: int) -> Pair:
    """A bent curve with little noise on both columns."""
    cause = marginal(generator, rows)
    effect = standard(any_function(generator)(cause)) + generator.uniform(0.02, 0.1) * noise(generator, rows)
    return cause + generator.uniform(0, 0.02) * generator.normal(size=rows), effect


def quantile_noise(generator: Generator, rows: int) -> Pair:
    """The cause changes the shape of the effect's distribution: its quantile function depends smoothly on the cause."""
    cause = marginal(generator, rows)
    level = generator.uniform(size=rows)
    shift, spread = standard(any_function(generator)(cause)), positive_function(generator)(cause)
    lean = np.tanh(standard(any_function(generator)(cause)))
    upper, lower = -np.log1p(-level), np.log(level)
    return cause, generator.uniform(0.5, 2) * shift + 0.5 * spread * ((1 + lean) * upper + (1 - lean) * lower)


def allometric(generator: Generator, rows: int) -> Pair:
    """Power laws between lognormal sizes."""
    cause = generator.lognormal(0, generator.uniform(0.3, 1.2), size=rows)
    effect = cause ** generator.choice([-1, 0.5, 0.75, 2, 3]) * np.exp(
        generator.uniform(0.1, 0.6) * noise(generator, rows)
    )
    return cause, effect + generator.uniform(0, 0.3) * float(np.median(effect)) * generator.uniform(size=rows)


def groups(generator: Generator, rows: int) -> Pair:
    """The cause is a mixture; the effect follows it with additive or location-scale noise."""
    cause = standard(mixture(generator, rows))
    spread = generator.uniform(0.1, 0.7)
    scale = positive_function(generator)(cause) if generator.random() < 0.5 else 1.0
    return cause, standard(any_function(generator)(cause)) + spread * scale * noise(generator, rows)


def whole_numbers(generator: Generator, rows: int) -> Pair:
    """The cause is a count of years, steps or doses; the effect grows or decays with it and may be rounded."""
    most = int(generator.integers(8, 90))
    years = one_of(
        generator,
        [
            lambda: generator.integers(0, most, size=rows).astype(float),
            lambda: np.round(most * generator.beta(2, 3, size=rows)),
            lambda: generator.poisson(most / 3, size=rows).astype(float),
        ],
    )
    cause = standard(years)
    scale = positive_function(generator)(cause) if generator.random() < 0.6 else 1.0
    effect = standard(any_function(generator)(cause)) + generator.uniform(0.2, 1) * scale * noise(generator, rows)
    return years, rounded(generator, effect, 8, 100) if generator.random() < 0.5 else effect


def few_levels(generator: Generator, rows: int) -> Pair:
    """A location-scale pair of which one column is known in three to eight levels only."""
    pair = list(location_scale(generator, rows))
    coarse = int(generator.integers(2))
    levels = int(generator.integers(3, 9))
    cuts = np.quantile(pair[coarse], np.sort(generator.uniform(0.05, 0.95, size=levels - 1)))
    pair[coarse] = np.searchsorted(cuts, pair[coarse]).astype(float)
    return pair[0], pair[1]


def heavy_tails(generator: Generator, rows: int) -> Pair:
    """Far values in cause and noise."""
    cause = generator.standard_t(generator.uniform(2.5, 5), size=rows)
    spread = generator.uniform(0.2, 0.8)
    return cause, any_function(generator)(cause.clip(-8, 8)) + spread * generator.standard_t(3, size=rows)


def periodic(generator: Generator, rows: int) -> Pair:
    """Hour of the day or day of the year, evenly spread, and what follows it."""
    whole = int(generator.choice([24, 365, 10_000]))
    time = np.floor(generator.uniform(0, whole, size=rows))
    angle = 2 * math.pi * (time / whole + generator.uniform())
    curve = np.sin(angle) + generator.uniform(0, 0.6) * np.sin(2 * angle + generator.uniform(0, 6))
    scale = np.exp(generator.uniform(0, 0.8) * np.sin(angle + generator.uniform(0, 6)))
    return time, curve + generator.uniform(0.3, 1.5) * scale * noise(generator, rows)


def saturating(generator: Generator, rows: int) -> Pair:
    """Dose and response: a positive skewed dose, a response that levels off, spread that grows with the response."""
    dose = generator.gamma(generator.uniform(0.8, 4), size=rows)
    half, power = generator.uniform(0.3, 3), generator.uniform(0.8, 2.5)
    response = dose**power / (dose**power + half**power)
    spread = generator.uniform(0.05, 0.4) * (1 if generator.random() < 0.5 else 0.2 + response)
    return dose, response * generator.choice([-1, 1]) + spread * noise(generator, rows)


def network(generator: Generator, rows: int) -> Pair:
    """A random network with one hidden layer of cause and noise."""
    cause = marginal(generator, rows)
    hidden = int(generator.integers(5, 30))
    layer = np.tanh(
        np.multiply.outer(cause, generator.normal(0, 1.5, size=hidden))
        + np.multiply.outer(noise(generator, rows), generator.uniform(0.2, 1) * generator.normal(size=hidden))
        + generator.normal(size=hidden)
    )
    return cause, layer @ generator.normal(size=hidden)


def counts(generator: Generator, rows: int) -> Pair:
    """The effect is a number of events, its rate a function of the cause."""
    cause = marginal(generator, rows)
    rate = generator.uniform(3, 60) * positive_function(generator)(cause)
    return cause, generator.poisson(rate * generator.gamma(8, 1 / 8, size=rows)).astype(float)


def bounded_share(generator: Generator, rows: int) -> Pair:
    """The effect is a share between 0 and 1, its mean a function of the cause."""
    cause = marginal(generator, rows)
    mean = 1 / (1 + np.exp(-generator.uniform(0.7, 2) * standard(any_function(generator)(cause)) + generator.normal()))
    precision = generator.uniform(3, 30)
    return cause, generator.beta(precision * mean + 0.05, precision * (1 - mean) + 0.05)


def linear_skewed(generator: Generator, rows: int) -> Pair:
    """A straight line with skewed cause or noise."""
    cause = standard(generator.gamma(generator.uniform(1, 3), size=rows)) * generator.choice([-1, 1])
    disturbance = standard(generator.gamma(generator.uniform(1, 3), size=rows)) * generator.choice([-1, 1])
    return cause, cause + generator.uniform(0.4, 1.5) * disturbance


def other_causes(generator: Generator, rows: int) -> FloatArray:
    """The sum of one to four other causes, each with a distribution of its own; standardised."""
    count = int(generator.integers(1, 5))
    return standard(np.sum([generator.uniform(0.3, 1) * marginal(generator, rows) for _ in range(count)], axis=0))


def sizes(generator: Generator, rows: int) -> Pair:
    """Positive skewed sizes of several populations: a power law times a product of other causes, an offset."""
    cause = np.exp(generator.uniform(0.4, 1.2) * standard(mixture(generator, rows)))
    power = generator.choice([-1, -0.5, 0.33, 0.5, 0.75, 1.3, 2])
    effect = cause**power * np.exp(generator.uniform(0.2, 0.8) * other_causes(generator, rows))
    return cause, effect + generator.uniform(0, 1) * float(np.median(effect))


def incomes(generator: Generator, rows: int) -> Pair:
    """Age or schooling in whole years and an income: level and spread rise together, then level off or fall."""
    years = np.round(
        generator.uniform(16, 25) + 50 * generator.beta(generator.uniform(1, 2), generator.uniform(1, 3), size=rows)
    )
    age = standard(years)
    level = generator.uniform(0.2, 0.7) * age - generator.uniform(0, 0.3) * age**2
    spread = generator.uniform(0.3, 0.8) * np.exp(generator.uniform(0, 0.3) * age)
    effect = np.exp(level + spread * other_causes(generator, rows))
    return years, effect if generator.random() < 0.7 else np.log(effect + 0.2)


def concentrations(generator: Generator, rows: int) -> Pair:
    """A skewed dose, a response that levels off, other causes that multiply, and a background."""
    dose = np.exp(generator.uniform(0.4, 1) * standard(marginal(generator, rows)))
    half, power = float(np.quantile(dose, generator.uniform(0.2, 0.9))), generator.uniform(0.7, 2.5)
    response = dose**power / (dose**power + half**power)
    effect = response * np.exp(generator.uniform(0.1, 0.5) * other_causes(generator, rows))
    return dose, effect + generator.uniform(0, 0.2) * np.abs(generator.normal(size=rows))


def regimes(generator: Generator, rows: int) -> Pair:
    """Populations that differ in the distribution of the cause and, a little, in the mechanism."""
    count = int(generator.integers(2, 5))
    group = generator.choice(count, size=rows, p=generator.dirichlet(np.full(count, 4.0)))
    cause = generator.normal(0, 1.5, size=count)[group] + generator.uniform(0.4, 1, size=count)[group] * noise(
        generator, rows
    )
    cause = standard(cause)
    shift, slope = generator.normal(0, 0.3, size=count)[group], 1 + 0.3 * generator.normal(size=count)[group]
    spread = generator.uniform(0.2, 0.8) * np.exp(generator.normal(0, 0.3, size=count))[group]
    return cause, shift + slope * standard(any_function(generator)(cause)) + spread * other_causes(generator, rows)


def terrain(generator: Generator, rows: int) -> Pair:
    """Height or latitude in whole units and weather: nearly a straight line, other causes that are not Gaussian."""
    height = np.round(100 * generator.gamma(generator.uniform(0.8, 4), size=rows) * generator.uniform(1, 5))
    cause = standard(height)
    bend = generator.uniform(-0.15, 0.15) * cause**2
    spread = generator.uniform(0.2, 0.8) * np.exp(generator.uniform(-0.3, 0.3) * np.tanh(cause))
    return height, generator.choice([-1, 1]) * (cause + bend) + spread * other_causes(generator, rows)


def growth(generator: Generator, rows: int) -> Pair:
    """Age and a size that grows to a limit, with a spread that grows with the size; age is known in whole units."""
    age = np.round(
        generator.integers(12, 80) * generator.beta(generator.uniform(0.8, 2), generator.uniform(0.8, 2.5), size=rows)
    )
    rate = generator.uniform(1.5, 6) / max(float(age.max()), 1.0)
    size = (1 - np.exp(-rate * age)) ** generator.choice([1, 3]) + generator.uniform(0.02, 0.3)
    if generator.random() < 0.5:
        return age, size * np.exp(generator.uniform(0.05, 0.35) * other_causes(generator, rows))
    return age, size + generator.uniform(0.05, 0.3) * other_causes(generator, rows)


def weak(generator: Generator, rows: int) -> Pair:
    """One cause among many: it explains a tenth to a third of the effect."""
    cause = marginal(generator, rows)
    scale = positive_function(generator)(cause) if generator.random() < 0.5 else 1.0
    share = generator.uniform(0.1, 0.35)
    signal = standard(any_function(generator)(cause))
    return cause, math.sqrt(share) * signal + math.sqrt(1 - share) * scale * other_causes(generator, rows)


def steps(generator: Generator, rows: int) -> Pair:
    """Cause, one or two intermediate steps with their own noise, effect."""
    start = value = marginal(generator, rows)
    for _ in range(int(generator.integers(2, 4))):
        value = standard(
            any_function(generator)(value.clip(-4, 4)) + generator.uniform(0.1, 0.5) * noise(generator, rows)
        )
    return start, value


def inside(generator: Generator, rows: int) -> Pair:
    """Other causes act inside the function, and others again multiply what comes out."""
    cause = marginal(generator, rows)
    within = cause + generator.uniform(0.2, 0.8) * other_causes(generator, rows)
    effect = standard(any_function(generator)(within.clip(-4, 4)))
    factor = np.exp(generator.uniform(0, 0.4) * other_causes(generator, rows))
    return cause, (effect - effect.min() if generator.random() < 0.5 else effect) * factor


def slightly_confounded(generator: Generator, rows: int) -> Pair:
    """A hidden variable moves both a little."""
    hidden, strength = (
        marginal(generator, rows),
        generator.uniform(0.2, 0.5, size=2) * generator.choice([-1, 1], size=2),
    )
    cause = standard(marginal(generator, rows) + strength[0] * any_function(generator)(hidden))
    scale = positive_function(generator)(cause) if generator.random() < 0.5 else 1.0
    effect = standard(any_function(generator)(cause)) + strength[1] * standard(any_function(generator)(hidden))
    return cause, effect + generator.uniform(0.2, 0.7) * scale * other_causes(generator, rows)


def skewed_line(generator: Generator, rows: int) -> Pair:
    """A positive skewed cause, a straight line through about the origin, spread in proportion to the level."""
    cause = generator.gamma(generator.uniform(0.8, 5), size=rows)
    effect = cause * np.exp(generator.uniform(0.1, 0.6) * other_causes(generator, rows))
    return cause, effect + generator.uniform(0, 0.5) * generator.gamma(2, size=rows)


def counted_causes(generator: Generator, rows: int) -> Pair:
    """The cause is a small number of events or parts; the effect adds or multiplies up over them."""
    count = generator.poisson(generator.uniform(2, 12), size=rows) + generator.integers(0, 2)
    each = np.exp(generator.uniform(0.1, 0.6) * other_causes(generator, rows))
    effect = (count.astype(float) + generator.uniform(0, 2)) ** generator.uniform(0.4, 1.6) * each
    return count.astype(float), np.log1p(effect) if generator.random() < 0.4 else effect


# ------------------------------------------------------------------------------------------------- the paper's appendix


def synthetic_1(generator: Generator, rows: int) -> dict[str, FloatArray]:
    """The paper's Synthetic 1: exponential noise, each scale drawn from 0.5 to 2."""
    scale = generator.uniform(0.5, 2, size=3)
    x = generator.exponential(scale[0], size=rows)
    y = 3 * np.log(x**2) * generator.exponential(scale[1], size=rows)
    return {"x": x, "y": y, "z": 4 * y**2 * generator.exponential(scale[2], size=rows)}


def synthetic_2(generator: Generator, rows: int) -> dict[str, FloatArray]:
    """The paper's Synthetic 2, likewise."""
    scale = generator.uniform(0.5, 2, size=6)
    y = generator.exponential(scale[0], size=rows)
    x = 3 * np.log(y**2) * generator.exponential(scale[1], size=rows)
    z = 4 * y**2 * generator.exponential(scale[2], size=rows)
    w = np.sqrt(z) * generator.exponential(scale[3], size=rows)
    s = generator.exponential(scale[4], size=rows)
    return {"x": x, "y": y, "z": z, "w": w, "s": s, "v": w**2 * s**3 * generator.exponential(scale[5], size=rows)}


DIRECT: Mapping[str, tuple[Callable[[Generator, int], dict[str, FloatArray]], tuple[tuple[str, str], ...]]] = {
    "Synthetic 1": (synthetic_1, (("x", "y"), ("y", "z"))),
    "Synthetic 2": (synthetic_2, (("y", "x"), ("y", "z"), ("z", "w"), ("w", "v"), ("s", "v"))),
}
"""The direct relations of the paper's two graphs."""


def paper(generator: Generator, rows: int) -> Pair:
    """One direct relation of the paper's synthetic data."""
    sampled, relations = DIRECT["Synthetic 1" if generator.random() < 0.3 else "Synthetic 2"]
    table = sampled(generator, rows)
    cause, effect = relations[int(generator.integers(len(relations)))]
    return table[cause], table[effect]


# ------------------------------------------------------------------------------------------------------ no direction


def linear_gaussian(generator: Generator, rows: int) -> Pair:
    """Both directions are the same model."""
    cause = generator.normal(size=rows)
    return cause, cause + generator.uniform(0.3, 2) * generator.normal(size=rows)


def independent(generator: Generator, rows: int) -> Pair:
    """Neither causes the other."""
    return marginal(generator, rows), marginal(generator, rows)


def identity(generator: Generator, rows: int) -> Pair:
    """The same quantity twice, in other units and with hardly any error."""
    cause = marginal(generator, rows)
    return cause, generator.uniform(0.5, 2) * cause + generator.choice([0, 1e-4, 1e-3]) * generator.normal(size=rows)


def twins(generator: Generator, rows: int) -> Pair:
    """Two measurements of one quantity with equal errors, each distorted the same way: symmetric by construction."""
    hidden = marginal(generator, rows)
    bend, error = monotone_function(generator), generator.uniform(0.2, 0.8)
    one, other = (hidden + error * generator.normal(size=rows) for _ in range(2))
    return bend(one.clip(-3, 3)), bend(other.clip(-3, 3))


def common_cause(generator: Generator, rows: int) -> Pair:
    """Neither causes the other; the same kind of mechanism leads from a hidden variable to both."""
    hidden, spread = marginal(generator, rows), generator.uniform(0.2, 0.7)
    one, other = (standard(any_function(generator)(hidden)) + spread * other_causes(generator, rows) for _ in range(2))
    return one, other


def cut_gaussian(generator: Generator, rows: int) -> Pair:
    """A Gaussian pair as an instrument and a sample leave it, each column with the same chance."""
    one, other = recorded(generator, linear_gaussian(generator, rows))
    return (one, other) if generator.random() < 0.5 else (other, one)


# ----------------------------------------------------------------------------- common causes, with and without an arrow


def hidden_sides(generator: Generator, rows: int) -> tuple[FloatArray, FloatArray, FloatArray]:
    """A hidden variable, and what it makes of two others: functions of it of any shape, standardised."""
    hidden = marginal(generator, rows)
    one, other = (standard(any_function(generator)(hidden)) for _ in range(2))
    return hidden, one, other


def hidden_additive(generator: Generator, rows: int) -> Pair:
    """Only a common cause: each column a function of it plus other causes, one often closer to it than the other."""
    _, one, other = hidden_sides(generator, rows)
    near, far = generator.uniform(0.1, 1, size=2)
    return one + near * other_causes(generator, rows), other + far * other_causes(generator, rows)


def hidden_scaled(generator: Generator, rows: int) -> Pair:
    """Only a common cause, which changes mean and spread of both."""
    hidden, one, other = hidden_sides(generator, rows)
    near, far = (generator.uniform(0.2, 0.8) * positive_function(generator)(hidden) for _ in range(2))
    return one + near * noise(generator, rows), other + far * noise(generator, rows)


def hidden_sizes(generator: Generator, rows: int) -> Pair:
    """Only a common cause: positive skewed columns, everything multiplies."""
    _, one, other = hidden_sides(generator, rows)
    near, far = generator.uniform(0.2, 0.8, size=2)
    return (
        np.exp(0.7 * one + near * other_causes(generator, rows)),
        np.exp(0.7 * other + far * other_causes(generator, rows)),
    )


def hidden_linear(generator: Generator, rows: int) -> Pair:
    """Only a common cause: straight lines, noise that is not Gaussian."""
    hidden = marginal(generator, rows)
    near, far = generator.uniform(0.3, 1.5, size=2)
    return hidden + near * other_causes(generator, rows), hidden + far * other_causes(generator, rows)


def both_additive(generator: Generator, rows: int) -> Pair:
    """The first column causes the second, and a hidden variable moves both as much."""
    _, one, other = hidden_sides(generator, rows)
    cause = standard(one + generator.uniform(0.5, 1.2) * other_causes(generator, rows))
    effect = standard(any_function(generator)(cause)) + generator.uniform(0.5, 1.2) * other
    return cause, effect + generator.uniform(0.3, 0.8) * other_causes(generator, rows)


def both_linear(generator: Generator, rows: int) -> Pair:
    """The same with straight lines, and noise that is not Gaussian."""
    hidden = marginal(generator, rows)
    cause = standard(generator.uniform(0.5, 1.2) * hidden + other_causes(generator, rows))
    effect = generator.uniform(0.5, 1.2) * cause + generator.choice([-1, 1]) * generator.uniform(0.5, 1.2) * hidden
    return cause, effect + generator.uniform(0.5, 1) * other_causes(generator, rows)


def both_sizes(generator: Generator, rows: int) -> Pair:
    """The same with sizes: everything multiplies."""
    _, one, other = hidden_sides(generator, rows)
    cause = np.exp(0.5 * one + generator.uniform(0.3, 0.8) * other_causes(generator, rows))
    power = generator.choice([-1, -0.5, 0.5, 0.75, 1.3])
    return cause, cause**power * np.exp(0.4 * other + generator.uniform(0.2, 0.6) * other_causes(generator, rows))


COMMON: Mapping[str, Family] = {
    "hidden-additive": hidden_additive,
    "hidden-scaled": hidden_scaled,
    "hidden-sizes": hidden_sizes,
    "hidden-linear": hidden_linear,
}
"""Families that have only a common cause."""

CONFOUNDED: Mapping[str, Family] = {
    "both-additive": both_additive,
    "both-linear": both_linear,
    "both-sizes": both_sizes,
}
"""Families in which the first column causes the second, and a hidden variable moves both."""


IDENTIFIABLE: Mapping[str, Family] = {
    "additive": additive,
    "additive-monotone": additive_monotone,
    "location-scale": location_scale,
    "multiplicative": multiplicative,
    "post-nonlinear": post_nonlinear,
    "two-inputs": two_inputs,
    "nearly-noiseless": nearly_noiseless,
    "quantile-noise": quantile_noise,
    "allometric": allometric,
    "groups": groups,
    "whole-numbers": whole_numbers,
    "few-levels": few_levels,
    "heavy-tails": heavy_tails,
    "periodic": periodic,
    "saturating": saturating,
    "network": network,
    "counts": counts,
    "bounded-share": bounded_share,
    "linear-skewed": linear_skewed,
    "sizes": sizes,
    "incomes": incomes,
    "concentrations": concentrations,
    "regimes": regimes,
    "terrain": terrain,
    "growth": growth,
    "weak": weak,
    "steps": steps,
    "inside": inside,
    "slightly-confounded": slightly_confounded,
    "skewed-line": skewed_line,
    "counted-causes": counted_causes,
    "paper": paper,
}
"""Families that tell their direction."""

UNIDENTIFIABLE: Mapping[str, Family] = {
    "linear-gaussian": linear_gaussian,
    "independent": independent,
    "identity": identity,
    "twins": twins,
    "common-cause": common_cause,
    "cut-gaussian": cut_gaussian,
}
"""Families that do not."""


AS_MADE = frozenset({"paper", "identity", "cut-gaussian"})
"""Families whose pairs are taken as they are."""


def draw(family: str, seed: int, rows: int | None = None) -> Pair:
    """The pair of that number; 100 to 3000 rows unless given (a few are lost where the sample is a selected one)."""
    generator = np.random.default_rng([seed, *family.encode()])
    if rows is None:
        rows = round(math.exp(generator.uniform(math.log(100), math.log(3000))))
    made = {**IDENTIFIABLE, **UNIDENTIFIABLE, **COMMON, **CONFOUNDED}[family](generator, rows)
    if family in AS_MADE:
        return made
    return written(generator, made) if family in UNIDENTIFIABLE else recorded(generator, made)
