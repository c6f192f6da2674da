"""Answers for people to look at. :mod:`.view` is what is shown, as one value; :mod:`.html` writes it as a page.

:mod:`.packed` puts many graphs in little room, and :mod:`.pair_figure` draws one pair of columns. :mod:`.server` serves
the page, :mod:`.question` is what it asks, and :mod:`.live` answers. Nothing is imported here.
"""
