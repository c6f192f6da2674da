"""The evidence file: what is read and written, and where every mistake is said to be."""

from __future__ import annotations

import io
import itertools
import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.problems import said_once
from weft.errors import EvidenceError
from weft.evidence.file import FORMAT, dump, load, parse_document, to_document
from weft.evidence.oracle import oracle
from weft.evidence.statements import (
    Apart,
    Connected,
    Dependent,
    Evidence,
    Provenance,
    Relation,
    Scope,
    Separated,
    Statement,
    Table,
)
from weft.graphs.criteria import Structure

EXAMPLE = """
{"format": "weft-evidence/2", "variables": ["W","X","Y","Z"],
 "studies": [{"name": "a", "variables": ["X","Y"], "connected": [{"pair": ["X","Y"]}], "apart": []},
             {"name": "b", "variables": ["W","Y","Z"],
              "connected": [{"pair": ["Y","Z"]}, {"pair": ["W","Z"], "weight": 2.5}],
              "apart": [{"pair": ["W","Y"], "p_value": 0.43, "weight": 2.1}]}],
 "separated": [{"pair": ["W","Y"], "given": ["Z"], "studies": ["b"], "p_value": 0.43, "weight": 1.1}],
 "dependent": [{"pair": ["Y","W"], "given": [], "test": "kcit"}],
 "relations": [{"pair": ["X","Y"], "allowed": ["->"], "source": "kcdc", "weight": 4.2}]}
"""

VERSION_1 = """
{"format": "weft-evidence/1", "variables": ["W","X","Y","Z"],
 "studies": [{"name": "a", "variables": ["X","Y"], "connected": [{"pair": ["X","Y"]}], "separated": []},
             {"name": "b", "variables": ["W","Y","Z"],
              "connected": [{"pair": ["Y","Z"]}, {"pair": ["W","Z"], "weight": 2.5}],
              "separated": [{"pair": ["W","Y"], "given": ["Z"], "p_value": 0.43, "weight": 1.1}]}],
 "relations": [{"pair": ["X","Y"], "allowed": ["->"], "source": "kcdc", "weight": 4.2}]}
"""

EVIDENCE = Evidence(
    (Scope("a", ("X", "Y")), Scope("b", ("W", "Y", "Z"))),
    (
        Connected("a", "X", "Y"),
        Connected("b", "Y", "Z"),
        Connected("b", "W", "Z", 2.5),
        Apart("b", "W", "Y", 2.1, Provenance(p_value=0.43)),
        Separated("W", "Y", frozenset("Z"), ("b",), 1.1, Provenance(p_value=0.43)),
        Dependent("W", "Y", frozenset(), provenance=Provenance("kcit")),
        Relation("X", "Y", frozenset({Structure.CAUSES}), 4.2, Provenance("kcdc")),
    ),
)

WRITTEN = """\
{"format": "weft-evidence/2",
 "variables": ["W", "X", "Y", "Z"],
 "studies": [
  {"name": "a", "variables": ["X", "Y"],
   "connected": [
    {"pair": ["X", "Y"]}
   ],
   "apart": []},
  {"name": "b", "variables": ["W", "Y", "Z"],
   "connected": [
    {"pair": ["W", "Z"], "weight": 2.5},
    {"pair": ["Y", "Z"]}
   ],
   "apart": [
    {"pair": ["W", "Y"], "p_value": 0.43, "weight": 2.1}
   ]}
 ],
 "separated": [
  {"pair": ["W", "Y"], "given": ["Z"], "studies": ["b"], "p_value": 0.43, "weight": 1.1}
 ],
 "dependent": [
  {"pair": ["W", "Y"], "given": [], "source": "kcit"}
 ],
 "relations": [
  {"pair": ["X", "Y"], "allowed": ["->"], "source": "kcdc", "weight": 4.2}
 ]}
"""


def written(evidence: Evidence) -> str:
    stream = io.StringIO()
    dump(evidence, stream)
    return stream.getvalue()


def changed(path: str, value: object) -> dict[str, Any]:
    """The example with another value at ``path``, such as ``separated 0 given``."""
    document: Any = json.loads(EXAMPLE)
    *way, last = [int(step) if step.isdigit() else step for step in path.split()]
    place = document
    for step in way:
        place = place[step]
    if isinstance(place, list) and last == len(place):
        place.append(value)
    else:
        place[last] = value
    return dict(document)


def error_of(document: object) -> str:
    with pytest.raises(EvidenceError) as caught:
        parse_document(document)
    assert "\n" not in str(caught.value)
    return str(caught.value)


