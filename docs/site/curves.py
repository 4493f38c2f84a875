"""A small picture of a statement's numbers: its value against one parameter."""

import html
import math
import time

from depthsep import DepthsepError
from depthsep.evidence import Enclosure, Parameter, Statement, Value

WIDTH, HEIGHT, LEFT, BELOW, TOP = 560, 260, 78, 46, 14
STEPS = 9
FEWEST = 4  # different values; below, a picture says nothing
PATIENCE = 1.0  # seconds for the values of one parameter, so that a build stays short


def curve(statement: Statement) -> str | None:
    """An SVG of the value as one parameter grows or shrinks, others at their samples."""
    best = max(
        (points(statement, p) for p in statement.parameters),
        key=lambda found: len({y for _, y in found[1]}),
        default=None,
    )
    if best is None or len({y for _, y in best[1]}) < FEWEST:
        return None
    return _svg(statement, *best)


def points(statement: Statement, parameter: Parameter) -> tuple[Parameter, list]:
    """Values at samples of a parameter: [(x, y), ...], only finite ones."""
    given = statement.samples
    found = []
    stop = time.monotonic() + PATIENCE
    for x in _samples(parameter, given.get(parameter.name)):
        if time.monotonic() > stop:
            break
        try:
            y = number(statement.evaluate_text({**given, parameter.name: x}))
        except DepthsepError:
            continue
        if y is not None:
            found.append((number_of_text(x), y))
    return parameter, found


def _samples(parameter: Parameter, example: str | None) -> list[str]:
    if parameter.kind == "integer":
        start = int(example or 5)
        factors = (1, 2, 3, 4, 5, 6, 7, 8, 10)
        least = max(1, start // 4)
        return [str(least * k) for k in factors]
    if parameter.kind == "rational" and example:
        p, _, q = example.partition("/")
        if p.lstrip("-").isdigit() and (not q or q.isdigit()):
            return [f"{p}/{int(q or 1) * 2**k}" for k in range(STEPS)]
    return []


def number(value: Value) -> float | None:
    """A float near the value; None if it is text or too large."""
    try:
        if isinstance(value.value, Enclosure):
            found = number_of_text(value.value.lower)
        elif isinstance(value.value, str):
            return None
        else:
            found = number_of_text(value.text)
    except (ValueError, OverflowError, ZeroDivisionError):
        return None
    return found if math.isfinite(found) else None


def number_of_text(written) -> float:
    """Of a fraction or a whole number."""
    p, _, q = str(written).partition("/")
    return int(p) / int(q) if q else float(p)


def _svg(statement: Statement, parameter: Parameter, found: list) -> str:
    xs, ys = zip(*found, strict=True)
    steep = min(ys) > 0 and max(ys) > 30 * min(ys)
    scale_x = _scale(xs, LEFT, WIDTH - 16, parameter.kind == "rational")
    scale_y = _scale(ys, HEIGHT - BELOW, TOP, steep)
    line = " ".join(f"{scale_x(x):.1f},{scale_y(y):.1f}" for x, y in found)
    dots = "".join(
        f'<circle cx="{scale_x(x):.1f}" cy="{scale_y(y):.1f}" r="3.5"/>'
        for x, y in found
    )
    marks = "".join(
        f'<text x="{scale_x(x):.1f}" y="{HEIGHT - BELOW + 18}" text-anchor="{anchor}">{_short(x)}</text>'
        for x, anchor in zip(
            (xs[0], xs[len(xs) // 2], xs[-1]), ("start", "middle", "end"), strict=True
        )
    ) + "".join(
        f'<text x="{LEFT - 8}" y="{scale_y(y) + 4:.1f}" text-anchor="end">{_short(y)}</text>'
        for y in sorted({min(ys), max(ys)})
    )
    rest = {k: v for k, v in statement.samples.items() if k != parameter.name}
    others = ", ".join(f"{name}={value}" for name, value in rest.items())
    words = f"The value of {statement.id} against {parameter.name}" + (
        f" ({others})" if others else ""
    )
    return (
        f'<figure class="curve"><svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{html.escape(words)}">'
        f'<path class="axis" d="M{LEFT},{TOP}V{HEIGHT - BELOW}H{WIDTH - 8}"/>'
        f'<polyline points="{line}"/>{dots}{marks}'
        f'<text x="{(LEFT + WIDTH) / 2}" y="{HEIGHT - 6}" text-anchor="middle">{html.escape(parameter.name)}'
        f"{' (logarithmic)' if parameter.kind == 'rational' else ''}</text></svg>"
        f"<figcaption>{html.escape(words)}{'; logarithmic upwards' if steep else ''}.</figcaption></figure>"
    )


def _scale(values, start: float, stop: float, logarithmic: bool):
    bend = math.log if logarithmic else float
    low, high = bend(min(values)), bend(max(values))
    return lambda v: start + (bend(v) - low) / ((high - low) or 1.0) * (stop - start)


def _short(x: float) -> str:
    written = f"{x:.0f}" if x == int(x) and abs(x) < 1e6 else f"{x:.3g}"
    return written.replace("e-0", "e-").replace("e+0", "e").replace("e+", "e")
