"""How effects are known: in linear models, what is said to show an effect shows it, and nothing is missed."""

from __future__ import annotations

from itertools import permutations

import numpy as np

from tests.support.graphs import subsets
from tests.support.linear import EXACT, Linear
from weft.effects.identify import Adjusted, Composed, NotIdentified, Setting, Zero, identify, legs_of
from weft.graphs.adjustment import causal_vertices, is_adjustment_set
from weft.graphs.ancestral import doublings, mag_of
from weft.graphs.mixed import MixedGraph
from weft.graphs.simulate import random_admg, random_dag, split_into_studies


def by_population(model: Linear, how: Adjusted | Composed) -> np.ndarray:
    """What the regressions of an identification come to with infinitely many rows."""
    if isinstance(how, Adjusted):
        found = [model.regression(leg.exposures, leg.outcome, leg.given) for leg in how.legs]
        assert all(np.abs(one - found[0]).max() < EXACT for one in found)  # every study shows the same
        return found[0]
    first = np.array([1.0 if one is None else by_population(model, one)[0] for one in how.first])
    return np.array([first @ by_population(model, how.second)])


def test_what_is_identified_is_the_effect_in_every_model_of_the_structure() -> None:
    rng = np.random.default_rng(3)
    kinds = {"adjusted": 0, "composed": 0, "zero": 0, "not identified": 0}
    for seed in range(60):
        graph = mag_of(random_admg(5, rng, mean_degree=1.6) if seed % 3 == 0 else random_dag(6, rng, mean_degree=2))
        names = list(graph.names)
        split = split_into_studies(names, rng, studies=2, overlap=2)
        known = frozenset(permutations(names, 2)) if seed % 3 == 1 else frozenset()  # nothing hidden
        setting = Setting({f"s{i}": frozenset(own) for i, own in enumerate(split)}, unconfounded=known)
        possible = [graph] if known else [model for model, _ in zip(doublings(graph), range(8), strict=False)]
        models = [Linear(model, rng) for model in possible]
        for x, y in permutations(names, 2):
            how = identify(graph, x, y, setting)
            if isinstance(how, Zero):
                kinds["zero"] += 1
                assert all(abs(model.effects((x,), y)[0]) < EXACT for model in models)
            elif isinstance(how, NotIdentified):
                kinds["not identified"] += 1
                assert not _some_study_shows(graph, x, y, setting)
            else:
                kinds["adjusted" if isinstance(how, Adjusted) else "composed"] += 1
                assert all(
                    setting.studies[leg.study] >= {*leg.exposures, leg.outcome, *leg.given} for leg in legs_of(how)
                )
                for model in models:
                    assert abs(by_population(model, how)[0] - model.effects((x,), y)[0]) < EXACT, (graph, x, y, how)
    assert kinds["adjusted"] > 50
    assert kinds["composed"] > 10


def _some_study_shows(graph: MixedGraph, x: str, y: str, setting: Setting) -> bool:
    """By trying every set of every study."""
    return any(
        is_adjustment_set(graph, [x], y, given, unconfounded=setting.unconfounded)
        for measured in setting.studies.values()
        if {x, y} <= measured
        for given in subsets(sorted(measured - {x, y}))
    )


def test_composing_the_last_regression_first_misses_nothing() -> None:
    """Against the same by trying every set on the way, with the rest of the way composed of joint effects in turn."""
    rng = np.random.default_rng(17)
    composed = 0
    for _ in range(200):
        graph = mag_of(random_dag(5, rng, mean_degree=2.2))
        names = list(graph.names)
        studies = {f"s{i}": frozenset(rng.choice(names, 3, replace=False).tolist()) for i in range(3)}
        setting = Setting(studies, unconfounded=frozenset(permutations(names, 2)))
        for x, y in permutations(names, 2):
            how = identify(graph, x, y, setting)
            if not isinstance(how, Zero):
                assert isinstance(how, NotIdentified) != _can_be_composed(graph, (x,), y, setting), (graph, x, y)
                composed += isinstance(how, Composed)
    assert composed > 20