class TestReading:
    def test_the_example(self) -> None:
        assert load(io.StringIO(EXAMPLE)) == EVIDENCE

    def test_version_1(self) -> None:
        """What a study separates by a set is apart there, and separated by that set; both have the weight."""
        found = load(io.StringIO(VERSION_1))
        test = Provenance(p_value=0.43)
        assert found.apart == (Apart("b", "W", "Y", 1.1, test),)
        assert found.separated == (Separated("W", "Y", frozenset("Z"), ("b",), 1.1, test),)
        assert found.connected == EVIDENCE.connected
        assert found.relations == EVIDENCE.relations
        assert len(found.statements) == 6
        assert written(found).startswith('{"format": "weft-evidence/2"')
        assert load(io.StringIO(written(found))) == found

    @pytest.mark.parametrize(
        ("separated", "message"),
        [
            (
                [{"pair": ["W", "Z"], "given": []}],
                "studies[1].separated[0].pair: W and Z are both connected and apart in study 'b'; "
                "a pair is one or the other (first in studies[1].connected[1])",
            ),
            (
                [{"pair": ["W", "Y"], "given": []}, {"pair": ["Y", "W"], "given": ["Z"]}],
                "studies[1].separated[1].pair: W and Y have a statement in study 'b' already; "
                "keep one of the two (first in studies[1].separated[0])",
            ),
            (
                [{"pair": ["W", "Y"], "given": ["X"]}],
                "studies[1].separated[0].given: 'X' is not a variable of study 'b'",
            ),
            (
                [{"pair": ["W", "Y"], "given": [], "studies": ["b"]}],
                "studies[1].separated[0]: 'studies' is not a key that can stand here",
            ),
        ],
    )
    def test_what_version_1_refuses(self, separated: list[object], message: str) -> None:
        document = json.loads(VERSION_1)
        document["studies"][1]["separated"] = separated
        assert error_of(document).startswith(message)

    def test_version_1_has_nothing_of_version_2(self) -> None:
        document = json.loads(VERSION_1)
        assert error_of(document | {"dependent": []}).startswith("'dependent' is not a key that can stand here")
        document["studies"][0]["apart"] = []
        assert error_of(document).startswith("studies[0]: 'apart' is not a key that can stand here")

    def test_an_oracles_evidence(self) -> None:
        evidence = oracle("X -> Y -> Z; W", {"one": ["X", "Y", "Z"], "two": ["W", "Z"]})
        assert load(io.StringIO(written(evidence))) == evidence

    def test_allowed_is_read_along_the_pair_as_written(self) -> None:
        document = changed("relations 0", {"pair": ["Y", "X"], "allowed": ["->", "<- & <->", "none"]})
        (relation,) = parse_document(document).relations
        assert (relation.x, relation.y) == ("X", "Y")
        assert relation.allowed == {Structure.CAUSED, Structure.CAUSES_COMMON, Structure.NONE}

    def test_what_may_be_left_out(self) -> None:
        document = {"format": FORMAT, "studies": [{"name": "a", "variables": ["Y", "X"]}]}
        assert parse_document(document) == Evidence((Scope("a", ("X", "Y")),))

    @pytest.mark.parametrize(
        "place", ["studies 0 connected 0", "studies 1 apart 0", "separated 0", "dependent 1", "relations 0"]
    )
    def test_every_statement_takes_all_optional_keys(self, place: str) -> None:
        document = changed("dependent 1", {"pair": ["W", "Y"], "given": [], "studies": ["b"]})
        for key, value in (("weight", 3), ("source", "expert"), ("p_value", 0), ("rows", 12)):
            document_part: Any = document
            for step in place.split():
                document_part = document_part[int(step) if step.isdigit() else step]
            document_part[key] = value
        found = [s for s in parse_document(document).statements if s.provenance == Provenance("expert", 0.0, 12)]
        assert [s.weight for s in found] == [3.0]

    def test_several_relations_of_a_pair(self) -> None:
        document = changed("relations 1", {"pair": ["Y", "X"], "allowed": ["<-"], "source": "experiment"})
        assert [r.allowed for r in parse_document(document).relations] == [{Structure.CAUSES}] * 2

    def test_names_of_any_script(self) -> None:
        document = {"format": FORMAT, "studies": [{"name": "é", "variables": ["größe", "体重", "a\nb", '"']}]}
        assert parse_document(document).variables == ('"', "a\nb", "größe", "体重")

    def test_two_thousand_variables(self) -> None:
        names = [f"gene{i:04}" for i in range(2000)]
        pairs = [{"pair": list(pair)} for pair in itertools.pairwise(names[:1100])]
        separations = [{"pair": [names[1000], other], "given": names[:3]} for other in names[1001:]]
        document = {
            "format": FORMAT,
            "variables": names,
            "studies": [
                {"name": "a", "variables": names[:1100], "connected": pairs},
                {"name": "b", "variables": names[:3] + names[1000:]},
            ],
            "separated": separations,
        }
        evidence = load(io.StringIO(json.dumps(document)))
        assert len(evidence.variables) == 2000
        assert len(evidence.connected) == 1099
        assert len(evidence.separated) == 999
        assert load(io.StringIO(written(evidence))) == evidence


