"""Data that come with weft, to try it on. :mod:`.health` is three studies of one simulated population."""
