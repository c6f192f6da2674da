"""Answers for people to look at. :mod:`.view` is what is shown, as one value; the others show it.

:mod:`.text` is half a screen of text, and :mod:`.html` a page that opens anywhere. :mod:`.server` serves that page with
a solver behind it: :mod:`.question` is what the page asks, and :mod:`.live` answers. :mod:`.figure` draws for papers:
:mod:`.lines` says which lines there are, :mod:`.layering`, :mod:`.ordering` and :mod:`.layout` where vertices stand,
:mod:`.routes` how lines run, :mod:`.scene` and :mod:`.legend` what is drawn, and :mod:`.canvas` knows matplotlib.
:mod:`.packed` puts many graphs in little room, and :mod:`.pair_figure` draws one pair of columns. Nothing is imported
here.
"""
