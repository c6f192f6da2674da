"""Timings of weft, as one table: ``python -m benchmarks`` (or ``make bench``). README.md says what is measured."""
