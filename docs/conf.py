"""How Sphinx builds the pages of this folder: ``make docs``. Nothing is fetched from anywhere."""

from pygments.lexers.special import TextLexer
from sphinx.highlighting import lexers

from weft.version import __version__

project = "weft"
author = "The weft authors"
copyright = author
version = release = __version__

exclude_patterns = ["notebooks/*"]  # they are offered as files: docs/notebooks.md

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.autosummary", "numpydoc"]

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 4  # [text](page.md#a-heading) leads to a heading, as on the web

autodoc_member_order = "bysource"
autodoc_typehints = "none"  # docstrings name the types
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False

html_theme = "furo"
html_title = f"weft {version}"
html_static_path = ["_static"]
html_css_files = ["weft.css"]
toc_object_entries = False  # the contents beside a page are its headings
html_theme_options = {
    "navigation_with_keys": True,  # left and right lead to the pages before and after
    "light_css_variables": {"color-brand-primary": "#1d5d8c", "color-brand-content": "#1d5d8c"},
    "dark_css_variables": {"color-brand-primary": "#7db8e0", "color-brand-content": "#7db8e0"},
}
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
lexers.update({"csv": TextLexer(), "lp": TextLexer()})  # Pygments knows neither