class TestSources:
    def test_a_path_as_string_or_path(self, tmp_path: Path) -> None:
        path = tmp_path / "evidence.json"
        path.write_text(EXAMPLE)
        assert load(path) == load(str(path)) == EVIDENCE

    def test_open_files_of_text_and_of_bytes(self, tmp_path: Path) -> None:
        path = tmp_path / "evidence.json"
        path.write_text(EXAMPLE)
        with path.open() as text, path.open("rb") as raw:
            assert load(text) == load(raw) == EVIDENCE

    def test_a_byte_order_mark_is_ignored(self) -> None:
        assert load(io.BytesIO(b"\xef\xbb\xbf" + EXAMPLE.encode())) == EVIDENCE
        assert load(io.StringIO("\ufeff" + EXAMPLE)) == EVIDENCE

    def test_standard_input(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(EXAMPLE.encode())))
        assert load("-") == EVIDENCE
        monkeypatch.setattr(sys, "stdin", io.StringIO("[]"))
        with pytest.raises(EvidenceError, match=r"^standard input: expected an evidence file"):
            load("-")

    @pytest.mark.parametrize(
        ("content", "message"),
        [
            (b"", "the file is empty; JSON is expected"),
            (b" \n\t\n", "the file is empty; JSON is expected"),
            (b'{"format":\n "weft-evidence/2",,}', "line 2, column 20: this is not JSON: "),
            (b"X -> Y; Y -> Z", "line 1, column 1: this is not JSON: Expecting value"),
            (EXAMPLE.encode() + b"{}", "line 10, column 1: this is not JSON: Extra data"),
            (
                b'{"format": "weft-evidence/2", "studies": ["\xff"]}',
                "line 1: not UTF-8 text (at byte 43); save the file as UTF-8",
            ),
            (EXAMPLE.encode("utf-16"), "line 1: not UTF-8 text (at byte 0); save the file as UTF-8"),
            (b"[" * 100_000, "this JSON cannot be read: it is nested too deeply"),
            (b"[" + b"9" * 5000 + b"]", "line 1: this JSON cannot be read: a number in it has too many digits"),
            (b"[]", 'expected an evidence file ({"format": "weft-evidence/2", ...}), found a list'),
            (b"null", 'expected an evidence file ({"format": "weft-evidence/2", ...}), found null'),
            (b"3.5", 'expected an evidence file ({"format": "weft-evidence/2", ...}), found the number 3.5'),
            (b'{"mags": 38, "pags": 5}', 'this is not an evidence file: it lacks "format": "weft-evidence/2"'),
            (b'{"format": "weft-result/1"}', "format: expected 'weft-evidence/2', found the string 'weft-result/1'"),
            (b'{"format": 1}', "format: expected 'weft-evidence/2', found the number 1"),
            (b'{"format": "weft-evidence/2"}', "'studies' is missing"),
            (b'{"format": "weft-evidence/2", "studies": []}', "studies: there is no study; give at least one"),
        ],
    )
    def test_files_of_another_kind_are_named(self, tmp_path: Path, content: bytes, message: str) -> None:
        path = tmp_path / "evidence.json"
        path.write_bytes(content)
        with pytest.raises(EvidenceError) as caught:
            load(path)
        assert str(caught.value).startswith(f"{path}: {message}")
        assert "\n" not in str(caught.value)

    def test_text_that_the_stream_cannot_decode(self) -> None:
        with pytest.raises(EvidenceError, match=r"^the stream: line 1: not UTF-8 text"):
            load(io.TextIOWrapper(io.BytesIO(b"\xff\xff"), encoding="utf-8"))

    def test_a_missing_file_a_directory_and_an_impossible_name(self, tmp_path: Path) -> None:
        with pytest.raises(EvidenceError, match=r"nowhere\.json: there is no such file$"):
            load(tmp_path / "nowhere.json")
        with pytest.raises(EvidenceError, match=r"this is a directory; name a file$"):
            load(tmp_path)
        with pytest.raises(EvidenceError, match=r"embedded null byte$"):
            load("a\0b")

    def test_the_name_of_an_open_file_is_told(self, tmp_path: Path) -> None:
        path = tmp_path / "evidence.json"
        path.write_text("[]")
        with path.open() as stream, pytest.raises(EvidenceError) as caught:
            load(stream)
        assert str(caught.value).startswith(f"{path}: expected an evidence file")


