r"""Names in text: graphs, claims, knowledge and options spell them in one way.

A name that is a plain word stands as it is: it begins with a letter, a digit or ``_`` and goes on with letters,
digits and ``_ . / : +``, or with ``-`` if it began with a letter and no arrow comes of it. Any other name goes in
double quotes, and so do the few plain words that could be misread. Inside the quotes

=============== ====================================
``\"`` ``\\``   a quote, a backslash
``\n``          a new line
``\u2028``      the character of that number (hexadecimal, four digits)
``\U0001f642``  the same with eight digits
``\`` before    that character
another one
=============== ====================================

and everything else is itself. What is written has no raw control characters: they would reach a terminal, where they
move the cursor, and a reader, who would not see them. (Files of other programs keep to the rules of these programs.)

>>> print(*map(quote, ["age", "blood pressure", 'say "yes"', "bell\a", "nothing"]))
age "blood pressure" "say \"yes\"" "bell\u0007" "nothing"
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable
from functools import cache
from typing import NamedTuple, TypeVar

from weft.errors import WeftError

Refusal = Callable[[str], WeftError]
"""Makes the error that says what is wrong with a text."""

T = TypeVar("T", bound=Hashable)

MOST_VARIABLES = 5_000
"""More are refused at once: a graph takes memory for every pair of them."""

_PLAIN = re.compile(r"(?:[^\W\d_](?:[\w./:+]|-(?![->]))*|\d[\w./:+]*|_\w*)(?<![-:])")
_MISREAD = frozenset({"o-o", "nothing", "no", "among"})
"""Plain words that mean something where a name may stand: an edge, and words of knowledge."""
QUOTED = re.compile(r'"((?:[^"\\]|\\.)*+)"', re.DOTALL)
"""A name in quotes."""
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|U00(?:0[0-9a-fA-F]|10)[0-9a-fA-F]{4}|.)", re.DOTALL)


class Word(NamedTuple):
    """A word of a text: a name that stood in quotes, or a bare word, which may be a name or a sign."""

    text: str
    quoted: bool = False


# -- writing -----------------------------------------------------------------------------------------------------------


def quote(name: str) -> str:
    """A name as text spells it: in double quotes if it could be misread."""
    return name if _PLAIN.fullmatch(name) and name not in _MISREAD else quoted(name)


def quoted(name: str) -> str:
    """A name in double quotes, whether it must be or not."""
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{printable(escaped)}"'


def printable(text: str) -> str:
    r"""The text on one line, with escapes for what cannot be seen or would move the cursor.

    >>> print(printable("größe \x1b[31m\u2028"))
    größe \u001b[31m\u2028
    """
    return text if text.isprintable() else "".join(one if one.isprintable() else _escaped(one) for one in text)


def meant(text: str, known: Iterable[str]) -> str:
    """The end of a message about a name that is not known: what it may stand for; nothing if nothing looks like it.

    >>> meant("fisherz", ["kcit", "fisher-z"])
    "; did you mean 'fisher-z'?"
    >>> meant("magic", ["kcit", "fisher-z"])
    ''
    """
    from difflib import get_close_matches

    folded = {one.casefold(): one for one in known}
    close = get_close_matches(str(text).casefold(), folded, 1)
    return f"; did you mean {printable(repr(str(folded[close[0]])))}?" if close else ""


def _escaped(character: str) -> str:
    number = ord(character)
    return "\\n" if character == "\n" else f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"


# -- reading -----------------------------------------------------------------------------------------------------------


def words_in(text: str, signs: str, refuse: Refusal) -> list[Word]:
    """Take a text apart at blanks; each of ``signs`` is a word of its own wherever it stands bare.

    >>> words_in('A, "b, c" < D', ",", WeftError)[2:]
    [Word(text='b, c', quoted=True), Word(text='<', quoted=False), Word(text='D', quoted=False)]
    """
    found: list[Word] = []
    for match in _word(signs).finditer(text):
        quoted, mark, bare, stray = match.groups()
        if stray:
            raise _unclosed(match.start(), refuse)
        found.append(Word(mark or bare) if quoted is None else Word(_unescaped(quoted), True))
    return found


@cache
def _word(signs: str) -> re.Pattern[str]:
    """A name in quotes, a sign, a bare word, or a quote that is never closed."""
    sign = f"([{re.escape(signs)}])" if signs else "(?!)()"
    return re.compile(rf'{QUOTED.pattern}|{sign}|([^\s"{re.escape(signs)}]+)|(")', re.DOTALL)


def split(text: str, sign: str, refuse: Refusal) -> list[str]:
    """The parts of a text between the signs that stand outside quotes; :func:`unquoted` reads a part.

    >>> split('"dose, mg", Y', ",", WeftError)
    ['"dose, mg"', ' Y']
    """
    parts, start = [], 0
    for match in re.finditer(rf'{QUOTED.pattern}|([{re.escape(sign)}])|(")', text, re.DOTALL):
        if match[3]:
            raise _unclosed(match.start(), refuse)
        if match[2]:
            parts.append(text[start : match.start()])
            start = match.end()
    return [*parts, text[start:]]


def unquoted(part: str, refuse: Refusal) -> str:
    r"""The name that a text is: a name in quotes, or anything without quotes; blanks around it do not count.

    >>> unquoted(r' "say \"yes\""', WeftError), unquoted("blood pressure ", WeftError)
    ('say "yes"', 'blood pressure')
    """
    part = part.strip()
    whole = QUOTED.fullmatch(part)
    if whole is None and '"' in part:
        raise refuse(rf"{printable(part)} is not one name; put it in double quotes, and \ before a quote inside")
    return part if whole is None else _unescaped(whole[1])


def _unescaped(content: str) -> str:
    return _ESCAPE.sub(_meant, content) if "\\" in content else content


def _meant(escape: re.Match[str]) -> str:
    said = escape[1]
    return chr(int(said[1:], 16)) if len(said) > 1 else "\n" if said == "n" else said


def _unclosed(position: int, refuse: Refusal) -> WeftError:
    return refuse(f"the quote at character {position + 1} is never closed")


# -- many names --------------------------------------------------------------------------------------------------------


def first_repeated(names: Iterable[T]) -> T | None:
    """The first name that has stood there before, if there is one.

    >>> first_repeated("abcb")
    'b'
    """
    seen: set[T] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return None


def too_many(count: int) -> str:
    """What to say of more variables than :data:`MOST_VARIABLES`; nothing of fewer.

    >>> too_many(100_000)
    '100,000 variables are too many; weft takes at most 5,000, and the practical limit is a few hundred: choose some'
    """
    if count <= MOST_VARIABLES:
        return ""
    most = f"weft takes at most {MOST_VARIABLES:,}, and the practical limit is a few hundred"
    return f"{count:,} variables are too many; {most}: choose some"
