"""Figures without global state: palette, rendering to bytes, saving."""

import contextlib
import re
from collections.abc import Generator, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from depthsep._errors import HypothesisError
from depthsep.reports._files import write_whole

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Okabe and Ito's colours, told apart by all eyes; greys for the rest
CERTIFIED, PROVEN, LEARNED = "#0072b2", "#d55e00", "#009e73"
INK, MUTED, RULE, PAPER = "#1f2328", "#5f6872", "#d0d7de", "#ffffff"
GAP, TARGET = "#e6ebf1", "#a9b4c0"
STYLE = {
    "axes.edgecolor": MUTED,
    "axes.labelcolor": INK,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.unicode_minus": True,
    "axes.formatter.useoffset": False,
    "figure.dpi": 100,
    "font.size": 9.0,
    "lines.solid_capstyle": "round",
    "svg.fonttype": "path",
    "text.color": INK,
    "xtick.color": MUTED,
    "xtick.labelcolor": INK,
    "ytick.color": MUTED,
    "ytick.labelcolor": INK,
}
PNG_DPI = 160


@contextlib.contextmanager
def styled(salt: str | None = None) -> Generator[None, None, None]:
    """Our style on top of matplotlib's own defaults, whatever the user's settings.

    `salt` enters the ids of an SVG; a style must not set it, so that it is apart.
    """
    import matplotlib
    from matplotlib import style

    with style.context(["default", STYLE]), matplotlib.rc_context():
        matplotlib.rcParams["svg.hashsalt"] = salt
        yield


def new_figure(width: float, height: float) -> "Figure":
    """An empty figure, in inches, that belongs to no window and no list."""
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")


@contextlib.contextmanager
def panels(
    width: float, height: float, count: int = 1
) -> "Generator[tuple[Figure, list[Axes]], None, None]":
    """A figure with panels side by side, to be drawn in our style."""
    with styled():
        figure = new_figure(width, height)
        yield figure, list(figure.subplots(1, count, squeeze=False)[0])


def finish(
    axes: "Axes", title: str, remark: str, *, x: str = "", y: str = "", log: str = ""
) -> None:
    """Headings, names of the axes, a legend of what has a label; `log` names axes."""
    if "x" in log:
        axes.set_xscale("log")
    if "y" in log:
        axes.set_yscale("log")
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    if axes.get_legend_handles_labels()[0]:
        axes.legend(frameon=False)
    headings(axes, title, remark)


def headings(axes: "Axes", title: str, remark: str) -> None:
    """A bold first line and a smaller second one, above the axes, at the left."""
    axes.annotate(
        remark,
        (0, 1),
        (0, 9),
        xycoords="axes fraction",
        textcoords="offset points",
        color=MUTED,
        fontsize=8,
        va="bottom",
        parse_math=False,
    )
    lines = remark.count("\n") + 1 if remark else 0
    axes.set_title(
        title, weight="bold", fontsize=10, pad=12 + 11 * lines
    ).set_parse_math(False)


def error_bars(
    axes: "Axes", records: Sequence["Measured"], times: int, color: str, label: str
) -> None:
    """Root mean squared errors against the width, with `times` standard errors."""
    squares = [r.mean_squared_error for r in records]
    lows, highs = [], []
    for r, square in zip(records, squares, strict=True):
        bar = times * r.standard_error
        lows.append(square**0.5 - max(square - bar, square / 100) ** 0.5)
        highs.append((square + bar) ** 0.5 - square**0.5)
    axes.errorbar(
        [r.width for r in records],
        [square**0.5 for square in squares],
        yerr=[lows, highs],
        color=color,
        marker="o",
        markersize=4,
        capsize=2,
        label=label,
    )


class Measured(Protocol):
    """A mean squared error of networks of one width, with its uncertainty."""

    @property
    def width(self) -> int: ...
    @property
    def mean_squared_error(self) -> float: ...
    @property
    def standard_error(self) -> float: ...


def svg_bytes(figure: "Figure", salt: str = "depthsep") -> bytes:
    """The figure as SVG: the same bytes every time, text as paths, no addresses.

    `salt` enters the ids; figures that share a page need different ones.
    """
    stream = BytesIO()
    nothing = dict.fromkeys(("Date", "Creator", "Format", "Type"))
    with styled(salt):
        figure.savefig(stream, format="svg", metadata=nothing)
    text = stream.getvalue().decode()
    text = re.sub(r"<!DOCTYPE.*?>\s*", "", text, flags=re.DOTALL)
    return re.sub(r"\s*<metadata>.*?</metadata>", "", text, flags=re.DOTALL).encode()


def png_bytes(figure: "Figure") -> bytes:
    """The figure as PNG, without a mention of what made it."""
    stream = BytesIO()
    with styled():
        figure.savefig(stream, format="png", dpi=PNG_DPI, metadata={"Software": None})
    return stream.getvalue()


def pdf_bytes(figure: "Figure") -> bytes:
    """The figure as PDF, without a date, so that it is the same bytes every time."""
    stream = BytesIO()
    with styled():
        figure.savefig(stream, format="pdf", metadata={"CreationDate": None})
    return stream.getvalue()


def svgs_of(figures: "Mapping[str, Figure]") -> dict[str, bytes]:
    """Figures for one page, as SVG."""
    return {name: svg_bytes(figure, name) for name, figure in figures.items()}


def picture_files(
    figures: "Mapping[str, Figure]", svgs: Mapping[str, bytes]
) -> dict[str, bytes]:
    """Figures, of which these are the SVGs, as files, .svg and .png, by file name."""
    files = {}
    for name, figure in figures.items():
        engine = figure.get_layout_engine()
        figure.set_layout_engine("none")  # the SVG has laid it out
        files[f"{name}.svg"], files[f"{name}.png"] = svgs[name], png_bytes(figure)
        figure.set_layout_engine(engine)
    return files


RENDERERS = {".svg": svg_bytes, ".png": png_bytes, ".pdf": pdf_bytes}


def save_figure(figure: "Figure", path: str | Path) -> Path:
    """Write a figure to a .png, .svg or .pdf file, whole or not at all.

    Raises:
        HypothesisError: another ending, or a place that cannot be written.
    """
    place = check_picture(path)
    return write_whole(place, RENDERERS[place.suffix.lower()](figure))


def check_picture(path: str | Path) -> Path:
    """Refuse another ending than .png, .svg or .pdf, before any work is done."""
    place = Path(path)
    if place.suffix.lower() not in RENDERERS:
        raise HypothesisError(
            f"{place.name!r} does not end in .png, .svg or .pdf; choose one of these"
        )
    return place
