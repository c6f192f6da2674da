"""Answers for people to look at. :mod:`.view` is what is shown, as one value; :mod:`.html` writes it as a page.

:mod:`.figure` draws it for papers: :mod:`.lines` says which lines there are, :mod:`.layering`, :mod:`.ordering` and
:mod:`.layout` where the vertices stand, :mod:`.routes` how lines run, :mod:`.scene` how all of it looks, :mod:`.legend`
what stands around it, and :mod:`.canvas` knows matplotlib.
:mod:`.packed` puts many graphs in little room, and :mod:`.pair_figure` draws one pair of columns. Nothing is imported
here.
"""
