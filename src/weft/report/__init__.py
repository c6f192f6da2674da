"""Answers for people to look at. :mod:`.pair_figure` draws one pair of columns. Nothing is imported here."""
