"""The result file: the same for the same tables, the same when read back, and refused if it was changed."""

from __future__ import annotations

import json
import os
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import weft
from tests.end_to_end.running import (
    CHAIN,
    CHAIN_SPLIT,
    LOOSE,
    LOOSELY,
    complaint,
    conflicting,
    content,
    discover,
    drawn,
    run,
    write_studies,
)
from weft import Knowledge, SolutionSet
from weft.solutions.result_file import _KEYS, ResultError, _checksum, save_result

Document = dict[str, Any]


def solved(knowledge: Knowledge | None = None, **settings: Any) -> SolutionSet:
    studies = drawn(CHAIN, CHAIN_SPLIT, seed=2)
    return weft.discover(studies, knowledge, **{"independence": "fisher-z", "orientation": "lingam"} | settings)


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("made") / "result.json"
    solved(method="iod", bootstrap=2).save(path)
    return path.read_text(encoding="utf-8")


# -- the same, again and again ---------------------------------------------------------------------------------------


def test_two_runs_give_the_same_file(tmp_path: Path) -> None:
    files = write_studies(tmp_path, conflicting())
    common = [*files, *LOOSELY, "--bootstrap", "2"]
    ways: list[tuple[list[str], int]] = [
        ([], 1),  # fills the cache
        ([], 1),  # finds everything in it
        (["--no-cache"], 1),
        (["--no-cache"], 2),
        (["--cache", str(tmp_path / "other.sqlite")], 2),
    ]
    made = []
    for number, (options, jobs) in enumerate(ways):
        path = tmp_path / f"{number}.json"
        assert discover(*common, *options, "-o", path, jobs=jobs).exit_code == 0
        made.append(content(path))
    assert made[0]["repair"]["cost"] > 0
    assert made[0]["bootstrap"]["runs"] == 2
    for other in made[1:]:
        assert other == made[0]


@pytest.mark.parametrize(
    ("knowledge", "settings"),
    [
        (None, {"method": "iod"}),
        (None, {"method": "iod", "limit": 5}),
        (None, {"method": "iod-bcd", "slack": 3.0}),
        (None, {"method": "iod", "selection": True}),
        (None, {"bootstrap": 2}),
        (Knowledge.of("D causes A (weight 0.5)", "tiers: A < B, C", "nothing causes A"), {}),
        (Knowledge.of("the structure of A and B is none or <->"), {"method": "iod"}),
        (Knowledge.of(randomised={"study2": ["B"]}), {}),
    ],
)
def test_a_result_read_back_is_the_same(tmp_path: Path, knowledge: Knowledge | None, settings: dict[str, Any]) -> None:
    original = solved(knowledge, **settings)
    original.save(tmp_path / "first.json")
    loaded = weft.load_result(tmp_path / "first.json")
    loaded.save(tmp_path / "second.json")
    assert (tmp_path / "second.json").read_bytes() == (tmp_path / "first.json").read_bytes()
    assert (loaded.count(), loaded.complete) == (original.count(), original.complete)
    assert loaded.summary() == original.summary()
    assert loaded.repair() == original.repair()
    assert loaded.bootstrap == original.bootstrap
    assert loaded.origin == original.origin
    assert loaded.evidence == original.evidence
    for claim in ("A -> B", "not A causes D", "B and C are confounded"):
        narrower, same = loaded.assume(claim), original.assume(claim)
        assert (narrower.count(), narrower.summary()) == (same.count(), same.summary())


def test_a_repaired_result_read_back_is_the_same(tmp_path: Path) -> None:
    original = weft.discover(conflicting(), independence="fisher-z", method="iod", **LOOSE)
    original.assume("not A and E are adjacent").save(tmp_path / "first.json")
    loaded = weft.load_result(tmp_path / "first.json")
    loaded.save(tmp_path / "second.json")
    assert (tmp_path / "second.json").read_bytes() == (tmp_path / "first.json").read_bytes()
    assert loaded.repair() == original.repair()
    assert 0 < loaded.exact_count() < original.exact_count()
    assert loaded.other_repair() == original.assume("not A and E are adjacent").other_repair()


def test_an_answer_of_perfect_tests_can_be_saved(tmp_path: Path) -> None:
    solutions = weft.solve(weft.oracle("Y -> X; Y <-> Z", [["X", "Y"], ["Y", "Z"]]))
    solutions.save(tmp_path / "r.json")
    loaded = weft.load_result(tmp_path / "r.json")
    assert (loaded.count(), loaded.conflicts, loaded.repair()) == (2, "hard", None)


# -- where it goes ---------------------------------------------------------------------------------------------------


