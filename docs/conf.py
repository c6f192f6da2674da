"""How Sphinx builds the pages of this folder: ``make docs``. Nothing is fetched from anywhere."""

from pygments.lexers.special import TextLexer
from sphinx.highlighting import lexers

from weft.version import __version__

project = "weft"
author = "The weft authors"
copyright = author
version = release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.autosummary", "numpydoc"]

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 4  # [text](page.md#a-heading) leads to a heading, as on the web

autodoc_member_order = "bysource"
autodoc_typehints = "none"  # docstrings name the types
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False

html_theme = "alabaster"
html_title = f"weft {version}"
html_static_path = ["_static"]
html_css_files = ["weft.css"]
html_sidebars = {"**": ["about.html", "searchfield.html", "navigation.html", "localtoc.html"]}
toc_object_entries = False  # the contents beside a page are its headings
html_theme_options = {
    "description": "Every causal structure that is consistent with several overlapping studies",
    "fixed_sidebar": True,
    "page_width": "1160px",
    "sidebar_width": "240px",
    "show_powered_by": False,
}
html_copy_source = False
html_show_copyright = False
pygments_style = "default"
lexers.update({"csv": TextLexer(), "lp": TextLexer()})  # Pygments knows neither