class TestMistakes:
    @pytest.mark.parametrize(
        ("path", "value", "message"),
        [
            # who is measured where
            ("separated 0 given", ["Q"], "separated[0].given: 'Q' is not a variable of study 'b'"),
            ("separated 0 given", ["X"], "separated[0].given: 'X' is not a variable of study 'b'"),
            (
                "studies 1 connected 1 pair",
                ["X", "Z"],
                "studies[1].connected[1].pair: 'X' is not a variable of study 'b'",
            ),
            ("relations 0 pair", ["X", "Q"], "relations[0].pair: 'Q' is not a variable of any study"),
            (
                "separated 0 given",
                ["W"],
                "separated[0].given: 'W' is one of the pair and cannot be given",
            ),
            # pairs
            (
                "studies 0 connected 0 pair",
                ["X", "X"],
                "studies[0].connected[0].pair: 'X' is paired with itself; a pair needs two different variables",
            ),
            ("studies 0 connected 0 pair", ["X"], "studies[0].connected[0].pair: expected two names, found 1"),
            ("studies 0 connected 0 pair", [], "studies[0].connected[0].pair: expected two names, found 0"),
            ("relations 0 pair", ["X", "Y", "Z"], "relations[0].pair: expected two names, found 3"),
            (
                "studies 1 connected 2",
                {"pair": ["Z", "Y"]},
                "studies[1].connected[2].pair: Y and Z have a statement in study 'b' already; keep one of the two "
                "(first in studies[1].connected[0])",
            ),
            (
                "separated 1",
                {"pair": ["Y", "W"], "given": ["Z"], "studies": ["b"], "weight": 2},
                "separated[1].pair: W and Y have a statement given Z in study 'b' already; keep one of the two "
                "(first in separated[0])",
            ),
            (
                "dependent 1",
                {"pair": ["Y", "W"], "given": ["Z"], "studies": ["b"]},
                "dependent[1].pair: W and Y are both separated and dependent given Z in study 'b'; "
                "a pair is one or the other (first in separated[0])",
            ),
            (
                "studies 1 apart 1",
                {"pair": ["Z", "W"]},
                "studies[1].apart[1].pair: W and Z are both connected and apart in study 'b'; "
                "a pair is one or the other (first in studies[1].connected[1])",
            ),
            # the studies that took part
            ("separated 0 studies", ["c"], "separated[0].studies: there is no study 'c'; there are 'a', 'b'"),
            ("separated 0 studies", ["b", "b"], "separated[0].studies: 'b' is listed twice"),
            ("separated 0 studies", ["a"], "separated[0].pair: 'W' is not a variable of study 'a'"),
            ("separated 0 studies", "b", "separated[0].studies: expected a list of names, found the string 'b'"),
            ("dependent 0 given", ["X"], "dependent[0].given: no study measured 'W', 'X', 'Y' together"),
            ("dependent 0 pair", ["W", "X"], "dependent[0].pair: no study measured 'W', 'X' together"),
            ("dependent 0 source", "kcit", "dependent[0]: 'test' is another name for 'source'; keep one of the two"),
            ("dependent 0 test", 1, "dependent[0].test: expected text in quotes, found the number 1"),
            (
                "studies 1 separated",
                [],
                "studies[1]: 'separated' stands beside 'studies' in weft-evidence/2, not in a study",
            ),
            (
                "relations 1",
                {"pair": ["Y", "X"], "allowed": ["<-"], "source": "kcdc", "weight": 4.2},
                "relations[1].pair: this relation is stated twice (first in relations[0])",
            ),
            # studies and variables
            (
                "studies 1 name",
                "a",
                "studies[1].name: another study is called 'a' too; give each its own name (first in studies[0])",
            ),
            ("studies 0 name", "", "studies[0].name: the name is empty; give the study one"),
            ("studies 0 variables", ["X", "Y", "X"], "studies[0].variables: 'X' is listed twice"),
            (
                "studies 0 variables",
                ["X", "Y", "Q"],
                "studies[0].variables: 'Q' is missing in the list 'variables' at the top",
            ),
            ("variables", ["W", "X", "Y"], "studies[1].variables: 'Z' is missing in the list 'variables' at the top"),
            (
                "variables",
                ["W", "X", "Y", "Z", "Q"],
                "variables: 'Q' is a variable of no study; leave it out or add it to a study",
            ),
            ("variables", ["W", "X", "Y", "Z", "X"], "variables: 'X' is listed twice"),
            ("separated 0 given", ["Z", "Z"], "separated[0].given: 'Z' is listed twice"),
            ("relations 0 allowed", ["->", "->"], "relations[0].allowed: '->' is listed twice"),
            # structures
            (
                "relations 0 allowed",
                ["->", "=>"],
                "relations[0].allowed: '=>' is not a structure of a pair; there are 'none', '->', '<-', '<->', "
                "'-> & <->', '<- & <->'",
            ),
            ("relations 0 allowed", [], "relations[0].allowed: nothing is allowed; give at least one structure"),
            ("relations 0 allowed", "->", "relations[0].allowed: expected a list of names, found the string '->'"),
            # numbers
            (
                "relations 0 weight",
                float("nan"),
                "relations[0].weight: nan is not a weight; give a finite number, 0 or more, or leave it out",
            ),
            (
                "relations 0 weight",
                float("inf"),
                "relations[0].weight: inf is not a weight; give a finite number, 0 or more, or leave it out",
            ),
            (
                "studies 1 connected 1 weight",
                -1,
                "studies[1].connected[1].weight: -1.0 is not a weight; give a finite number, 0 or more, or leave it ",
            ),
            ("studies 1 connected 1 weight", 10**400, "studies[1].connected[1].weight: the number is too large"),
            ("relations 0 weight", "4", "relations[0].weight: expected a number, found the string '4'"),
            ("relations 0 weight", True, "relations[0].weight: expected a number, found true"),
            ("relations 0 weight", None, "relations[0].weight: expected a number, found null"),
            ("relations 0 weight", [1], "relations[0].weight: expected a number, found a list"),
            (
                "separated 0 p_value",
                1.5,
                "separated[0].p_value: 1.5 is not a p-value; these lie between 0 and 1",
            ),
            (
                "separated 0 p_value",
                float("nan"),
                "separated[0].p_value: nan is not a p-value; these lie between 0 and 1",
            ),
            ("relations 0 rows", 3.0, "relations[0].rows: expected a whole number, found the number 3.0"),
            ("relations 0 rows", False, "relations[0].rows: expected a whole number, found false"),
            ("relations 0 rows", -4, "relations[0].rows: -4 is not a number of rows; give 0 or more"),
            # types
            ("variables", None, "variables: expected a list of names, found null"),
            ("variables", ["W", 3], "variables[1]: expected a name in quotes, found the number 3"),
            ("studies", {"a": ["X", "Y"]}, "studies: expected a list [...], found an object"),
            ("studies 0", ["X", "Y"], "studies[0]: expected an object {...}, found a list"),
            ("studies 0 name", 1, "studies[0].name: expected a name in quotes, found the number 1"),
            ("studies 0 variables", "XY", "studies[0].variables: expected a list of names, found the string 'XY'"),
            ("studies 0 variables", ["X", None], "studies[0].variables[1]: expected a name in quotes, found null"),
            ("studies 0 variables", ["X", ["Y"]], "studies[0].variables[1]: expected a name in quotes, found a list"),
            ("studies 0 connected", None, "studies[0].connected: expected a list [...], found null"),
            (
                "studies 0 connected 0",
                "X Y",
                "studies[0].connected[0]: expected an object {...}, found the string 'X Y'",
            ),
            ("studies 0 connected 0 pair", "XY", "studies[0].connected[0].pair: expected a list of names, found "),
            (
                "studies 0 connected 0 pair",
                {"X": "Y"},
                "studies[0].connected[0].pair: expected a list of names, found ",
            ),
            (
                "studies 0 connected 0 pair",
                ["X", 2],
                "studies[0].connected[0].pair[1]: expected a name in quotes, found ",
            ),
            ("separated 0 given", "Z", "separated[0].given: expected a list of names, found the "),
            (
                "separated 0 given",
                [{}],
                "separated[0].given[0]: expected a name in quotes, found an ",
            ),
            ("relations", {}, "relations: expected a list [...], found an object"),
            ("relations 0 allowed", [None], "relations[0].allowed[0]: expected a name in quotes, found null"),
            ("relations 0 source", 7, "relations[0].source: expected text in quotes, found the number 7"),
            (
                "studies 0 variables",
                ["X", "\ud800"],
                "studies[0].variables[1]: '\\ud800' holds half a character (a lone surrogate)",
            ),
            # keys
            (
                "studies 0 conected",
                [],
                "studies[0]: 'conected' is not a key that can stand here; did you mean 'connected'?",
            ),
            (
                "relations 0 pvalue",
                0.5,
                "relations[0]: 'pvalue' is not a key that can stand here; did you mean 'p_value'?",
            ),
            (
                "studies 0 connected 0 given",
                [],
                "studies[0].connected[0]: 'given' is not a key that can stand here; "
                "there are 'pair', 'weight', 'source', 'test', 'p_value', 'rows'",
            ),
            ("relation", [], "'relation' is not a key that can stand here; did you mean 'relations'?"),
            (
                "separated 1",
                {"pair": ["Y", "Z"]},
                "separated[1]: 'given' is missing (write [] if there is no condition)",
            ),
            ("studies 0 connected 0", {}, "studies[0].connected[0]: 'pair' is missing"),
            ("relations 0", {"pair": ["X", "Y"]}, "relations[0]: 'allowed' is missing"),
            ("studies 0", {"name": "a"}, "studies[0]: 'variables' is missing"),
            # where it comes from
            ("tables", {}, "tables: expected a list [...], found an object"),
            ("tables", [{"name": "a"}], "tables[0]: 'rows' is missing"),
            ("tables", [{"name": "c", "rows": 1}], "tables[0].name: there is no study 'c'; there are 'a', 'b'"),
            ("tables", [{"name": "a", "rows": 1}] * 2, "tables[1].name: study 'a' has a table already; keep one"),
            ("tables", [{"name": "a", "rows": -1}], "tables[0].rows: -1 is not a number of rows; give 0 or more"),
            ("tables", [{"name": "a", "rows": 1.5}], "tables[0].rows: expected a whole number, found the number 1.5"),
            ("tables", [{"name": "a", "rows": 1, "set": ["Z"]}], "tables[0].set: 'Z' is not a variable of study 'a'"),
            (
                "tables",
                [{"name": "a", "rows": 1, "kinds": {"Z": "binary"}}],
                "tables[0].kinds: 'Z' is not a variable of study 'a'",
            ),
            (
                "tables",
                [{"name": "a", "rows": 1, "kinds": {"X": 1}}],
                "tables[0].kinds.X: expected a kind in quotes, found the number 1",
            ),
            (
                "tables",
                [{"name": "a", "rows": 1, "kinds": []}],
                "tables[0].kinds: expected an object {...}, found a list",
            ),
            ("warnings", ["a", 1], "warnings[1]: expected text in quotes, found the number 1"),
            ("settings", [], "settings: expected an object {...}, found a list"),
        ],
    )
    def test_each_is_named_with_its_place(self, path: str, value: object, message: str) -> None:
        assert error_of(changed(path, value)).startswith(message)

    def test_studies_that_do_not_overlap(self) -> None:
        document = {
            "format": FORMAT,
            "studies": [{"name": "a", "variables": ["X", "Y"]}, {"name": "b", "variables": ["x", "Z"]}],
        }
        assert error_of(document) == (
            "studies[1].variables: no variable is shared with study 'a' or with a study linked to it; studies must "
            "overlap (check the spelling of the variables, or solve the parts apart)"
        )

    def test_a_study_of_one_variable(self) -> None:
        document = {"format": FORMAT, "studies": [{"name": "a", "variables": ["X"]}]}
        assert error_of(document).startswith("studies[0].variables: a study of fewer than two variables")

    @pytest.mark.parametrize(
        ("place", "message"),
        [
            ('{"format": ', "line 2: the key 'format' appears twice; keep one of the two"),
            ('{"name": "b", ', "line 4: the key 'name' appears twice; keep one of the two"),
            ('{"pair": ["W","Z"], ', "line 5: the key 'pair' appears twice; keep one of the two"),
        ],
    )
    def test_a_key_that_stands_twice(self, place: str, message: str) -> None:
        key = place[1:].split(":")[0]
        text = EXAMPLE.replace(place, f'{{{key}: "weft-evidence/2", {place[1:]}', 1)
        assert text != EXAMPLE
        with pytest.raises(EvidenceError) as caught:
            load(io.StringIO(text))
        assert str(caught.value) == message

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("NaN", "line 9: NaN is not a number in JSON"),
            ("-Infinity", "line 9: -Infinity is not a number in JSON"),
            ("1e999", "relations[0].weight: inf is not a weight"),
        ],
    )
    def test_nan_and_infinity_in_a_file(self, text: str, message: str) -> None:
        with pytest.raises(EvidenceError) as caught:
            load(io.StringIO(EXAMPLE.replace("4.2", text)))
        assert str(caught.value).startswith(message)

    def test_many_names_of_which_one_is_repeated(self) -> None:
        names = [f"v{i}" for i in range(200_000)]
        document = {"format": "weft-evidence/2", "variables": [*names, "v77"], "studies": []}
        assert error_of(document) == "variables: 'v77' is listed twice"
        study = {"name": "a", "variables": [*names, "v99"]}
        assert error_of({"format": "weft-evidence/2", "studies": [study]}).endswith("'v99' is listed twice")

    def test_more_variables_than_a_graph_can_have(self) -> None:
        study = {"name": "a", "variables": [f"v{i}" for i in range(100_000)]}
        message = error_of({"format": "weft-evidence/2", "studies": [study]})
        assert message.startswith("studies[0].variables: 100,000 variables are too many; weft takes at most 5,000")
        halves = [{"name": str(i), "variables": ["x", *(f"{i} {j}" for j in range(3_000))]} for i in range(2)]
        assert error_of({"format": "weft-evidence/2", "studies": halves}).startswith("studies: 6,001 variables are too")

    def test_a_long_value_is_shortened(self) -> None:
        assert len(error_of(changed("relations 0 weight", "x" * 10_000))) < 150
        assert "x" * 60 not in error_of(changed("x" * 10_000, 1))