def test_where_a_result_goes(tmp_path: Path) -> None:
    solutions = weft.solve(weft.oracle("X -> Y", [["X", "Y"], ["X", "Y"]]))
    real, link, long = tmp_path / "real.json", tmp_path / "link.json", tmp_path / ("n" * 250)
    real.write_text("before", encoding="utf-8")
    link.symlink_to(real)
    for path in (link, long):
        solutions.save(path)
        assert weft.load_result(path).count() == solutions.count()
    assert link.is_symlink()
    assert json.loads(real.read_text(encoding="utf-8"))["format"] == "weft-result/3"
    for wrong, said in ((tmp_path, "directory"), ("", "directory"), (tmp_path / "no" / "r.json", "no such directory")):
        with pytest.raises(ResultError, match=said):
            solutions.save(wrong)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(["real.json", "link.json", long.name])


def test_a_pipe_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    import threading

    pipe, heard = tmp_path / "pipe", []
    os.mkfifo(pipe)
    listener = threading.Thread(target=lambda: heard.append(pipe.read_bytes()))
    listener.start()
    weft.solve(weft.oracle("X -> Y", [["X", "Y"], ["X", "Y"]])).save(pipe)
    listener.join(10)
    assert pipe.is_fifo()
    assert json.loads(heard[0])["format"] == "weft-result/3"


def test_an_old_result_stays_if_the_new_one_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    path = tmp_path / "r.json"
    path.write_text(text, encoding="utf-8")
    solutions = weft.load_result(path)

    def full(self: Path, content: bytes) -> int:
        with self.open("wb") as file:
            file.write(content[:100])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(ResultError, match=re.escape(f"{path}: no space left on device")):
        save_result(solutions, path)
    monkeypatch.undo()
    assert path.read_text(encoding="utf-8") == text
    assert [one.name for one in tmp_path.iterdir()] == ["r.json"]


# -- changed by hand -------------------------------------------------------------------------------------------------


def refusal(path: Path) -> str:
    """What is said of a bad file, in one line that names it; the same for Python and every command that reads it."""
    with pytest.raises(ResultError) as caught:
        weft.load_result(path)
    said = str(caught.value)
    assert said.startswith(f"{path}: ")
    assert "\n" not in said
    assert len(said) < 500
    return said


def changed(text: str, change: Callable[[Document], object]) -> str:
    document: Document = json.loads(text)
    change(document)
    return json.dumps(document)


@pytest.mark.parametrize(
    "change",
    [
        lambda d: d["answer"].update(mags=7),
        lambda d: d["evidence"]["studies"][0]["connected"][0].update(p_value=0.5),
        lambda d: d["claims"][0]["bootstrap"].update(all=0.123),
        lambda d: d["question"].update(method="iod-bcd"),
        lambda d: d.update(more=1),
        lambda d: d["answer"].update(more=1),
        lambda d: d["tables"].pop(),
        lambda d: d["repair"].pop("cost"),
        lambda d: d.update(warnings=["all is well"]),
        lambda d: d.update(checksum="0" * 64),
        lambda d: d.update(checksum=None),
        lambda d: d["answer"].update(mags=10**4000),
        lambda d: d.update(seconds=None),
        lambda d: d["seconds"].update(evidence="long"),
        lambda d: d["seconds"].update(evidence=-1),
        lambda d: d["seconds"].update(evidence=10**400),
    ],
)
def test_a_change_by_hand_is_seen(tmp_path: Path, text: str, change: Callable[[Document], object]) -> None:
    path = tmp_path / "r.json"
    path.write_text(changed(text, change), encoding="utf-8")
    assert "it was changed after weft wrote it (its checksum does not fit); make it again" in refusal(path)


def test_another_layout_is_no_change(tmp_path: Path, text: str) -> None:
    path = tmp_path / "r.json"
    path.write_text(json.dumps(json.loads(text), sort_keys=True, ensure_ascii=True), encoding="utf-8")
    assert weft.load_result(path).exact_count() > 0
    path.write_text(changed(text, lambda d: d["seconds"].update(evidence=99)), encoding="utf-8")
    assert weft.load_result(path).exact_count() > 0


@pytest.mark.parametrize("key", [key for key in _KEYS if key != "format"])
def test_a_key_that_is_gone_is_named(tmp_path: Path, text: str, key: str) -> None:
    path = tmp_path / "r.json"
    path.write_text(changed(text, lambda d: d.pop(key)), encoding="utf-8")
    assert f'it lacks "{key}"; it was changed' in refusal(path)