def _can_be_composed(graph: MixedGraph, exposures: tuple[str, ...], y: str, setting: Setting) -> bool:
    """Joint effects by one regression; or all on some set that every directed path goes through, and from there on."""
    for measured in setting.studies.values():
        rest = sorted(measured - {*exposures, y})
        if measured >= {*exposures, y} and any(
            is_adjustment_set(graph, exposures, y, given, unconfounded=setting.unconfounded) for given in subsets(rest)
        ):
            return True
    between = causal_vertices(graph, exposures, y) - {y}
    return any(
        set(through) - set(exposures)
        and _all_go_through(graph, exposures, y, set(through))
        and all(_can_be_composed(graph, exposures, one, setting) for one in set(through) - set(exposures))
        and _can_be_composed(graph, through, y, setting)
        for through in subsets(sorted(between | set(exposures)))
    )


def _all_go_through(graph: MixedGraph, exposures: tuple[str, ...], y: str, through: set[str]) -> bool:
    """Whether no directed path from an exposure to y avoids a set, by walking them all."""

    def reaches(name: str) -> bool:
        return name not in through and (
            name == y or any(map(reaches, graph.names_of(graph.children[graph.index(name)])))
        )

    return not any(reaches(x) for x in exposures)


def test_a_direct_part_and_one_through_a_mediator_that_another_study_can_tell() -> None:
    """X and Y were measured together without C, which acts on X and M."""
    graph = MixedGraph.parse("I -> X; X -> M; C -> X; C -> M; M -> Y; X -> Y; J -> M")
    setting = Setting({"1": frozenset("IXMC"), "2": frozenset("IXMYJ")}, unconfounded=frozenset({("X", "Y")}))
    how = identify(graph, "X", "Y", setting)
    assert isinstance(how, Composed)
    assert (how.through, how.second.legs[0].exposures) == (("M",), ("M", "X"))


def test_a_chain_over_three_studies() -> None:
    graph = MixedGraph.parse("I -> A; A -> B; B -> C; C -> D")
    setting = Setting({"1": frozenset("IAB"), "2": frozenset("BC"), "3": frozenset("CD")})
    how = identify(graph, "A", "D", setting)
    assert isinstance(how, Composed)
    assert {leg.study for leg in legs_of(how)} == {"1", "2", "3"}


def test_two_mediators() -> None:
    graph = MixedGraph.parse("I -> X; X -> M; X -> N; M -> Y; N -> Y")
    setting = Setting({"1": frozenset("IXMN"), "2": frozenset("MNY")})
    how = identify(graph, "X", "Y", setting)
    assert isinstance(how, Composed)
    assert how.through == ("M", "N")
    # With one of the two unmeasured in the second study, a path is left.
    assert isinstance(identify(graph, "X", "Y", Setting({"1": frozenset("IXMN"), "2": frozenset("MY")})), NotIdentified)


def test_an_experiment_is_its_own_adjustment() -> None:
    graph = MixedGraph.parse("X -> Y")
    alone = Setting({"a": frozenset("XY")})
    found = identify(graph, "X", "Y", alone)
    assert isinstance(found, NotIdentified)
    assert found.remedy == "randomise X"
    trial = Setting({"a": frozenset("XY")}, {"a": frozenset("X")})
    assert identify(graph, "X", "Y", trial) == Adjusted(tuple(legs_of(identify(graph, "X", "Y", trial))))  # type: ignore[arg-type]
    other = Setting({"a": frozenset("XYW")}, {"a": frozenset("W")})
    assert isinstance(identify(MixedGraph.parse("X -> Y; W"), "X", "Y", other), NotIdentified)


def test_known_not_to_be_confounded() -> None:
    graph = MixedGraph.parse("X -> Y")
    known = Setting({"a": frozenset("XY")}, unconfounded=frozenset({("X", "Y")}))
    assert isinstance(identify(graph, "X", "Y", known), Adjusted)


def test_what_would_identify_it() -> None:
    graph = MixedGraph.parse("I -> X; X -> Y; C -> X; C -> Y")
    missing = identify(graph, "X", "Y", Setting({"a": frozenset("IXY"), "b": frozenset("CY")}))
    assert isinstance(missing, NotIdentified)
    assert missing.remedy == "measure C, X, Y together"