class TestWriting:
    def test_layout(self) -> None:
        assert written(EVIDENCE) == WRITTEN

    def test_where_it_comes_from(self) -> None:
        known = replace(
            EVIDENCE,
            settings={"independence": "kcit", "alpha": 0.01, "max_given": None, "sufficient": False},
            tables=(Table("a", 9, {"X": "ordinal", "Y": "binary"}, "ab", ("X",)), Table("b", 0)),
            warnings=("größer", "a test was left out"),
        )
        text = written(known)
        assert text.startswith(WRITTEN.removesuffix("}\n"))
        assert text.splitlines()[-10:] == [
            " ],",
            ' "settings": {"independence": "kcit", "alpha": 0.01, "max_given": null, "sufficient": false},',
            ' "tables": [',
            '  {"name": "a", "rows": 9, "kinds": {"X": "ordinal", "Y": "binary"}, "fingerprint": "ab", "set": ["X"]},',
            '  {"name": "b", "rows": 0}',
            " ],",
            ' "warnings": [',
            '  "größer",',
            '  "a test was left out"',
            " ]}",
        ]
        found = load(io.StringIO(text))
        assert (found.settings, found.tables, found.warnings) == (known.settings, known.tables, known.warnings)
        assert found == known == EVIDENCE  # it changes nothing of what is said

    def test_the_document_is_what_the_file_holds(self) -> None:
        assert json.loads(WRITTEN) == to_document(EVIDENCE)

    def test_to_a_path_as_utf_8_whatever_the_locale(self, tmp_path: Path) -> None:
        evidence = Evidence((Scope("größe", ("体重", "x")),), (Connected("größe", "x", "体重"),))
        dump(evidence, tmp_path / "e.json")
        assert "größe" in (tmp_path / "e.json").read_text(encoding="utf-8")
        assert b"\r" not in (tmp_path / "e.json").read_bytes()
        assert load(str(tmp_path / "e.json")) == evidence

    def test_to_a_stream_that_knows_ascii_only(self) -> None:
        evidence = Evidence((Scope("größe", ("体重", "x")),), (Connected("größe", "x", "体重"),))
        raw = io.BytesIO()
        stream = io.TextIOWrapper(raw, encoding="ascii")
        dump(evidence, stream)
        stream.flush()
        assert load(io.BytesIO(raw.getvalue())) == evidence

    def test_a_path_that_cannot_be_written(self, tmp_path: Path) -> None:
        with pytest.raises(EvidenceError, match=r"this is a directory; name a file$"):
            dump(EVIDENCE, tmp_path)
        with pytest.raises(EvidenceError, match=r"there is no such directory to write to$"):
            dump(EVIDENCE, tmp_path / "none" / "e.json")

    def test_numbers_of_other_libraries(self) -> None:
        import numpy

        provenance = Provenance(p_value=numpy.float32(0.5), rows=numpy.int64(3))  # type: ignore[arg-type]
        statement = Connected("a", "X", "Y", numpy.float64(2.5), provenance)
        assert '"p_value": 0.5, "rows": 3, "weight": 2.5' in written(Evidence((Scope("a", ("X", "Y")),), (statement,)))


