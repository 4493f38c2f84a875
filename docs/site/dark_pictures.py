"""Pictures for dark pages: the same drawing with light ink, beside each SVG of ours."""

import re
from pathlib import Path

# paper and ink, then lines that would be too dark on a dark page
DARK = {
    "#ffffff": "#1e2129",
    "#000000": "#e6e9ef",
    "#1f2328": "#e6e9ef",
    "#24292f": "#e6e9ef",
    "#57606a": "#aab2bd",
    "#5f6872": "#aab2bd",
    "#d0d7de": "#3b424c",
    "#e5e9f0": "#2c323d",
    "#b0b0b0": "#3b424c",
    "#eceff2": "#2c323d",
    "#e9edf1": "#2c323d",
    "#e6ebf1": "#2c323d",
    "#d8efe7": "#1f3a33",
    "#d5e8f3": "#1d3444",
    "#fbe3cf": "#463324",
    "#0072b2": "#4aa8e0",
    "#d55e00": "#f0853a",
    "#009e73": "#2fc49a",
}
COLOUR = re.compile("|".join(DARK), re.IGNORECASE)
IMAGE = re.compile(r'<img ([^>]*?)src="([^":]+)\.svg"([^>]*)>')


def shown(page: str) -> str:
    """Every picture twice; the theme shows the one for the colours of the page."""
    return IMAGE.sub(
        r'<img loading="lazy" \1src="\2.svg#only-light"\3>'
        r'<img loading="lazy" \1src="\2-dark.svg#only-dark"\3>',
        page,
    )


def write_beside(site: Path) -> None:
    """NAME-dark.svg for each NAME.svg of the built site."""
    for path in site.rglob("*.svg"):
        if "explorer" not in path.parts and not path.stem.endswith("-dark"):
            path.with_name(f"{path.stem}-dark.svg").write_text(
                darkened(path.read_text("utf-8")), "utf-8"
            )


def darkened(drawing: str) -> str:
    """The drawing with other colours; what has none is black, so the root says light."""
    changed = COLOUR.sub(lambda found: DARK[found[0].lower()], drawing)
    return re.sub(r"<svg\b", f'<svg fill="{DARK["#000000"]}"', changed, count=1)
