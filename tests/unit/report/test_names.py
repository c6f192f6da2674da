"""Names in boxes: their widths are bounds for the fonts that they are drawn in."""

from __future__ import annotations

import subprocess
import sys

import pytest

from weft.report.canvas import text_width
from weft.report.names import width_of, wrapped

WORDS = (
    "X01", "smoking", "Wimmelbild", "high_sensitivity_C_", "MMMMWWWW", "iiiillll", "été naïve", "βλήμα_ω", "давление",
    "Zwölf Boxkämpfer", "0123456789", "a & b; c, d", "<img src=x", "漢字", "한국어", "ไทย", "☃", "100 %", "$x^2$",
    "(a|b)",
)  # fmt: skip


@pytest.mark.parametrize("word", WORDS)
def test_a_name_is_not_wider_than_reckoned(word: str) -> None:
    measured = text_width(word, 10.0)
    assert measured <= width_of(word, 10.0) + 0.2
    assert width_of(word, 10.0) < 1.5 * measured + 2


def test_every_sign_of_the_keyboard_is_in_the_table() -> None:
    for sign in map(chr, range(32, 127)):
        assert text_width(sign, 100.0) <= width_of(sign, 100.0) + 0.1 <= text_width(sign, 100.0) + 6


def test_lines_of_a_name_hold_all_of_it() -> None:
    name = "concentration_of_high_sensitivity_C_reactive_protein_at_visit"
    assert "".join(wrapped(name)) == name


def test_a_layout_needs_no_matplotlib() -> None:
    program = "import sys, weft.report.picture_layout; print('matplotlib' in sys.modules, 'numpy' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert ran.stdout.split() == ["False", "False"]
