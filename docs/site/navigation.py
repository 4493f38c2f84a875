"""The pages that are made take their places in the navigation, one after the other."""

import tomllib

import api_pages
import command_pages
import gallery_page
import theorem_pages
from outside_pages import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def completed(nav: list) -> list:
    """The navigation of mkdocs.yml; behind the index of made pages come these."""
    made = {
        "gallery/index.md": gallery_page.names(),
        "api/index.md": [{name: f"api/{name}.md"} for name in api_pages.packages()],
        "commands/index.md": command_pages.names(),
        "theorems/index.md": [{k: v} for k, v in theorem_pages.names().items()],
    }
    return [_completed(entry, made) for entry in nav]


def _completed(entry, made):
    if isinstance(entry, str):
        return entry
    (title, inner), *_ = entry.items()
    if isinstance(inner, list):
        pages = [_completed(one, made) for one in inner]
        return {title: [page for one in pages for page in _opened(one, made)]}
    return {title: [inner, *made[inner]]} if inner in made else entry


def _opened(page, made):
    """An index without a title of its own, and its pages beside it."""
    return [page, *made[page]] if isinstance(page, str) and page in made else [page]


def footer() -> str:
    """The version, the licence, and where the code lies once it has an address."""
    address = PROJECT.get("urls", {}).get("Repository")
    code = f' · <a href="{address}">repository</a>' if address else ""
    return f"depthsep {PROJECT['version']} · {PROJECT['license']}{code}"
