"""Every kind of file and way of writing it: the same table comes out, or one line says what is wrong."""

from __future__ import annotations

import bz2
import gzip
import lzma
import re
import sqlite3
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import openpyxl
import pandas as pd
import pyreadstat
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from weft.errors import StudyError, StudyErrors
from weft.studies import Study, read_studies
from weft.studies.sniffing import delimiter_of, encoding_of

ROWS = 40
FRAME = pd.DataFrame(
    {
        "größe": [150 + 0.5 * i for i in range(ROWS)],
        "sex": ["männlich", "weiblich"] * (ROWS // 2),
        "stage": [1 + i % 3 for i in range(ROWS)],
        "dose": [None if i == 7 else 0.25 * i * i for i in range(ROWS)],
    }
)
TRUTH = Study.of(FRAME, "truth")


def text(delimiter: str = ",", decimal: str = ".") -> str:
    return str(FRAME.to_csv(index=False, sep=delimiter, decimal=decimal))


def sqlite_file(path: Path) -> None:
    connection = sqlite3.connect(path)
    FRAME.to_sql("people", connection, index=False)
    connection.close()


def zip_file(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("__MACOSX/._a.csv", b"rubbish")
        archive.writestr("folder/a.csv", text(";", ",").encode("cp1252"))


def labelled(write: Callable[..., None]) -> Callable[[Path], None]:
    coded = FRAME.assign(sex=[1.0, 2.0] * (ROWS // 2)).rename(columns={"größe": "groesse"})
    labels = {"sex": {1: "männlich", 2: "weiblich"}, "stage": {1: "only one of three has a label"}}
    return lambda path: write(coded, str(path), variable_value_labels=labels)


WRITERS: dict[str, Callable[[Path], Any]] = {
    "utf8.csv": lambda path: path.write_bytes(text().encode()),
    "bom.csv": lambda path: path.write_bytes(text().encode("utf-8-sig")),
    "utf16.csv": lambda path: path.write_bytes(text().encode("utf-16")),
    "utf16be.csv": lambda path: path.write_bytes(text().encode("utf-16-be")),
    "utf16le.txt": lambda path: path.write_bytes(text("\t").encode("utf-16-le")),
    "utf32.csv": lambda path: path.write_bytes(text().encode("utf-32")),
    "cp1252.csv": lambda path: path.write_bytes(text(";", ",").encode("cp1252")),
    "latin1.csv": lambda path: path.write_bytes(text("|").encode("latin-1")),
    "tabs.tsv": lambda path: path.write_bytes(text("\t").encode()),
    "tabs.txt": lambda path: path.write_bytes(text("\t", ",").encode()),
    "packed.csv.gz": lambda path: path.write_bytes(gzip.compress(text().encode())),
    "packed.csv.xz": lambda path: path.write_bytes(lzma.compress(text(";", ",").encode())),
    "packed.csv.bz2": lambda path: path.write_bytes(bz2.compress(text().encode("cp1252"))),
    "packed.zip": zip_file,
    "table.parquet": lambda path: FRAME.to_parquet(path),
    "packed.parquet.gz": lambda path: path.write_bytes(gzip.compress(FRAME.to_parquet())),
    "table.feather": lambda path: FRAME.to_feather(path),
    "book.xlsx": lambda path: FRAME.to_excel(path, index=False),
    "base.sqlite": sqlite_file,
    "base.db": sqlite_file,
}
LABELLED: dict[str, Any] = {
    "people.sav": pyreadstat.write_sav,
    "people.zsav": pyreadstat.write_sav,
    "people.dta": pyreadstat.write_dta,
}


@pytest.mark.parametrize("name", WRITERS)
def test_each_file_is_read_by_itself(name: str, tmp_path: Path) -> None:
    WRITERS[name](tmp_path / name)
    assert Study.read(tmp_path / name).fingerprint == TRUTH.fingerprint


@pytest.mark.parametrize("name", LABELLED)
def test_values_that_all_have_labels_are_called_by_them(name: str, tmp_path: Path) -> None:
    labelled(LABELLED[name])(tmp_path / name)
    found = Study.read(tmp_path / name, rename={"groesse": "größe"})
    assert found.fingerprint == TRUTH.fingerprint


def test_sas_transport_files(tmp_path: Path) -> None:
    pyreadstat.write_xport(FRAME.rename(columns={"größe": "groesse"}), str(tmp_path / "a.xpt"))
    found = Study.read(tmp_path / "a.xpt", rename={"groesse": "größe"})
    assert found.variables == TRUTH.variables
    assert np.allclose(found.column("dose").values, TRUTH.column("dose").values, equal_nan=True)


def test_blanks_between_fields(tmp_path: Path) -> None:
    rows = ["age  dose   sex", *(f"{20 + i}   {i * i}.5  {'mf'[i % 2]}" for i in range(ROWS))]
    (tmp_path / "a.txt").write_text("\n".join(rows))
    assert Study.read(tmp_path / "a.txt").variables == ("age", "dose", "sex")


def test_a_workbook_with_several_sheets_asks_which(tmp_path: Path) -> None:
    path = tmp_path / "book.xlsx"
    with pd.ExcelWriter(path) as writer:
        pd.DataFrame({"about": ["this file"]}).to_excel(writer, sheet_name="notes", index=False)
        FRAME.to_excel(writer, sheet_name="people", index=False, startrow=2, startcol=1)
    with pytest.raises(StudyError, match=r"2 sheets, 'notes' and 'people'; say which with table='notes'"):
        Study.read(path)
    with pytest.raises(StudyError, match="there is no sheet 'all'; there are 'notes' and 'people'"):
        Study.read(path, table="all")
    with pytest.raises(StudyError, match=r"there is no sheet 'peple'; did you mean 'people'\?"):
        Study.read(path, table="peple")
    assert Study.read(path, table="people").fingerprint == TRUTH.fingerprint


def test_empty_sheets_do_not_count(tmp_path: Path) -> None:
    path = tmp_path / "book.xlsx"
    FRAME.to_excel(path, index=False)
    book = openpyxl.load_workbook(path)
    book.create_sheet("Sheet2")
    book.save(path)
    assert Study.read(path).rows == ROWS


def test_a_table_of_a_database_whatever_it_is_called(tmp_path: Path) -> None:
    name = 'x"; DROP TABLE people; --'
    connection = sqlite3.connect(tmp_path / "a.db")
    FRAME.to_sql("people", connection, index=False)
    connection.execute(f'CREATE VIEW "{name.replace(chr(34), chr(34) * 2)}" AS SELECT * FROM people')
    connection.close()
    before = (tmp_path / "a.db").read_bytes()
    assert Study.read(tmp_path / "a.db", table=name).fingerprint == TRUTH.fingerprint
    assert (tmp_path / "a.db").read_bytes() == before


def test_an_archive_of_two_files_is_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("a.csv", text())
        archive.writestr("b.csv", text())
    with pytest.raises(StudyError, match=r"holds 2 files, 'a\.csv' and 'b\.csv'; unpack it"):
        Study.read(tmp_path / "a.zip")


def test_what_a_reader_lacks_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> Any:
        raise ImportError(name)

    FRAME.to_excel(tmp_path / "a.xlsx", index=False)
    pyreadstat.write_sav(FRAME, str(tmp_path / "a.sav"))
    monkeypatch.setattr("weft.studies.formats.import_module", missing)
    with pytest.raises(StudyError, match=r"needs python-calamine.*pip install 'weft\[excel\]'"):
        Study.read(tmp_path / "a.xlsx")
    with pytest.raises(StudyError, match=r"needs pyreadstat.*pip install 'weft\[stats\]'"):
        Study.read(tmp_path / "a.sav")


def test_all_that_is_wrong_with_all_files_is_told_at_once(tmp_path: Path) -> None:
    files = {name: tmp_path / f"{name}.csv" for name in ("good", "broken", "absent", "empty")}
    files["good"].write_text(text())
    damaged = FRAME.assign(dose=["oops" if i == 3 else i for i in range(ROWS)], id=[f"p{i}" for i in range(ROWS)])
    damaged.to_csv(files["broken"], index=False)
    files["empty"].write_text("")
    with pytest.raises(StudyErrors) as caught:
        read_studies(files)
    assert [str(one).split(": ")[0] for one in caught.value.each] == [str(files["absent"]), str(files["empty"])]
    with pytest.raises(StudyErrors) as caught:
        read_studies({name: files[name] for name in ("good", "broken")})
    assert [str(one).split(": ")[1] for one in caught.value.each] == ["column 'dose', line 5", "column 'id'"]


def test_new_names_levels_and_units() -> None:
    table = {"Gewicht": [60000.0 + 500 * i for i in range(ROWS)], "Sex": ["m", "f"] * 20, "stage": [1, 2, 3, 1] * 10}
    study = Study.of(
        table, "a", rename={"Gewicht": "weight", "Sex": "sex"}, levels={"sex": {"m": "male", "f": "female"}},
        units={"weight": 0.001, "stage": 10}, kinds={"stage": "ordinal"},
    )  # fmt: skip
    assert study.variables == ("weight", "sex", "stage")
    assert study.column("weight").values[:2].tolist() == [60.0, 60.5]
    assert study.column("sex").levels == ("female", "male")
    assert study.column("stage").levels == ("10", "20", "30")


@pytest.mark.parametrize(
    ("said", "part"),
    [
        ({"rename": {"größ": "x"}}, "rename= names 'größ', which is not a column; did you mean 'größe'?"),
        (
            {"levels": {"sex": {"man": "m"}}},
            "levels= names 'man', which does not occur; there are 'männlich' and 'weiblich'",
        ),
        ({"units": {"sex": 2.0}}, "units= is for columns of numbers"),
        ({"rename": {"dose": "sex"}}, "columns 2 and 4 are both called 'sex'"),
    ],
)
def test_what_cannot_be_said_of_a_table(said: dict[str, Any], part: str) -> None:
    with pytest.raises(StudyError) as caught:
        Study.of(FRAME, "a", **said)
    assert part in str(caught.value)


def grouped(number: float, mark: str, decimal: str) -> str:
    return f"{number:,.2f}".replace(",", "#").replace(".", decimal).replace("#", mark)


@pytest.mark.parametrize(("mark", "decimal"), [(",", "."), (".", ","), (" ", ","), ("\u202f", ","), ("'", ".")])
def test_marks_between_thousands(mark: str, decimal: str, tmp_path: Path) -> None:
    incomes = [1000.25 * i * i for i in range(ROWS)]
    frame = pd.DataFrame({"income": [grouped(one, mark, decimal) for one in incomes], "x": range(ROWS)})
    for name, write in (("a.csv", lambda path: frame.to_csv(path, index=False, sep=";")), ("a.xlsx", frame.to_excel)):
        write(tmp_path / name)
        drop = [""] if name == "a.xlsx" else []
        assert np.allclose(Study.read(tmp_path / name, drop=drop).column("income").values, incomes)


@pytest.mark.parametrize(
    ("values", "part"),
    [
        ([f"{i} kg" for i in range(ROWS)], "looks like numbers with the unit 'kg', such as '0 kg'; write the numbers"),
        ([f"{i} %" for i in range(ROWS)], "looks like numbers with the unit '%'"),
        ([f"2020-03-{1 + i % 30:02}" for i in range(ROWS)], "holds dates or times, such as '2020-03-01'; turn them"),
        ([f"{1 + i % 28}.3.{1960 + i}" for i in range(ROWS)], "holds dates or times"),
        ([f"{1 + i},500" for i in range(ROWS)], "looks like numbers with marks between thousands, such as '1,500'"),
    ],
)
def test_texts_that_are_no_categories(values: list[str], part: str) -> None:
    with pytest.raises(StudyError, match=re.escape(f"study 'a': column 'c': {part}")):
        Study.of({"c": values, "x": range(ROWS)}, "a")
    assert Study.of({"c": values, "x": range(ROWS)}, "a", kinds={"c": "categorical"}).column("c").levels


def test_a_few_texts_with_units_are_categories() -> None:
    doses = Study.of({"dose": ["5 mg", "10 mg", "20 mg", "40 mg"] * 10, "x": range(ROWS)}, "a").column("dose")
    assert len(doses.levels) == 4


@pytest.mark.parametrize(
    ("content", "part"),
    [
        ("Our study, 2020\n" + text(), "line 1: fewer fields than most lines have; the header must come"),
        ("Exported by X\n" + text(";", ","), "line 1: fewer fields than most lines have; the header must come"),
        (text().partition("\n")[2], "line 1: '150.0' is a value where a name should be"),
    ],
)
def test_a_first_line_that_is_no_header(content: str, part: str, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(content, encoding="utf-8")
    with pytest.raises(StudyError, match=re.escape(part)):
        Study.read(tmp_path / "a.csv")


NAMES = st.text(st.characters(codec="cp1252", categories=("Lu", "Ll", "Nd")), min_size=1, max_size=8)


FRACTIONS = st.floats(-1e6, 1e6, allow_nan=False).filter(lambda x: not float(x).is_integer())


@given(
    names=st.lists(NAMES.filter(lambda name: not name.isdigit()), min_size=2, max_size=5, unique=True),
    values=st.lists(FRACTIONS, min_size=30, max_size=40),
    delimiter=st.sampled_from([";", "\t", "|"]),
    decimal=st.sampled_from([".", ","]),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "cp1252"]),
)
def test_a_frame_written_and_read_is_the_same(
    names: list[str], values: list[float], delimiter: str, decimal: str, encoding: str, tmp_path_factory: Any
) -> None:
    frame = pd.DataFrame({name: np.roll(values, place) for place, name in enumerate(names)})
    path = tmp_path_factory.mktemp("files") / "a.csv"
    frame.to_csv(path, index=False, sep=delimiter, decimal=decimal, encoding=encoding)
    assert Study.read(path).fingerprint == Study.of(frame, "a").fingerprint


@example("00\0")
@given(st.text(max_size=50))
def test_every_text_has_an_encoding_in_which_it_can_be_read(written: str) -> None:
    content = written.encode("utf-8", "surrogatepass")
    content.decode(encoding_of(content))


def test_blanks_in_names_and_values_are_no_delimiter() -> None:
    assert delimiter_of("risk group,dose level\nlow risk,5 mg\nhigh risk,6 mg\n") == ","
