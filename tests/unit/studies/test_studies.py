"""Studies: what is read is what stood there, wherever it stood; and what cannot be used is named in one line.

Covers ``study.py``, ``build.py``, ``checks.py``, ``files.py``, ``frames.py``, ``kinds.py`` and ``source.py``.
"""

from __future__ import annotations

import csv
import datetime
import io
import math
from collections.abc import Callable, Mapping
from decimal import Decimal
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from tests.support.examples import examples
from weft.errors import StudyError
from weft.studies import MINIMUM_ROWS, Column, Kind, Study, check_studies, usable

pa: Any = import_module("pyarrow")  # no type information
pq: Any = import_module("pyarrow.parquet")

ROWS = 40
RNG = np.random.default_rng(7)
X, Y = RNG.normal(size=ROWS).tolist(), RNG.normal(size=ROWS).tolist()
TABLE: dict[str, list[Any]] = {"x": X, "y": Y}


def lines(**columns: list[Any]) -> str:
    """CSV text of these columns."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(zip(*columns.values(), strict=True))
    return text.getvalue()


def written(folder: Path, content: str | bytes, name: str = "a.csv") -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def refusal(call: Callable[[], object]) -> str:
    """What it is refused with, a line for each thing that is wrong."""
    with pytest.raises(StudyError) as caught:
        call()
    message = str(caught.value)
    assert message.strip() == message
    assert len(message.splitlines()) == len(caught.value.each)
    return message


def answer(call: Callable[[], Study]) -> Study | str:
    """The study, or the one line with which it is refused."""
    try:
        return call()
    except StudyError:
        return refusal(call)


def replaced(values: list[Any], row: int, value: Any) -> list[Any]:
    return [*values[:row], value, *values[row + 1 :]]


# -- bad files -------------------------------------------------------------------------------------------------------

GOOD = lines(x=X, y=Y, z=[i % 4 for i in range(ROWS)])
BAD_FILES: dict[str, tuple[str | bytes, tuple[str, ...]]] = {
    "empty": (b"", ("empty", "0 bytes")),
    "blank": ("\n\n  \n", ("no text",)),
    "only line ends": ("\n\n\n", ("no text",)),
    "header only": ("x,y\n", ("a header and no rows",)),
    "no header": ("\n".join(f"{a},{b}" for a, b in zip(X, Y, strict=True)), ("line 1", "header")),
    "ten rows": (lines(x=X[:10], y=Y[:10]), ("10 rows", str(MINIMUM_ROWS))),
    "one column": (lines(x=X), ("one column", "at least two")),
    "cut short": (GOOD.rstrip("\n").rpartition(",")[0], ("line 41", "2 fields where the header has 3")),
    "a field too many": (GOOD.replace("\n", "\n1,2,3,4\n", 1), ("line 2", "4 fields")),
    "quote never closed": (GOOD.replace("\n", '\n"', 1), ("line 2", "never closed")),
    "text after a quote": (GOOD.replace("\n", '\n"1"2,', 1), ("line 2", "quotes")),
    "zero bytes": (GOOD.replace("\n", "\n\0", 1), ("line 2", "zero byte")),
    "damaged archive": (b"PK\x03\x04rest", ("unpacked", "pack it again")),
    "damaged gzip": (b"\x1f\x8brest", ("unpacked", "pack it again")),
    "damaged old workbook": (b"\xd0\xcf\x11\xe0rest", ("Excel", "save it again")),
    "damaged database": (b"SQLite format 3\x00rest", ("SQLite", "save it again")),
    "duplicate header": (GOOD.replace("z", "x", 1), ("columns 1 and 3", "'x'")),
    "duplicate but for blanks": (GOOD.replace("z", " x ", 1), ("columns 1 and 3", "'x '", "blanks")),
    "no name": (GOOD.replace("x", "", 1), ("column 1 has no name", "drop=['']")),
    "all missing": (lines(x=X, y=["NA"] * ROWS), ("column 'y'", "every value is missing", "drop=['y']")),
    "all empty": (lines(x=X, y=[""] * ROWS), ("column 'y'", "every value is missing")),
    "nearly all missing": (lines(x=X, y=[*Y[:5], *[""] * (ROWS - 5)]), ("column 'y'", "only 5 values")),
    "text in numbers": (lines(x=X, y=replaced(Y, 7, "abc")), ("column 'y', line 9", "'abc'", "kinds={'y'", "missing=")),
    "underscore": (lines(x=X, y=replaced(Y, 7, "1_000")), ("column 'y', line 9", "'1_000'")),
    "decimal comma": (lines(x=X, y=replaced(Y, 7, "1,5")), ("line 9", "'1,5'", "decimal=','")),
    "infinite": (lines(x=X, y=replaced(Y, 7, "-inf")), ("column 'y', line 9", "'-inf'", "finite", "drop=['y']")),
    "too large": (lines(x=X, y=replaced(Y, 7, "1e999")), ("column 'y', line 9", "'1e999'")),
    "identifiers": (
        lines(x=X, y=Y, who=[f"p{i}" for i in range(ROWS)]),
        ("column 'who'", "40 different texts", "drop="),
    ),
    "dates": (
        lines(x=X, when=[f"2020-01-{1 + i % 28:02}" for i in range(ROWS)]),
        ("column 'when'", "holds dates or times, such as '2020-01-01'", "drop=['when']"),
    ),
}


@pytest.mark.parametrize("case", BAD_FILES)
def test_a_bad_file_is_refused_in_one_line(case: str, tmp_path: Path) -> None:
    content, parts = BAD_FILES[case]
    path = written(tmp_path, content)
    message = refusal(lambda: Study.read(path))
    assert message.startswith(f"{path}: ")
    for part in parts:
        assert part in message


def test_paths_that_are_no_files(tmp_path: Path) -> None:
    assert "no such file" in refusal(lambda: Study.read(tmp_path / "none.csv"))
    assert refusal(lambda: Study.read(tmp_path)) == f"{tmp_path}: this is a directory; name a file"
    assert refusal(lambda: Study.read("a\0b.csv")) == r"a\u0000b.csv: embedded null byte"
    assert "no such file" in refusal(lambda: Study.read(tmp_path / "two\nlines.csv"))


def parquet_of(table: dict[str, list[Any]]) -> bytes:
    buffer = io.BytesIO()
    pq.write_table(pa.table(table), buffer)
    return buffer.getvalue()


@pytest.mark.parametrize(
    "content",
    [b"", b"x,y\n1,2\n", b"PAR1", b"PAR1PAR1", b"PAR1" + bytes(50) + b"PAR1", parquet_of(TABLE)[:-20]],
)
def test_bad_parquet(content: bytes, tmp_path: Path) -> None:
    path = written(tmp_path, content, "a.parquet")
    assert refusal(lambda: Study.read(path)).startswith(f"{path}: ")


@examples(60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_a_damaged_parquet_file_is_read_or_refused(tmp_path: Path, data: st.DataObject) -> None:
    content = bytearray(parquet_of(TABLE))
    for _ in range(data.draw(st.integers(1, 8))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    path = written(tmp_path, bytes(content), "damaged.parquet")
    found = answer(lambda: Study.read(path))
    assert found.rows >= MINIMUM_ROWS if isinstance(found, Study) else found.startswith(f"{path}: ")


@examples(100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.one_of(st.binary(max_size=200), st.text(alphabet=' ",;\t\n\r0123abc.é-', max_size=200).map(str.encode)))
def test_any_bytes_are_read_or_refused(tmp_path: Path, content: bytes) -> None:
    path = written(tmp_path, content)
    assert refusal(lambda: Study.read(path)).startswith(f"{path}: ")  # too few rows for anything else


@examples(100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_a_damaged_csv_file_is_read_or_refused(tmp_path: Path, data: st.DataObject) -> None:
    content = bytearray(GOOD.encode())
    for _ in range(data.draw(st.integers(1, 5))):
        place = data.draw(st.integers(0, len(content) - 1))
        content[place : place + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
    path = written(tmp_path, bytes(content), "damaged.csv")
    found = answer(lambda: Study.read(path))
    assert found.rows >= MINIMUM_ROWS if isinstance(found, Study) else found.startswith(f"{path}: ")


def test_parquet_without_a_reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr("weft.studies.formats.import_module", nothing)
    path = written(tmp_path, parquet_of(TABLE), "a.parquet")
    assert "pip install 'weft[parquet]'" in refusal(lambda: Study.read(path))


def test_parquet_through_polars(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def without_pyarrow(name: str) -> Any:
        if name.startswith("pyarrow"):
            raise ImportError(name)
        return import_module(name)

    path = written(tmp_path, parquet_of(TABLE), "a.parquet")
    through_pyarrow = Study.read(path).fingerprint
    monkeypatch.setattr("weft.studies.formats.import_module", without_pyarrow)
    assert Study.read(path).fingerprint == through_pyarrow


# -- odd files that are fine -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "content",
    [
        GOOD,
        "\ufeff" + GOOD,
        GOOD.replace("\n", "\r\n"),
        GOOD.replace("\n", "\r"),
        GOOD.replace("\n", "\n\n"),
        GOOD.replace(",", " , "),
        GOOD.replace("x,y,z", '"x", "y","z"'),
    ],
    ids=["plain", "byte order mark", "windows", "old macintosh", "blank lines", "blanks", "quotes"],
)
def test_the_same_table_however_it_is_written(content: str, tmp_path: Path) -> None:
    plain = Study.read(written(tmp_path, GOOD, "plain.csv"))
    assert Study.read(written(tmp_path, content)).fingerprint == plain.fingerprint


def test_options_of_a_csv_file(tmp_path: Path) -> None:
    plain = Study.read(written(tmp_path, GOOD))
    european = written(tmp_path, GOOD.replace(",", ";").replace(".", ","), "e.csv")
    assert Study.read(european, delimiter=";", decimal=",").fingerprint == plain.fingerprint
    assert Study.read(written(tmp_path, GOOD.replace(",", "\t"), "t.tsv")).fingerprint == plain.fingerprint
    latin = written(tmp_path, GOOD.replace("x,", "größe,").encode("latin-1"), "l.csv")
    assert Study.read(latin, encoding="latin-1").variables == ("größe", "y", "z")
    wide = written(tmp_path, GOOD.encode("utf-16"), "w.csv")
    assert Study.read(wide, encoding="utf-16").fingerprint == plain.fingerprint


@pytest.mark.parametrize(
    "options",
    [
        *({"encoding": "klingon"}, {"encoding": "base64"}, {"delimiter": ";;"}, {"delimiter": '"'}, {"decimal": "x"}),
        *({"missing": "NA"}, {"drop": "x"}, {"drop": ["q"]}, {"kinds": {"q": "binary"}}, {"kinds": {"x": "magic"}}),
        *({"kinds": {"x": "binary"}}, {"kinds": {"x": ["only"]}}, {"kinds": {"z": ["0", "1", "2"]}}),
    ],
)
def test_options_that_make_no_sense(options: dict[str, Any], tmp_path: Path) -> None:
    path = written(tmp_path, GOOD)
    assert refusal(lambda: Study.read(path, **options)).startswith(f"{path}: ")


def test_a_name_that_is_not_a_column_brings_a_suggestion() -> None:
    assert "did you mean 'weight'?" in refusal(lambda: Study.of({"weight": X, "y": Y}, "a", drop=["wieght"]))


def test_fields_with_line_ends_keep_the_lines_right(tmp_path: Path) -> None:
    table = lines(note=["two\nlines", "one"] * 20, x=X, y=replaced(Y, 10, "oops"))
    # header, then ten rows of which five take two lines: the eleventh row starts on line 17
    assert "column 'y', line 17: 'oops'" in refusal(lambda: Study.read(written(tmp_path, table)))
    fine = Study.read(written(tmp_path, lines(note=["two\nlines", "one"] * 20, x=X)))
    assert fine.column("note").levels == ("one", "two\nlines")


def test_a_very_wide_file(tmp_path: Path) -> None:
    table = {f"v{i}": RNG.normal(size=25).tolist() for i in range(3000)}
    study = Study.read(written(tmp_path, lines(**table)))
    assert (len(study.variables), study.rows) == (3000, 25)
    (warning,) = (w for w in check_studies([study, Study.of(TABLE | {"v0": X[::-1]}, "b")]) if "not looked" in str(w))
    assert warning.studies == ("a",)


def test_data_are_never_run(tmp_path: Path) -> None:
    cell = '=cmd|"/c calc"!A1'
    study = Study.read(written(tmp_path, lines(x=X, y=[cell, "__import__('os')"] * 20)))
    assert study.column("y").levels == (cell, "__import__('os')")


def test_names_are_kept_but_for_blanks_around() -> None:
    assert Study.of({" Größe (cm)": X, 'a "b"\tc': Y}, "a").variables == ("Größe (cm)", 'a "b"\tc')


def test_the_name_of_a_study(tmp_path: Path) -> None:
    path = written(tmp_path, GOOD, "trial.2020.csv")
    assert Study.read(path).name == "trial.2020"
    assert Study.read(path, "other").name == "other"


# -- tables in memory ------------------------------------------------------------------------------------------------


def test_a_lazy_frame_must_be_collected() -> None:
    assert ".collect()" in refusal(lambda: Study.of(pl.LazyFrame(TABLE), "a"))


class Uncollected:
    def compute(self) -> None:
        raise AssertionError("nobody may compute this")


@pytest.mark.parametrize(
    "data",
    [
        *(None, 3, "x", [1, 2], [{"x": 1}], Uncollected(), pl.Series(X), pd.Series(X), pa.array(X)),
        *(
            np.zeros(5),
            np.zeros((30, 2)),
            np.zeros((3, 3, 3)),
            {},
            pd.DataFrame(),
            pl.DataFrame(),
            pd.DataFrame(TABLE)[[]],
        ),
        *({"x": X, "y": 3}, {"x": X, "y": "text"}, {"x": X, "y": None}, {"x": X, "y": {}}, {1: X, 2: Y}),
        *({"x": X, "y": Y[:-1]}, {"x": X, "y": np.zeros((ROWS, 2))}, {"x": X, "y": [[1]] * ROWS}, {"x": X, " ": Y}),
        *(
            {"x": X, "x ": Y},
            {"x": X, "y": [b"b"] * ROWS},
            {"x": X, "y": [1j] * ROWS},
            {"x": X, "y": [object()] * ROWS},
        ),
        *(pd.DataFrame(np.zeros((30, 2))), pd.DataFrame(np.zeros((30, 2)), columns=["x", "x"])),
        *(
            {"x": X, "y": replaced(Y, 3, 10**400)},
            {"x": X, "y": replaced(Y, 3, "\ud800")},
            {"x": X, "y": [None] * ROWS},
        ),
        *(pl.DataFrame({"x": X, "y": [[1]] * ROWS}), pl.DataFrame({"x": X, "y": [None] * ROWS})),
        *(pa.table({"x": X, "y": pa.nulls(ROWS)}), pa.table([pa.array(X), pa.array(Y)], names=["x", "x"])),
        *(pd.DataFrame({"x": X, ("y", 1): Y}), pa.table({"x": X, "y": [{"a": 1}] * ROWS})),
    ],
)
def test_tables_that_are_none(data: object) -> None:
    assert refusal(lambda: Study.of(data, "a")).startswith("study 'a': ")


DAYS = [datetime.date(2020, 1, 1) + datetime.timedelta(days=i) for i in range(ROWS)]


@pytest.mark.parametrize(
    "values",
    [
        *(
            DAYS,
            pd.to_datetime(pd.Series(DAYS)),
            pl.Series(DAYS),
            np.array(DAYS, dtype="datetime64[D]"),
            pa.array(DAYS),
        ),
        *([datetime.timedelta(days=i) for i in range(ROWS)], pl.Series(DAYS).diff(), pd.Series(DAYS, dtype=object)),
    ],
)
def test_dates_are_refused_with_a_way_out(values: Any) -> None:
    message = refusal(lambda: Study.of({"x": X, "when": values}, "a"))
    assert "column 'when'" in message
    assert "drop=['when']" in message
    assert Study.of({"x": X, "y": Y, "when": values}, "a", drop=["when"]).variables == ("x", "y")


def test_the_row_of_a_bad_value_in_a_frame() -> None:
    frame = pd.DataFrame({"x": X, "y": pd.Series(replaced(Y, 4, "bad"), dtype=object)})
    assert "study 'a': column 'y', index 4: 'bad' is not a number" in refusal(lambda: Study.of(frame, "a"))
    frame = pd.DataFrame({"x": X, "y": replaced(Y, 4, math.inf)})
    assert "column 'y', index 4: inf" in refusal(lambda: Study.of(frame, "a"))


def test_arrays() -> None:
    array = np.column_stack([X, Y])
    wanted = Study.of(TABLE, "a").fingerprint
    assert Study.of(array, "b", names=["x", "y"]).fingerprint == wanted
    named = np.array(list(zip(X, Y, strict=True)), dtype=[("x", "f8"), ("y", "f8")])
    assert Study.of(named, "b").fingerprint == wanted
    assert "3 names for 2 columns" in refusal(lambda: Study.of(array, "b", names=["x", "y", "z"]))
    assert "names=" in refusal(lambda: Study.of(TABLE, "b", names=["x", "y"]))
    masked = np.ma.MaskedArray(X, mask=[i == 3 for i in range(ROWS)])
    assert np.isnan(Study.of({"x": masked, "y": Y}, "b").column("x").values[3])


def test_values_of_many_types() -> None:
    values = [1, 2.5, Decimal("3.5"), np.float32(4), np.int8(5), None, math.nan, pd.NA, *Y[8:]]
    column = Study.of({"x": X, "y": values}, "a").column("y")
    assert column.values[:5].tolist() == [1, 2.5, 3.5, 4, 5]
    assert np.isnan(column.values[5:8]).all()


def test_pandas_index_in_parquet_is_left_out(tmp_path: Path) -> None:
    frame = pd.DataFrame(TABLE, index=[f"r{i}" for i in range(ROWS)])
    frame.to_parquet(tmp_path / "a.parquet")
    assert Study.read(tmp_path / "a.parquet").variables == ("x", "y")


# -- round trips -----------------------------------------------------------------------------------------------------


@st.composite
def tables(draw: st.DrawFn) -> dict[str, list[Any]]:
    """Numbers, texts and truth values, with gaps; few different numbers or many."""
    rng = np.random.default_rng(draw(st.integers(0, 10**9)))
    rows, gaps, many = draw(st.integers(30, 40)), draw(st.sampled_from([0.0, 0.2, 0.6])), draw(st.booleans())
    texts = draw(st.lists(st.sampled_from(["low", "mid", "high", "é", "a,b", 'q"q', "x\ny"]), min_size=1, max_size=4))
    extremes = [0.0, -0.0, 1e-300, -1e9, 0.1, 1e17]
    numbers = [float(rng.choice(extremes)) if rng.random() < 0.2 else float(rng.normal()) for _ in range(rows)]
    columns: dict[str, list[Any]] = {
        "n": numbers if many else rng.integers(-2, 3, rows).astype(float).tolist(),
        "t": [str(text) for text in rng.choice(texts, rows)],
        "b": [bool(value) for value in rng.integers(0, 2, rows)],
    }
    return {name: [None if rng.random() < gaps else value for value in values] for name, values in columns.items()}


def label_of(value: float) -> str:
    return str(int(value)) if value.is_integer() else repr(value)


def restored(column: Column) -> list[Any]:
    """What stood in the table, from what is in the column."""
    if column.levels:
        return column.labels()
    return [None if math.isnan(value) else value for value in column.values.tolist()]


def as_pandas(table: dict[str, list[Any]]) -> Any:
    nullable = {"n": "Float64", "t": "string", "b": "boolean"}
    return pd.DataFrame({name: pd.array(values, dtype=nullable[name]) for name, values in table.items()})  # type: ignore[call-overload]


SCHEMA = pl.Schema({"n": pl.Float64(), "t": pl.String(), "b": pl.Boolean()})
FORMS: dict[str, Callable[[dict[str, list[Any]]], Any]] = {
    "dict": lambda table: table,
    "pandas": pd.DataFrame,
    "pandas nullable": as_pandas,
    "polars": lambda table: pl.DataFrame(table, schema=SCHEMA),
    "pyarrow": lambda table: pl.DataFrame(table, schema=SCHEMA).to_arrow(),
}


@examples(40, suppress_health_check=list(HealthCheck))
@given(tables())
def test_every_form_of_a_table_gives_back_its_values(tmp_path: Path, table: dict[str, list[Any]]) -> None:
    study = answer(lambda: Study.of(table, "a"))
    if isinstance(study, str):  # a constant column, or one with hardly a value
        assert {refusal(lambda form=form: Study.of(form(table), "a")) for form in FORMS.values()} == {study}  # type: ignore[misc]
        return
    wanted = [None if value is None else value + 0.0 for value in table["n"]]
    numbers = study.column("n")
    assert restored(numbers) == ([None if v is None else label_of(v) for v in wanted] if numbers.levels else wanted)
    assert restored(study.column("t")) == table["t"]
    assert restored(study.column("b")) == [None if value is None else str(value) for value in table["b"]]
    for form in FORMS.values():
        assert Study.of(form(table), "b").fingerprint == study.fingerprint
    frame = pl.DataFrame(table, schema=SCHEMA)
    frame.write_csv(tmp_path / "polars.csv")
    frame.write_parquet(tmp_path / "polars.parquet")
    as_pandas(table).to_csv(tmp_path / "pandas.csv", index=False, na_rep="NA")
    for file in ("polars.csv", "polars.parquet", "pandas.csv"):
        assert Study.read(tmp_path / file).fingerprint == study.fingerprint


# -- kinds -----------------------------------------------------------------------------------------------------------


def kind_of(values: Any, wish: Any = None) -> tuple[str, tuple[str, ...]]:
    column = Study.of({"other": X, "v": values}, "a", {} if wish is None else {"v": wish}).column("v")
    return str(column.kind), column.levels


def repeat(*values: Any) -> list[Any]:
    return [values[i * i % len(values) if i > len(values) else i % len(values)] for i in range(ROWS)]


@pytest.mark.parametrize(
    ("values", "kind", "levels"),
    [
        (repeat(0, 1), "binary", ("0", "1")),
        (repeat(2.5, -1.0), "binary", ("-1", "2.5")),
        (repeat("1", "2"), "binary", ("1", "2")),
        (repeat(True, False), "binary", ("False", "True")),
        (repeat("TRUE", "false", None), "binary", ("False", "True")),
        (repeat("yes", "no", ""), "binary", ("no", "yes")),
        (repeat("b", "a", "c"), "categorical", ("a", "b", "c")),
        (repeat("None", "Mild", "NA"), "binary", ("Mild", "None")),
        (repeat(3, 1, 10, 2), "ordinal", ("1", "2", "3", "10")),
        (repeat(3.0, 1.0, None, 2.0), "ordinal", ("1", "2", "3")),
        (repeat("3", "1", "10"), "ordinal", ("1", "3", "10")),
        (repeat(0.5, 1.5, 2.5), "continuous", ()),
        (list(range(ROWS)), "continuous", ()),
        (repeat(*range(9)), "continuous", ()),
        (
            pd.Series(repeat("lo", "hi", "mid"), dtype=pd.CategoricalDtype(["lo", "mid", "hi"], True)),
            "ordinal",
            ("lo", "mid", "hi"),
        ),
        (pd.Series(repeat("lo", "hi", "mid"), dtype="category"), "categorical", ("hi", "lo", "mid")),
        (pd.Series(repeat(10, 9, 8), dtype="category"), "categorical", ("8", "9", "10")),
        (pl.Series(repeat("lo", "hi", None), dtype=pl.Enum(["lo", "mid", "hi"])), "binary", ("lo", "hi")),
        (pl.Series(repeat("lo", "hi", "mid"), dtype=pl.Enum(["lo", "mid", "hi"])), "ordinal", ("lo", "mid", "hi")),
        (pl.Series(repeat("lo", "hi", "mid"), dtype=pl.Categorical), "categorical", ("hi", "lo", "mid")),
        (
            pa.chunked_array([pa.array(repeat("lo", "hi", "mid")).dictionary_encode()]),
            "categorical",
            ("hi", "lo", "mid"),
        ),
    ],
)
def test_kinds_are_detected(values: Any, kind: str, levels: tuple[str, ...]) -> None:
    assert kind_of(values) == (kind, levels)


@pytest.mark.parametrize(
    ("values", "wish", "levels"),
    [
        (repeat(3, 1, 10), "continuous", ()),
        (repeat(3, 1, 10), "categorical", ("1", "3", "10")),
        (repeat("007", "7.0", "10"), "categorical", ("007", "7", "10")),
        (repeat(0.5, 1.5, 2.5), Kind.ORDINAL, ("0.5", "1.5", "2.5")),
        (repeat(0, 1), "ordinal", ("0", "1")),
        (repeat("S", "L", "M"), ["S", "M", "L", "XL"], ("S", "M", "L")),
        (repeat(1, 2, 3), ["3", "1", "2"], ("3", "1", "2")),
        (repeat("12+", "9", "10"), "categorical", ("10", "12+", "9")),
        ([f"p{i}" for i in range(ROWS)], "categorical", tuple(sorted(f"p{i}" for i in range(ROWS)))),
        (pd.Series(repeat(10, 9, 8), dtype="category"), "continuous", ()),
    ],
)
def test_kinds_can_be_said(values: Any, wish: Any, levels: tuple[str, ...]) -> None:
    kind, found = kind_of(values, wish)
    assert kind == (wish if isinstance(wish, str) else "ordinal")
    assert found == levels


@pytest.mark.parametrize(
    ("values", "wish", "part"),
    [
        (repeat("S", "L", "M"), "ordinal", "from low to high: kinds={'v': ['L', 'M', 'S']}"),
        (repeat("S", "L", "M"), ["S", "M"], "index 1: 'L' is not among the levels 'S' and 'M'"),
        (repeat("S", "L", "M"), "continuous", "'S' is not a number"),
        (repeat("S", "L", "M"), "binary", "two values and this one 3"),
        (repeat(1, 2, 3), "binary", "two values and this one 3"),
        (pd.Series(repeat("S", "L"), dtype="category"), "continuous", "'S' is not a number"),
    ],
)
def test_kinds_that_cannot_be(values: Any, wish: Any, part: str) -> None:
    assert part in refusal(lambda: kind_of(values, wish))


def test_other_texts_for_missing() -> None:
    table = {"x": replaced(X, 2, "-99"), "y": replaced(Y, 3, "?"), "z": replaced(repeat(1, 2, 3), 4, -99)}
    study = Study.of(table, "a", missing=["-99", "?"])
    assert [np.flatnonzero(~column.present).tolist() for column in study.columns] == [[2], [3], [4]]
    missing = Study.of({"x": X, "y": replaced(Y, 3, "NA")}, "a", missing=["?"])  # they are added to the usual ones
    assert missing.column("y").present.sum() == ROWS - 1
    countries = {"x": X, "country": repeat("NA", "DE", "FR")}
    namibia = Study.of(countries, "a", levels={"country": {"NA": "Namibia"}})
    assert namibia.column("country").levels == ("DE", "FR", "Namibia")


# -- values ----------------------------------------------------------------------------------------------------------


def test_columns_are_read_only_copies() -> None:
    array = np.array(X)
    column = Study.of({"x": array, "y": Y}, "a").column("x")
    array[0] = 99
    assert column.values[0] == X[0]
    with pytest.raises(ValueError, match="read-only"):
        column.values[0] = 1


def test_fingerprint_is_of_content_alone() -> None:
    study = Study.of(TABLE | {"g": repeat("a", "b", "c")}, "a")
    same = Study.of(pl.DataFrame(TABLE | {"g": repeat("a", "b", "c")}), "other name")
    assert study.fingerprint == same.fingerprint
    assert len(study.fingerprint) == 64
    others = [
        Study.of({"y": Y, "x": X, "g": repeat("a", "b", "c")}, "a"),
        Study.of({"x": X[::-1], "y": Y[::-1], "g": repeat("a", "b", "c")[::-1]}, "a"),
        Study.of({"x": X, "Y": Y, "g": repeat("a", "b", "c")}, "a"),
        Study.of(TABLE | {"g": repeat("a", "b", "d")}, "a"),
        Study.of(TABLE | {"g": repeat("a", "b", "c")}, "a", {"g": ["a", "b", "c"]}),
        Study.of(TABLE | {"g": replaced(repeat("a", "b", "c"), 0, None)}, "a"),
        Study.of(TABLE, "a"),
    ]
    assert len({study.fingerprint, *(other.fingerprint for other in others)}) == 1 + len(others)


def test_fingerprint_takes_equal_numbers_as_equal() -> None:
    zeros = Column("x", Kind.CONTINUOUS, np.array([0.0, math.nan]))
    other = Column("x", Kind.CONTINUOUS, np.array([-0.0, -math.nan]))
    assert Study("a", (zeros,)).fingerprint == Study("a", (other,)).fingerprint


def test_fingerprint_does_not_change_between_versions() -> None:
    # The cache on disk is keyed by it: change the prefix in the code when this must change.
    study = Study("a", (Column("x", Kind.ORDINAL, np.array([0.0, 1.0, math.nan]), ("lo", "hi")),))
    assert study.fingerprint == "23aaea14333488aab7904532cc2ced7245426ebd378a5f1dcff0953f305881d0"


@pytest.mark.parametrize(
    ("kind", "values", "levels"),
    [
        (Kind.CONTINUOUS, [1.0], ("a",)),
        (Kind.CONTINUOUS, [math.inf], ()),
        (Kind.CONTINUOUS, [[1.0]], ()),
        (Kind.BINARY, [2.0], ("a", "b")),
        (Kind.BINARY, [0.5], ("a", "b")),
        (Kind.BINARY, [-1.0], ("a", "b")),
    ],
)
def test_columns_that_contradict_themselves(kind: Kind, values: list[Any], levels: tuple[str, ...]) -> None:
    assert "column 'x'" in refusal(lambda: Column("x", kind, np.array(values), levels))


def test_select_and_column() -> None:
    study = Study.of(TABLE, "a")
    assert study.select(["y"]).variables == ("y",)
    assert study.select(["y"], "b").name == "b"
    assert "has no column 'q'; it has 'x' and 'y'" in refusal(lambda: study.column("q"))
    assert "two columns are called 'x'" in refusal(lambda: study.select(["x", "x"]))


# -- collinearity ----------------------------------------------------------------------------------------------------


def said_of(table: Mapping[str, Any]) -> list[str]:
    """The warnings about one study."""
    study = Study.of(table, "a")
    return [str(one) for one in check_studies([study, study_of("b", *study.variables)]) if one.studies == ("a",)]


@examples(40)
@given(st.integers(2, 6), st.integers(0, 10**6), st.floats(1e-3, 1e6), st.booleans())
def test_collinear_columns_are_named_and_no_others(used: int, seed: int, scale: float, gaps: bool) -> None:
    rng = np.random.default_rng(seed)
    table = {f"v{i}": rng.normal(size=200) * 10.0 ** rng.integers(-3, 4) for i in range(8)}
    chosen = sorted(rng.choice(8, used, replace=False).tolist())
    total = sum(rng.choice([-1, 1]) * table[f"v{i}"] / table[f"v{i}"].std() for i in chosen)
    table["total"] = 5 + scale * np.asarray(total)
    if gaps:
        for i in range(8):
            table[f"v{i}"][rng.choice(200, 5, replace=False)] = np.nan
    (message,) = said_of(table)
    assert message.startswith("study 'a': 'total' is exactly a linear function of ")
    assert {f"v{i}" for i in range(8) if f"'v{i}'" in message} == {f"v{i}" for i in chosen}
    assert not said_of({name: values for name, values in table.items() if name != "total"})


def test_items_and_their_sum_are_collinear() -> None:
    rng = np.random.default_rng(0)
    items = {f"item{i}": rng.integers(1, 6, size=300) for i in range(4)}
    (message,) = said_of(items | {"score": sum(items.values())})
    assert "'score' is exactly a linear function of" in message
    dummies = {level: (items["item0"] % 3 == i).astype(int) for i, level in enumerate("abc")}
    assert said_of(dummies) == ["study 'a': 'c' is exactly a linear function of 'a' and 'b'"]


def test_a_combination_that_holds_in_the_complete_rows_only_is_none() -> None:
    rng = np.random.default_rng(0)
    x, y, z = rng.normal(size=(3, 200))
    y[:100] = 2 * x[:100]
    z[100:] = np.nan  # only the first hundred rows are complete
    assert said_of({"x": x, "y": y, "z": z}) == ["study 'a', column 'z': 50% of the values are missing"]


def test_independent_columns_of_any_scale_are_not_collinear() -> None:
    rng = np.random.default_rng(0)
    table = {f"v{i}": rng.normal(size=100) * 10.0 ** (12 * i - 24) for i in range(5)}
    table["far"] = 1e6 + rng.normal(size=100)
    assert not said_of(table)
    assert not said_of({f"v{i}": rng.normal(size=100) * 1e300 for i in range(3)})


# -- several studies -------------------------------------------------------------------------------------------------


def study_of(name: str, *variables: str) -> Study:
    rng = np.random.default_rng(sum(map(ord, name)))
    return Study.of({variable: rng.normal(size=50) for variable in variables}, name)


def test_studies_that_go_together() -> None:
    assert check_studies([study_of("a", "x", "y"), study_of("b", "z", "w"), study_of("c", "y", "z")]) == ()


@pytest.mark.parametrize(
    ("studies", "part"),
    [
        ([], "no study; give at least one table"),
        ([study_of("a", "x", "y"), study_of("a", "y", "z")], "two studies are called 'a'"),
        ([study_of("a", "x", "y"), study_of("b", "z", "w")], "no variable links study 'a' with study 'b'"),
        (
            [study_of("a", "x", "y"), study_of("b", "z", "w"), study_of("c", "y", "q"), study_of("d", "w", "p")],
            "no variable links studies 'a' and 'c' with studies 'b' and 'd'",
        ),
    ],
)
def test_studies_that_do_not(studies: list[Study], part: str) -> None:
    assert part in refusal(lambda: check_studies(studies))


def warned(**columns: Any) -> list[str]:
    study = Study.of({"x": X, "y": Y} | columns, "a")
    return list(map(str, check_studies([study, study_of("b", "x", "other")])))


@pytest.mark.parametrize(
    ("columns", "parts"),
    [
        ({}, ()),
        ({"id": list(range(1, ROWS + 1))}, ("study 'a', column 'id': numbers the rows",)),
        ({"g": [*["p", "q"] * 19, "r", "r"]}, ("column 'g': 'r' occurs in 2 rows only",)),
        ({"m": [*X[1:20], 1.5, *[None] * 20]}, ("column 'm': 50% of the values are missing",)),
        (
            {"m": [*Y[10:31], *[None] * 19], "k": [*[None] * 19, *X[:21]]},
            ("'m' and 'k' are both present in 2 rows only",),
        ),
        (
            {"near": [x + 1e-6 * y * y for x, y in zip(X, Y, strict=True)]},
            ("'near' is nearly a linear function of 'x'",),
        ),
        ({"affine": [32 + 1.8 * x for x in X]}, ("'affine' is exactly a linear function of 'x'",)),
        ({"copy": X}, ("study 'a': 'x' and 'copy' say the same in every row; drop one",)),
        (
            {"g": ["a", "b", "b", "c"] * 10, "h": ["u", "v", "v", "t"] * 10},
            ("study 'a': 'g' and 'h' say the same in every row",),
        ),
        ({"c": [3.5] * ROWS}, ("study 'a', column 'c': constant: 3.5 in every row; the column is left out",)),
        ({"c": ["p"] * ROWS}, ("study 'a', column 'c': constant: 'p' in every row; the column is left out",)),
        ({"Other": X[::-1]}, ("'Other' in study 'a' and 'other' in study 'b' are taken as two variables",)),
        ({"other": repeat("p", "q", "r")}, ("'other' is categorical in study 'a' and continuous in study 'b'",)),
    ],
)
def test_warnings(columns: dict[str, Any], parts: tuple[str, ...]) -> None:
    found = warned(**columns)
    assert all("\n" not in warning for warning in found)
    for part in parts:
        assert any(part in warning for warning in found)
    assert bool(found) == bool(parts)


def test_binary_columns_with_other_words() -> None:
    a = Study.of({"x": X, "smokes": repeat("no", "yes")}, "a")
    b = Study.of({"z": X, "smokes": repeat(0, 1)}, "b")
    assert any(
        "'smokes' has the values 'no' and 'yes' in study 'a' and" in str(warning) for warning in check_studies([a, b])
    )


def test_a_level_that_one_study_lacks_is_no_other_kind() -> None:
    a = Study.of({"x": X, "g": ["p", "q", "r", "r"] * 10, "o": [*[1] * 10, *[2] * 10, *[3] * 20]}, "a")
    b = Study.of({"x": X[::-1], "g": ["p", "r"] * 20, "o": [*[1] * 10, *[3] * 30]}, "b")
    assert (b.column("g").kind, b.column("o").kind) == (Kind.BINARY, Kind.BINARY)
    assert check_studies([a, b]) == ()
    other = Study.of({"x": X[::-1], "g": ["p", "s"] * 20}, "other")
    assert any("'g' is categorical in study 'a' and binary" in str(warning) for warning in check_studies([a, other]))


def test_what_does_not_vary_is_left_out() -> None:
    a = Study.of({"x": X, "y": Y, "c": [1.0] * ROWS}, "a")
    b = Study.of({"x": X, "c": ["p"] * ROWS, "d": ["q"] * ROWS}, "b")
    kept, warnings = usable([a, b])
    assert [(study.name, study.variables) for study in kept] == [("a", ("x", "y"))]
    assert [(one.studies, one.variables) for one in warnings] == [
        (("a",), ("c",)), (("b",), ("c",)), (("b",), ("d",)), (("b",), ()),
    ]  # fmt: skip
    assert str(warnings[-1]) == "study 'b': only 'x' is left to test; the study is left out"
    assert usable([study_of("a", "x", "y")])[1] == ()
    assert "nothing is left to test: study 'b', column 'c': constant" in refusal(lambda: usable([b]))


# -- what is very large ----------------------------------------------------------------------------------------------

LARGE = [2**53 + 1 + 2 * i for i in range(ROWS)]


@pytest.mark.parametrize("form", ["csv", "parquet", "arrow", "pandas", "polars", "array", "list", "decimals"])
def test_whole_numbers_that_floating_point_cannot_hold(tmp_path: Path, form: str) -> None:
    """Identifiers of 17 digits are never rounded in silence, whatever they come in."""
    table = {"x": X, "id": LARGE}
    pq.write_table(pa.table(table), tmp_path / "t.parquet")
    frames: dict[str, object] = {
        "arrow": pa.table(table),
        "pandas": pd.DataFrame(table),
        "polars": pl.DataFrame(table),
        "array": {"x": X, "id": np.array(LARGE)},
        "list": {"x": X, "id": [None, *LARGE[1:]]},
        "decimals": pa.table({"x": X, "id": pa.array(list(map(Decimal, LARGE)))}),
    }

    def made(kinds: dict[str, str] | None = None) -> Study:
        if form == "csv":
            return Study.read(written(tmp_path, lines(**table)), kinds=kinds)
        return (
            Study.read(tmp_path / "t.parquet", kinds=kinds) if form == "parquet" else Study.of(frames[form], "a", kinds)
        )

    said = refusal(made)
    assert "column 'id'" in said
    assert "is a whole number with more digits than a floating-point number holds" in said
    assert "drop=['id']" in said
    assert "kinds={'id': 'categorical'}" in said
    levels = made({"id": "categorical"}).column("id").levels
    assert set(levels) <= set(map(str, LARGE))
    assert len(levels) >= ROWS - 1
    assert made({"id": "continuous"}).column("id").kind is Kind.CONTINUOUS


def test_large_whole_numbers_that_are_exact_stay_numbers() -> None:
    exact = [2**60 + 2**10 * i for i in range(ROWS)]
    column = Study.of({"x": X, "large": exact}, "a").column("large")
    assert column.kind is Kind.CONTINUOUS
    assert column.values.tolist() == [float(value) for value in exact]
    beyond = Study.of({"x": X, "large": [value + 0.5 for value in Y]}, "a").column("large")
    assert beyond.kind is Kind.CONTINUOUS


def test_a_field_of_140_000_characters_is_read(tmp_path: Path) -> None:
    notes = [("a" if i % 2 else "b") * 140_000 for i in range(ROWS)]
    study = Study.read(written(tmp_path, lines(x=X, note=notes)))
    assert [len(level) for level in study.column("note").levels] == [140_000, 140_000]


def test_more_columns_than_weft_takes(tmp_path: Path) -> None:
    names = [f"v{i}" for i in range(100_000)]
    path = written(tmp_path, ",".join(names) + "\n" + "1\n" * 30)
    said = refusal(lambda: Study.read(path))
    assert said.startswith(f"{path}: line 1: 100,000 variables are too many; weft takes at most 5,000")
    path = written(tmp_path, ",".join([*names, *names[:1]]) + "\n1\n")
    assert "line 1: two columns are called 'v0'; rename one" in refusal(lambda: Study.read(path))
    assert "6,000 variables are too many" in refusal(lambda: Study.of({f"v{i}": X for i in range(6_000)}, "a"))


def test_the_repeated_one_of_many_columns() -> None:
    names = [f"v{i}" for i in range(200_000)]
    columns = tuple(Column(name, Kind.CONTINUOUS, np.zeros(1)) for name in (*names, "v77"))
    assert "two columns are called 'v77'; rename one" in refusal(lambda: Study("a", columns))
