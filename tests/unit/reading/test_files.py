"""Files and streams: their content, what they are called, and one wording for what goes wrong."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest

import weft
from weft.errors import WeftError
from weft.reading.arguments import ArgumentError
from weft.reading.files import label_of, read, text_of, why_not_written

READERS: list[Callable[[Path], object]] = [
    weft.load_evidence,
    weft.load_result,
    weft.read_graph,
    weft.Knowledge.read,
    weft.Study.read,
]


@pytest.mark.parametrize("reader", READERS)
def test_every_reader_says_the_same_of_what_is_no_file(reader: Callable[[Path], object], tmp_path: Path) -> None:
    def said(path: Path) -> str:
        with pytest.raises(WeftError) as caught:
            reader(path)
        return str(caught.value)

    assert said(tmp_path) == f"{tmp_path}: this is a directory; name a file"
    assert said(tmp_path / "none.json") == f"{tmp_path / 'none.json'}: there is no such file"
    assert said(tmp_path / "esc\x1b[31m.json") == rf"{tmp_path}/esc\u001b[31m.json: there is no such file"


def test_a_file_that_may_be_meant(tmp_path: Path) -> None:
    (tmp_path / "cohort.tsv").write_text("a")
    with pytest.raises(WeftError, match=r"cohrt\.tsv: there is no such file; did you mean 'cohort\.tsv'\?$"):
        read(tmp_path / "cohrt.tsv", WeftError)
    with pytest.raises(WeftError, match=r"there is no such file$"):
        read(tmp_path / "nowhere" / "cohrt.tsv", WeftError)


def test_what_is_no_place_at_all() -> None:
    with pytest.raises(ArgumentError, match="None is no file; give a path, or a file that is open"):
        read(None, WeftError)  # type: ignore[arg-type]


def test_streams(tmp_path: Path) -> None:
    assert read(io.BytesIO(b"a"), WeftError) == b"a"
    assert label_of(io.StringIO()) == ""
    assert label_of("") == "''"
    with (tmp_path / "a.txt").open("wb") as file, pytest.raises(WeftError, match=r"a\.txt: "):
        read(file, WeftError)


def test_text() -> None:
    assert text_of("\ufeffé".encode(), WeftError) == "é"
    with pytest.raises(WeftError, match=r"^line 2: not UTF-8 text \(at byte 2\)"):
        text_of(b"a\n\xff", WeftError)


def test_why_not_written() -> None:
    assert why_not_written(FileNotFoundError(2, "x")) == "there is no such directory to write to"
    assert why_not_written(IsADirectoryError(21, "x")) == "this is a directory; name a file"
    assert why_not_written(PermissionError(13, "Permission denied")) == "permission denied"