@pytest.mark.parametrize(
    ("spoiled", "said"),
    [
        (b"", "the file is empty"),
        (b"this is no JSON", "not JSON"),
        (b"[1, 2]", 'it lacks "format"'),
        (b"null", 'it lacks "format"'),
        (b'{"format": "weft-result/1"}', 'it lacks "format": "weft-result/3"'),
        (b'{"format": ["weft-result/3"]}', 'it lacks "format": "weft-result/3"'),
        (b'{"format": "weft-evidence/1", "studies": []}', "weft solve reads evidence"),
        (b'{"format": "weft-result/3", "format": "weft-result/3"}', "line 1: the key 'format' appears twice"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"format": ' + b"9" * 5000 + b"}", "line 1: this JSON cannot be read: a number in it has too many digits"),
        (b'{"format": "weft-result/3",\n "checksum": NaN}', "line 2: NaN is not a number in JSON"),
        (b"\xff\xfe\x00\x01", "not a result file"),
        (b'{"format": "weft-result/3"', "not all of it is there"),
    ],
)
def test_what_is_no_result(tmp_path: Path, spoiled: bytes, said: str) -> None:
    path = tmp_path / "r.json"
    path.write_bytes(spoiled)
    assert said in refusal(path)


def test_nested_as_deeply_as_can_just_be_read(tmp_path: Path, text: str) -> None:
    path = tmp_path / "r.json"
    for depth in (*range(600, 1100, 7), 5000):
        document = text.replace('"warnings": [', f'"warnings": [{"[" * depth}{"]" * depth}', 1)
        path.write_text(document, encoding="utf-8")
        assert "make it again with weft discover" in refusal(path)


def test_a_file_that_was_cut_short(tmp_path: Path, text: str) -> None:
    path, draw = tmp_path / "r.json", random.Random(0)
    whole = text.encode()
    for end in {1, 2, len(whole) - 3, *(draw.randrange(len(whole) - 2) for _ in range(60))}:
        path.write_bytes(whole[:end])
        refusal(path)
    path.write_bytes(whole[:-1])  # the new line at the end
    assert weft.load_result(path).exact_count() > 0


def test_a_file_in_which_a_byte_changed(tmp_path: Path, text: str) -> None:
    path, draw = tmp_path / "r.json", random.Random(1)
    whole = text.encode()
    seconds = whole.rindex(b'"seconds"')
    for place in (draw.randrange(seconds) for _ in range(150)):
        if whole[place : place + 1].isspace():
            continue
        spoiled = bytearray(whole)
        spoiled[place] = ord("8") if spoiled[place] != ord("8") else ord("3")
        if _reads_alike(spoiled, whole):  # the last digit of a number may be one too many to matter
            continue
        path.write_bytes(spoiled)
        refusal(path)


def _reads_alike(one: bytes | bytearray, other: bytes) -> bool:
    try:
        return bool(json.loads(one) == json.loads(other))
    except ValueError:
        return False


def test_a_patient_forger_gets_one_line_too(tmp_path: Path, text: str) -> None:
    """Whatever stands in a file whose checksum is right: an answer, or one line."""
    path, draw = tmp_path / "r.json", random.Random(2)
    values: list[Any] = [None, True, -1, 0.5, 10**400, "", "X -> Y", [], {}, [[]], {"a": 1}]
    refused: list[str] = []
    for _ in range(150):
        document: Document = json.loads(text)
        place: Any = document
        while isinstance(place, dict | list) and place:
            keys = (
                [key for key in place if key not in ("format", "checksum", "seconds")]
                if isinstance(place, dict)
                else range(len(place))
            )
            key = draw.choice(list(keys))
            if not isinstance(place[key], dict | list) or draw.random() < 0.3:
                place[key] = draw.choice(values)
                break
            place = place[key]
        document["checksum"] = _checksum(document)
        path.write_text(json.dumps(document), encoding="utf-8")
        try:
            weft.load_result(path)
        except ResultError as error:
            refused.append(str(error))
    assert len(refused) > 20
    assert all(said.startswith(f"{path}: ") and "\n" not in said for said in refused)


def test_a_directory_and_no_file(tmp_path: Path) -> None:
    assert "this is a directory; name a file" in refusal(tmp_path)
    assert "there is no such file" in refusal(tmp_path / "none.json")


@pytest.mark.parametrize("command", [["explain", "FILE", "A -> B"], ["suggest", "FILE"]])
def test_commands_refuse_it_in_one_line(tmp_path: Path, text: str, command: list[str]) -> None:
    from weft.cli import main

    if command[0] not in main.commands:
        pytest.skip(f"there is no weft {command[0]}")
    path = tmp_path / "r.json"
    path.write_text(text, encoding="utf-8")
    arguments = [str(path) if part == "FILE" else part for part in command]
    assert run(*arguments).exit_code == 0
    for spoiled in (text[:500], changed(text, lambda d: d["answer"].update(mags=7)), "", "[" * 100_000):
        path.write_text(spoiled, encoding="utf-8")
        assert complaint(run(*arguments)) == refusal(path)


def test_an_evidence_file_is_told_from_a_result(tmp_path: Path) -> None:
    weft.dump_evidence(weft.oracle("X -> Y", [["X", "Y"]]), tmp_path / "e.json")
    assert "weft solve reads evidence" in refusal(tmp_path / "e.json")
    weft.solve(weft.oracle("X -> Y", [["X", "Y"]])).save(tmp_path / "r.json")
    again = run("solve", tmp_path / "r.json", "--assume", "not Y causes X")  # a result may be asked on
    assert (again.exit_code, "X causes Y" in again.stdout) == (0, True)
    assert "is a result, with knowledge and repair of its own" in complaint(
        run("solve", tmp_path / "r.json", "--repair")
    )
