"""Answers to look at. :mod:`.view` is what is shown, as one value; the others show it.

:mod:`.text` is half a screen of text, :mod:`.as_json` the same for programs, and :mod:`.html` a page that opens
anywhere, from :mod:`.document`. :mod:`.server` serves that page with a solver behind it: :mod:`.question` is what the
page asks, :mod:`.live` answers, and :mod:`.connections` lets nobody hold the server up.

:mod:`.picture_layout` is the one layout of all pictures: :mod:`.lines` says which lines there are, :mod:`.layering`,
:mod:`.ordering` and :mod:`.layout` where vertices stand, :mod:`.names` how wide their names are, and :mod:`.routes` how
lines run. :mod:`.figure` draws it for papers: :mod:`.scene` and :mod:`.legend` say what is drawn, and :mod:`.canvas`
knows matplotlib. :mod:`.pair_figure` draws one pair of columns. Nothing is imported here.
"""
