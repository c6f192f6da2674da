"""What names suggest, and what they do not."""

from __future__ import annotations

import pytest

from weft.knowledge import Knowledge
from weft.knowledge.common_sense import given_by_nature, hints


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("sex", "sex"), ("Gender", "sex"), ("Geschlecht", "sex"), ("AGE", "age"), ("Alter", "age"),
        ("age_years", "age"), ("birth_year", "birth"), ("Geburtsjahr", "birth"), ("dosage", None),
        ("teenage", None), ("sextant", None),
        ("language", None), ("alternative", None),
    ],
)  # fmt: skip
def test_what_nature_gives(name: str, what: str | None) -> None:
    assert given_by_nature(name) == what


def test_times_become_tiers() -> None:
    (one,) = hints(["bmi_t1", "bmi_t2", "dose_t1", "dose_t2", "other"])
    assert one.key == "tiers"
    assert one.value == (("bmi_t1", "dose_t1"), ("bmi_t2", "dose_t2"))
    (staged,) = hints(["pressure baseline", "pressure follow-up"])
    assert staged.value == (("pressure baseline",), ("pressure follow-up",))


def test_numbers_in_names_are_no_times() -> None:
    assert not hints(["x1", "x2", "gene1", "gene2", "il6", "il10"])


def test_the_line_is_one_of_a_knowledge_file(tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("k") / "k.toml"
    path.write_text("\n".join(one.line for one in hints(["sex", 'a "b"_2010', 'a "b"_2012'])), encoding="utf-8")
    assert len(Knowledge.read(path).items) == 2