# -- properties --------------------------------------------------------------------------------------------------------

NAMES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=5)
PROVENANCES = st.builds(
    Provenance,
    st.none() | st.text(st.characters(exclude_categories=["Cs"])),
    st.none() | st.floats(0, 1),
    st.none() | st.integers(0, 10**12),
)
WEIGHTS = st.none() | st.floats(0, allow_infinity=False, allow_nan=False)
ALLOWED = st.frozensets(st.sampled_from(list(Structure)), min_size=1)


@st.composite
def evidences(draw: st.DrawFn) -> Evidence:
    variables = draw(st.lists(NAMES, min_size=2, max_size=4, unique=True))
    names = draw(st.lists(NAMES, min_size=1, max_size=3, unique=True))
    rest = st.lists(st.sampled_from(variables[1:]), min_size=1, unique=True)
    studies = [Scope(name, (variables[0], *draw(rest))) for name in names]
    statements: list[Statement] = []
    for study in studies:
        for x, y in itertools.combinations(study.variables, 2):
            others = [name for name in study.variables if name not in (x, y)]
            if in_study := draw(st.sampled_from((Connected, Apart, None))):
                statements.append(in_study(study.name, x, y, draw(WEIGHTS), draw(PROVENANCES)))
            if of_set := draw(st.sampled_from((Separated, Dependent, None))):
                given = draw(st.frozensets(st.sampled_from(others))) if others else frozenset()
                took_part = [one.name for one in studies if {x, y, *given} <= {*one.variables}]
                named = tuple(draw(st.lists(st.sampled_from(took_part), unique=True)))
                statements.append(of_set(x, y, given, named, draw(WEIGHTS), draw(PROVENANCES)))
    measured = sorted({name for study in studies for name in study.variables})
    pairs = st.lists(st.sampled_from(measured), min_size=2, max_size=2, unique=True)
    relations = st.builds(lambda pair, *more: Relation(*pair, *more), pairs, ALLOWED, WEIGHTS, PROVENANCES)
    statements += draw(st.lists(relations, max_size=3, unique=True))
    return Evidence(tuple(studies), tuple(draw(st.permutations(said_once(statements)))))


