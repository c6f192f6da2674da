"""``python -m weft`` is ``weft``."""

from weft.cli import main

if __name__ == "__main__":
    main(prog_name="weft")
