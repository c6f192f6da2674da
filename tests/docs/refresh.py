"""Write into pages what their commands print and draw now: ``python -m tests.docs.refresh docs/tutorial.md``.

Only the output below ``$`` is replaced, where it differs; read the difference before you believe it. Doctests and text
stay as they are; what is wrong with them is told.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.docs.pages import Session, blocks, commands, pictures, same


def refresh(page: Path) -> None:
    """Run a page and put what it prints and draws in the place of what it shows."""
    lines = page.read_text(encoding="utf-8").splitlines()
    session = Session()
    moved = 0
    for block in list(blocks("\n".join(lines) + "\n")):
        if block.language != "console":
            try:
                session.run(block)
            except Exception as problem:
                print(f"{page}:{block.line}: {problem}", file=sys.stderr)
            continue
        for command in commands(block.text):
            printed = session.output(command.line)
            if same(command.shown, printed):
                continue
            first = block.line + moved + command.first
            new = [line.rstrip() for line in printed.splitlines()]
            lines[first : first + len(command.shown)] = new
            moved += len(new) - len(command.shown)
    page.write_text("\n".join(lines) + "\n", encoding="utf-8")
    for picture in pictures(page):
        picture.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(picture.name, picture)


def main() -> None:
    """Refresh the pages named on the command line, each in a directory of its own."""
    for page in [Path(name).resolve() for name in sys.argv[1:]]:
        with TemporaryDirectory() as folder:
            os.chdir(folder)
            os.environ["WEFT_CACHE"] = str(Path(folder) / ".cache.sqlite")
            refresh(page)
            os.chdir("/")


if __name__ == "__main__":
    main()
