"""C99: one function, no dependencies."""

from collections.abc import Iterable

from depthsep.exact import FLOAT32, Fixed
from depthsep.export._coded import CodedTable
from depthsep.export._words import about, c_float, float32, shown

HEAD = """\
{remark}
{type} {name}({type} x)
{{
    static const {type} start[{count}] = {{
{starts}
    }};
    static const {type} level[{count}] = {{
{levels}
    }};
    static const {type} slope[{count}] = {{
{slopes}
    }};
"""
SEARCH = """\
    while (high - low > 1) {{
        unsigned middle = (low + high) / 2;
        if (x < start[middle])
            high = middle;
        else
            low = middle;
    }}
"""
FLOATING = f"""{HEAD}\
    unsigned low = 0, high = {{count}};
    {{type}} rise;

    if (!(x > start[0]))
        x = start[0];
    if (x > {{stop}})
        x = {{stop}};
{SEARCH}\
    rise = x - start[low];
    rise = slope[low] * rise;
    return level[low] + rise;
}}}}
"""
FIXED = f"""{HEAD}\
    const {{wide}} lift = ({{wide}})1 << {{top}};
    unsigned low = 0{{high}};
    {{wide}} product;

{{below}}{{cut}}{{address}}\
    /* lifted, so that what is shifted is not negative */
    product = ({{wide}})slope[low] * (({{wide}})x - start[low]) + {{half}};
    product = ({{wide}})((u{{wide}})(product + lift) >> {{shift}});
    product = product - (lift >> {{shift}});
    return ({{type}})(level[low] + product);
}}}}
"""


def write_c(code: CodedTable, name: str) -> str:
    """A function of x in the code's format; fixed point in and out as whole numbers."""
    remark = "\n".join(["/*", *(f" * {line}" for line in _lines(code)), " */"])
    if isinstance(code.format, Fixed):
        return _fixed(code, code.format, name, f"{remark}\n#include <stdint.h>\n")
    single = code.format == FLOAT32
    show = (lambda v: c_float(float32(v))) if single else shown
    columns = [
        _column([show(value) for value in values])
        for values in zip(
            *((r.start, r.level, r.slope) for r in code.rows), strict=True
        )
    ]
    return FLOATING.format(
        remark=remark,
        type="float" if single else "double",
        name=name,
        count=len(code.rows),
        starts=columns[0],
        levels=columns[1],
        slopes=columns[2],
        stop=show(code.stop),
    )


def _lines(code: CodedTable) -> list[str]:
    lines = about(code)
    if isinstance(code.format, Fixed):
        unit = f"2**-{code.format.fraction}"
        lines.append(f"x and the result are integers, in units of {unit};")
        lines.append(f"slopes are integers, in units of 2**-{code.shift}.")
    return [line.replace("*/", "* /") for line in lines]


def _fixed(code: CodedTable, form: Fixed, name: str, remark: str) -> str:
    bits, rows = form.word, code.whole_rows(form)
    wide, address = f"int{2 * bits}_t", code.address_bits(form)
    starts, levels, slopes = (_column(map(str, v)) for v in zip(*rows, strict=True))
    return FIXED.format(
        remark=remark,
        type=f"int{bits}_t",
        wide=wide,
        name=name,
        count=len(rows),
        starts=starts,
        levels=levels,
        slopes=slopes,
        address=_address(address, wide, len(rows)),
        high="" if address is not None else f", high = {len(rows)}",
        below=_below(rows[0][0], -1 << (bits - 1)),
        cut=_cut(int(code.stop / form.unit), (1 << (bits - 1)) - 1),
        half=(1 << code.shift) // 2,
        shift=code.shift,
        top=2 * bits - 2,
    )


def _address(bits: int | None, wide: str, count: int) -> str:
    """Which row it is: read off the bits of x, or searched."""
    if bits is None:
        return SEARCH.format()
    return (
        f"    low = (unsigned)((({wide})x - start[0]) >> {bits});\n"
        f"    if (low > {count - 1})\n        low = {count - 1};\n"
    )


def _cut(stop: int, most: int) -> str:
    """Beyond the end; nothing is beyond the largest number of the type."""
    return f"    if (x > {stop})\n        x = {stop};\n" if stop < most else ""


def _below(start: int, least: int) -> str:
    return "    if (x < start[0])\n        x = start[0];\n" if start > least else ""


def _column(numbers: Iterable[str]) -> str:
    return ",\n".join(f"        {n}" for n in numbers)
