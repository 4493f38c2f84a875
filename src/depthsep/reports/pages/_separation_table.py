"""The tables of the HTML report."""

from html import escape

from flint import fmpq

from depthsep.claims import Learned, Lower, Upper
from depthsep.exact import text
from depthsep.reports.pages._environment import formula
from depthsep.reports.words._bases import Basis, bases, basis_of, has_unchecked
from depthsep.reports.words._numbers import (
    PLAIN_BELOW,
    compact,
    error_words,
    power_of_two,
)
from depthsep.reports.words._problem import (
    NOT_BUILT,
    depths_words,
    main_reasons,
    raised,
)
from depthsep.separation import Row, Separation

LEARNED = (
    '<th class="group learned" colspan="2">learned</th>',
    "<th>width</th><th>error</th>",
)
HEAD = """<thead>
<tr><th class="group" colspan="2"></th><th class="group proven" colspan="3">proven</th>
<th class="group certified" colspan="5">certified</th>{}</tr>
<tr><th>depth</th><th>hidden layers</th><th>width&nbsp;&ge;</th><th>units&nbsp;&ge;</th>
<th class="words">rigour</th><th>width&nbsp;&le;</th><th>units</th><th>pieces</th>
<th>error&nbsp;&le;</th><th class="words">rigour</th>{}</tr>
</thead>"""


def table(separation: Separation) -> str:
    """The main table; letters lead to what the row rests on."""
    known, accuracy = bases(separation), separation.problem.accuracy
    learned = any(row.learned for row in separation)
    rows = "\n".join(_row(row, known, accuracy, learned) for row in separation)
    star = f"<caption>* {NOT_BUILT}</caption>" if has_unchecked(separation) else ""
    head = HEAD.format(*(LEARNED if learned else ("", "")))
    return (
        f'<div class="scroll"><table>{star}\n{head}\n<tbody>\n{rows}\n</tbody>\n'
        "</table></div>"
    )


def _row(row: Row, known: tuple[Basis, ...], accuracy: fmpq, learned: bool) -> str:
    cells = [_cell(str(row.depth)), _cell(str(row.depth - 1))]
    cells += _lower_cells(row, basis_of(known, "proven", row))
    cells += _upper_cells(row, basis_of(known, "certified", row), accuracy)
    cells += _learned_cells(row.learned) if learned else []
    return f"<tr>{''.join(cells)}</tr>"


def _lower_cells(row: Row, basis: Basis) -> list[str]:
    lower = row.lower
    if not isinstance(lower, Lower):
        return [*([_cell("&ndash;", "muted")] * 2), _none(basis)]
    return [
        _cell(integer(lower.width), "width proven"),
        _cell(brief(lower.units, upward=False)),
        _rigour(str(lower.rigour), basis),
    ]


def _upper_cells(row: Row, basis: Basis, accuracy: fmpq) -> list[str]:
    upper = row.upper
    if not isinstance(upper, Upper):
        return [*([_cell("&ndash;", "muted")] * 4), _none(basis)]
    star = "" if upper.checked else "*"
    exact = escape(text(upper.error))
    error = f'<span title="{exact}">{error_words(upper.error, accuracy)}</span>'
    return [
        _cell(star + integer(upper.width), "width certified"),
        _cell(brief(upper.units, upward=True)),
        _cell("&ndash;" if upper.pieces is None else brief(upper.pieces, upward=True)),
        _cell(error),
        _rigour(str(upper.rigour), basis),
    ]


def _learned_cells(learned: Learned | None) -> list[str]:
    if learned is None:
        return [_cell("&ndash;", "muted")] * 2
    return [
        _cell(integer(learned.width) if learned.met else "none", "width learned"),
        _cell(f"{learned.error:.3g}"),
    ]


def _cell(inside: str, kind: str = "") -> str:
    return f'<td class="{kind}">{inside}</td>' if kind else f"<td>{inside}</td>"


def _rigour(word: str, basis: Basis) -> str:
    link = f'<sup><a href="#basis-{basis.mark}">{basis.mark}</a></sup>'
    return _cell(f"{word} {link}", "words")


def _none(basis: Basis) -> str:
    return _rigour('<span class="muted">none</span>', basis)


def integer(n: int) -> str:
    """All digits; a long power of two as such, its digits where the pointer rests."""
    exponent = power_of_two(n)
    return (
        str(n)
        if exponent is None
        else f'<span title="{n}">2<sup>{exponent}</sup></span>'
    )


def brief(n: int, *, upward: bool) -> str:
    """Few characters, rounded to the safe side; all digits at the pointer."""
    if power_of_two(n) is not None or abs(n) < PLAIN_BELOW:
        return integer(n)
    return f'<span title="{n}">{compact(n, upward=upward)}</span>'


def basis_item(basis: Basis) -> str:
    """What some rows rest on: the statement, its hypotheses and where it is from."""
    where = f'<b class="{basis.side}">{basis.side}</b>, {depths_words(basis.depths)}'
    if basis.statement is None:
        reason = _sentence(main_reasons(basis.text))
        inside = f"<p>{where}: no statement applies. {reason}</p>"
    else:
        inside = f"<p>{where}: {escape(basis.text)}</p>\n{_statement(basis)}"
    mark = f'<span class="mark">{basis.mark}</span>'
    return f'<li id="basis-{basis.mark}">{mark}{inside}</li>'


def _statement(basis: Basis) -> str:
    lines = [f"Holds for: {escape(basis.remark)}."] if basis.remark else []
    statement = basis.statement
    if statement is not None:
        words = formula(raised(statement.formula))
        lines.append(f"{_sentence(statement.title)} {words}")
        lines.append(f"Hypotheses: {_sentence('; '.join(statement.hypotheses))}")
        lines += [f"Note: {_sentence(remark)}" for remark in statement.errata]
    if basis.reference:
        lines.append(escape(basis.reference))
    return "\n".join(f'<p class="muted">{line}</p>' for line in lines)


def _sentence(words: str) -> str:
    if words[:2].isalpha():  # a lone letter is mathematics: k is not K
        words = words[0].upper() + words[1:]
    return escape(raised(words).rstrip(".")) + "."


def asked(separation: Separation) -> str:
    """Every statement asked and its answer, equal answers of several depths in one."""
    found: dict[tuple[str, str], list[int]] = {}
    for row in separation:
        for name, answer in row.asked:
            found.setdefault((name, answer), []).append(row.depth)
    if not found:
        return "<p>Nothing was recorded.</p>"
    order = {name: i for i, name in enumerate(dict.fromkeys(name for name, _ in found))}
    lines = "\n".join(
        f'<tr><td class="words">{escape(name)}</td>'
        f'<td class="words">{depths_words(tuple(depths))}</td>'
        f'<td class="words answer">{escape(answer)}</td></tr>'
        for (name, answer), depths in sorted(
            found.items(), key=lambda item: (order[item[0][0]], item[1][0])
        )
    )
    head = "".join(f'<th class="words">{h}</th>' for h in ("asked", "at", "answer"))
    return (
        f"<details>\n<summary>{len(order)} statements, all answers</summary>\n"
        f'<div class="scroll"><table><thead><tr>{head}</tr></thead>\n'
        f"<tbody>\n{lines}\n</tbody></table></div>\n</details>"
    )
