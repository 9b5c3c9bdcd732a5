"""Settings of the documentation site, which `make docs` builds offline."""

import veil

project = "Veil"
author = "the developers of Veil"
copyright = "the developers of Veil"  # noqa: A001 - the name that Sphinx reads
release = version = veil.__version__

extensions = ["myst_parser", "sphinx_copybutton"]
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
copybutton_exclude = ".linenos, .gp, .go"

html_theme = "furo"
html_title = f"Veil {version}"
html_copy_source = False
html_show_sphinx = False
# Pages link to files of the repository (README.md, examples): these exist beside docs/ only.
suppress_warnings = ["myst.xref_missing"]
