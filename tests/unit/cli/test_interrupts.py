"""How the command line ends when it is told to."""

from __future__ import annotations

import signal
import warnings
from collections.abc import Iterator

import pytest

from weft.cli.interrupts import HEARD, heard_at_once


def complaining() -> Iterator[int]:
    """As joblib's generators do, which warn about every job that is not waited for."""
    try:
        yield 1
    finally:
        warnings.warn("two tasks have been cancelled", stacklevel=1)


def cut_short() -> None:
    under_way = complaining()
    next(under_way)
    raise KeyboardInterrupt


@pytest.fixture
def own_handlers() -> Iterator[None]:
    """After an interrupt the next signal ends the process, which is not for the rest of the tests."""
    before = {number: signal.getsignal(number) for number in HEARD}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.usefixtures("own_handlers")
def test_what_is_cut_short_says_nothing() -> None:
    words: list[int] = []
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        with pytest.raises(SystemExit) as end, heard_at_once(words.append):
            cut_short()
    assert (end.value.code, words, said) == (130, [2], [])