@given(evidences())
def test_a_document_reads_back_as_the_same_evidence(evidence: Evidence) -> None:
    assert parse_document(to_document(evidence)) == evidence


@given(evidences())
def test_a_file_reads_back_as_the_same_evidence_and_is_written_the_same_again(evidence: Evidence) -> None:
    text = written(evidence)
    assert load(io.StringIO(text)) == evidence
    assert written(load(io.BytesIO(text.encode()))) == text


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=3) | st.sampled_from(["X", "Y", "->"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["pair", "given", "allowed", "weight", "rows", "name", "variables", "kinds", "set", "q"]),
            inner,
        )
    ),
    max_leaves=8,
)
PLACES = st.sampled_from(
    [
        "format",
        "variables",
        "variables 1",
        "studies",
        "studies 0",
        "studies 0 name",
        "studies 0 variables",
        "studies 1 connected",
        "studies 1 connected 0",
        "separated 0",
        "separated 0 pair",
        "separated 0 given",
        "separated 0 given 0",
        "separated 0 rows",
        "separated 0 studies",
        "studies 1 apart 0",
        "dependent 0",
        "relations",
        "relations 0",
        "relations 0 allowed",
        "relations 0 weight",
        "settings",
        "tables",
        "warnings",
        "anything",
    ]
)


@given(PLACES, JSON)
def test_whatever_stands_anywhere_is_read_or_refused_in_one_line(path: str, value: object) -> None:
    document = changed(path, value)
    message, evidence = "", None
    try:
        evidence = parse_document(document)
    except EvidenceError as error:
        message = str(error)
    assert (evidence is None) == bool(message)
    assert "\n" not in message
    assert evidence is None or parse_document(to_document(evidence)) == evidence


@given(st.text(max_size=30) | st.text(alphabet='{}[]":,0nulltrue \n', max_size=40))
def test_any_text_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(EvidenceError) as caught:
        load(io.StringIO(text))
    assert "\n" not in str(caught.value)
