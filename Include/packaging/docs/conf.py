"""How Sphinx makes the site of the folder that docs.sh has laid out: the articles, the rules and all references."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any
from urllib.parse import quote

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx

sys.path.insert(0, str(Path(__file__).parent))

from docstrings import restructured

project = html_title = "libskan"
extensions = ["myst_parser", "breathe", "sphinx.ext.autodoc", "sphinx_design"]
exclude_patterns = ["README.md", "xml", "_static"]
smartquotes = False
highlight_language = "c"

myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4
# Examples show only a part of a document or of a program, and say "…" for what their reader fills in.
suppress_warnings = ["misc.highlighting_failure"]

breathe_projects = {"c": "xml/c", "cpp": "xml/cpp"}
breathe_domain_by_extension = {"h": "c", "hpp": "cpp"}
breathe_default_project = "c"
breathe_show_define_initializer = breathe_show_enumvalue_initializer = True
c_maximum_signature_line_length = cpp_maximum_signature_line_length = 80
python_maximum_signature_line_length = 80

autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
autodoc_class_signature = "separated"
python_use_unqualified_type_names = True
default_role = "py:obj"

html_theme = "furo"
html_static_path = ["_static"]
html_css_files = ["style.css"]
pygments_dark_style = "github-dark"
html_favicon = "_static/icon.svg"
html_copy_source = html_show_sourcelink = html_show_sphinx = html_show_copyright = False
toc_object_entries_show_parents = "hide"
html_theme_options = {
    "light_logo": "icon.svg",
    "dark_logo": "icon.svg",
    "top_of_page_buttons": [],
    "light_css_variables": {"color-brand-primary": "#0b6bcb", "color-brand-content": "#0b5cad"},
    "dark_css_variables": {"color-brand-primary": "#6cb6ff", "color-brand-content": "#7fc1ff"},
}

RULES = "Core/Rules"
PYTHON_MODULES = {"libskan", "libskan.postback", "libskan.aio", "libskan.store_kit"}
RULE_NAMES = re.compile(r'\bRules,\s+["“][^"”]*["”](?:(?:,|\s+and)\s+["“][^"”]*["”])*')
RULE_NAME = re.compile(r'["“]([^"”]*)["”]')
C_NAME = re.compile(r"\b(?:skan_\w+|SKAN_\w+|\w+\.h)\b")
NO_LINKS = (nodes.reference, nodes.title, nodes.literal_block, addnodes.desc_signature, addnodes.pending_xref)


def slug(heading: str) -> str:
    """The anchor that Markdown gives a heading."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def link(words: str, uri: str) -> nodes.reference:
    """A link within the site."""
    return nodes.reference("", words, refuri=uri, internal=True)


def linked(text: str, targets: dict[str, str], rules: str) -> list[nodes.Node]:
    """A text whose names of rules, of headers and of what headers declare lead to them."""
    places = [
        (name.start(1), name.end(1), f"{rules}#{quote(slug(' '.join(name[1].split())))}")
        for names in RULE_NAMES.finditer(text)
        for name in RULE_NAME.finditer(text, names.start(), names.end())
    ]
    places += [(name.start(), name.end(), targets[name[0]]) for name in C_NAME.finditer(text) if name[0] in targets]
    found: list[nodes.Node] = []
    end = 0
    for start, until, uri in sorted(places):
        found += [nodes.Text(text[end:start]), link(" ".join(text[start:until].split()), uri)]
        end = until
    return [*found, nodes.Text(text[end:])] if found else []


def c_targets(app: Sphinx, page: str) -> dict[str, str]:
    """Where the headers and what they declare are, from a page."""
    objects = app.env.domains["c"].get_objects()
    found = {name: f"{app.builder.get_relative_uri(page, where)}#{anchor}" for name, _, _, where, anchor, _ in objects}
    headers = (name for name in app.env.found_docs if name.startswith("c/") and name != "c/index")
    return found | {f"{name[2:]}.h": app.builder.get_relative_uri(page, name) for name in headers if name != page}


def link_names(app: Sphinx, tree: nodes.document, page: str) -> None:
    """Makes links of names, also of those between backticks."""
    rules = app.builder.get_relative_uri(page, RULES)
    targets = c_targets(app, page)
    for text in list(tree.findall(nodes.Text)):
        inside = text.parent
        above = inside
        while above is not None and not isinstance(above, NO_LINKS):
            above = above.parent
        if above is not None:
            continue
        if isinstance(inside, nodes.literal):
            uri = targets.get(str(text).removeprefix("skan/"))
            if uri:
                inside.replace(text, link(str(text), uri))
        elif new := linked(str(text), targets, rules if page != RULES else ""):
            inside.replace(text, new)


def resolve_exported(app: Sphinx, env: Any, node: Any, text: nodes.Element) -> nodes.Element | None:
    """Finds what Python's package exports: signatures name it by the module that defines it, docstrings by its name."""
    if node.get("refdomain") != "py":
        return None
    python = env.domains["py"]
    names = node["reftarget"].split(".")
    own = [names[-1]] if names[0] == "libskan" else names
    for prefix in PYTHON_MODULES | {node.get("py:class") or "libskan"}:
        name = ".".join([prefix, *own])
        if name in python.objects:
            page, anchor, *_ = python.objects[name]
            made = nodes.reference("", "", internal=True, reftitle=name)
            made["refuri"] = app.builder.get_relative_uri(node["refdoc"], page) + "#" + anchor
            made.append(text)
            return made
    return None


def setup(app: Sphinx) -> None:
    """Connects what this file adds to Sphinx."""
    app.connect("doctree-resolved", link_names)
    app.connect("missing-reference", resolve_exported)
    app.connect("autodoc-process-docstring", restructured)
