"""`--dim all` of `separate` and `prove`: bounds as formulas in the dimension."""

import json
import re
from collections.abc import Callable, Sequence
from functools import partial

import click
from flint import fmpq

from depthsep._errors import CertificationError, HypothesisError
from depthsep._files import write_atomically
from depthsep._plural import plural
from depthsep._progress import followed
from depthsep.cli._echo import echo
from depthsep.cli._options import (
    command_line,
    given_options,
    print_json,
    read_depths,
)
from depthsep.cli._progress import waiting
from depthsep.cli._types import Dims
from depthsep.every_dimension import ForAll, bounds_for
from depthsep.exact import text
from depthsep.jobs import PROBLEM, Values
from depthsep.papers import (
    EveryDimensionRow,
    every_dimension_row,
    sample_dims,
    shown_row,
)
from depthsep.reports import (
    growth_figure,
    print_rows,
    write_growth,
    write_paper_kit,
)
from depthsep.targets import value_in_dimension
from depthsep.witnesses import every_dimension_document, run_checker

LONGEST = 40  # ranges of dimensions that are shown whole
Accuracy = Callable[[int], fmpq]
LAWS = {
    "spheres": "x and x' independent and uniform on the unit sphere in R^d",
    "ball": "x uniform in the unit ball of R^d",
    "phi2": "x with the density phi^2 of Eldan and Shamir (2016) on R^d",
    "gaussian": "N(0, I_d)",
    "uniform": "the uniform law on [0, 1]",
    "signs": "independent uniform signs x_1, ..., x_d",
}
TAKEN = ("dim", "accuracy", "norm", "law", "depths", "report", "kit", "output")


def accuracy_of(written: str | None, variable: str = "d") -> Accuracy:
    """E, a number or a formula in d (or k) such as 1/(20*d)."""
    if written is None:
        raise HypothesisError(
            f"--accuracy is missing; give a number, or a formula in {variable}"
        )

    formula = re.sub(rf"\b{variable}\b", "d", written.replace("^", "**"))

    def at(dim: int) -> fmpq:
        """E at one d."""
        try:
            found = value_in_dimension(formula, dim, "the accuracy")
        except HypothesisError as refusal:
            raise HypothesisError(f"at {variable} = {dim}: {refusal}") from None
        if found <= 0:
            raise HypothesisError(
                f"the accuracy is {text(found)} at {variable} = {dim}; it must be "
                "positive"
            )
        return found

    return at


def chosen_dims(
    dims: Dims, theorems: Sequence[ForAll], accuracy: Accuracy
) -> tuple[list[int], list[int]]:
    """The dimensions of a table, all of a short range, else samples; and those of which
    nothing is known at that accuracy.

    Raises:
        HypothesisError: no bound speaks of one of them at that accuracy.
    """
    lower = [t for t in theorems if t.side == "at least"]
    whole = dims.last is not None and len(dims.span) <= LONGEST
    known = sample_dims(theorems, dims.span) if whole else sample_dims(theorems)
    found = [d for d in known if d in dims.span]
    if not found:
        about = " and ".join(t.dims for t in lower)
        raise HypothesisError(
            f"the bounds hold for {about}, and none of the dimensions that were asked "
            "for is among these; give another --dim"
        )
    allowed = [
        d for d in found if any(t.covers(d) and t.allows(d, accuracy(d)) for t in lower)
    ]
    if not allowed:
        best = " or ".join(f"E <= {t.best_words} for {t.dims}" for t in lower)
        raise HypothesisError(
            f"the bounds need an accuracy E with 0 < {best}; give a smaller "
            "--accuracy, which may be a formula in d such as "
            f"1/(20*{lower[0].variable})"
        )
    return allowed, [d for d in found if d not in allowed]


def refuse_others(values: Values) -> tuple[ForAll, ...]:
    """The bounds of the target, if everything else that was asked has a meaning."""
    names = [p.name for p in PROBLEM] + list(click.get_current_context().params)
    for flag in given_options(*(n for n in names if n not in TAKEN)):
        if flag not in ("--target", "--as-json"):
            raise HypothesisError(
                f"{flag} has no meaning if --dim is all or a range; leave it out"
            )
    theorems = bounds_for(values["target"])
    law, right = values["law"], theorems[0].law
    if law not in (None, right, f"{right}:d"):
        raise HypothesisError(
            f"the law is {law[:40]}; the bounds hold only for the law {right}"
        )
    norm = "l1" if theorems[0].norm == "L1" else "l2"
    if values["norm"] not in ("linf", norm):
        raise HypothesisError(
            f"these bounds hold for the norms {norm} and linf only; give --norm {norm}"
        )
    if values["norm"] == "linf":
        return tuple(t for t in theorems if t.side == "at least" or t.norm != "L2")
    return theorems


def separate_for_all(values: Values, given: Values) -> None:
    """Formulas in d for every depth, and a table of their values."""
    theorems = refuse_others(values)
    accuracy = accuracy_of(values["accuracy"], theorems[0].variable)
    norm = values["norm"]
    dims, left_out = chosen_dims(values["dim"], theorems, accuracy)
    rows = all_rows(theorems, [(d, accuracy(d)) for d in dims])
    depths = read_depths(given["depths"])
    names = []
    drawn = partial(growth_figure, theorems, [accuracy], dims[0], dims[-1])
    if given["report"] is not None:
        names = write_growth(drawn(), given["report"])
    if given["kit"] is not None:
        used = [t.statement for t in theorems]
        title = f"Bounds on the width for {question(theorems)}"
        said = {"about": _about(theorems), "command": command_line()}
        names += write_paper_kit(title, rows, used, given["kit"], drawn(), **said)
    if given["as_json"]:
        asked = {"accuracy": values["accuracy"], "norm": norm}
        print_json(
            {"target": theorems[0].target, "law": theorems[0].law}
            | asked
            | {"theorems": [t.to_json() for t in theorems]}
            | {"rows": [shown_row(row) for row in rows]}
        )
    else:
        head = f"{question(theorems)}; {norm} accuracy {values['accuracy']}"
        print_sentences(theorems, depths, head)
        print_table(rows, left_out)
    for name in names:
        echo(f"wrote {name}", err=given["as_json"])


def _about(theorems: Sequence[ForAll]) -> str:
    """Each bound in a sentence; the table has logarithms."""
    said = " ".join(f"{t.sentence[0].upper()}{t.sentence[1:]}." for t in theorems)
    return f"{said} The table lists the logarithms to base 2 of the widths."


def print_table(rows: Sequence[EveryDimensionRow], left_out: Sequence[int]) -> None:
    """Columns that have a number, and the dimensions that have no row."""
    seen = [c for c in rows[0].columns if any(r.columns[c] is not None for r in rows)]
    listed = [{r.variable: r.dim} | {c: r.columns[c] for c in seen} for r in rows]
    print_rows(listed, rows[0].at_most)
    if left_out:
        shown = ", ".join(map(str, left_out[:8])) + ", ..." * (len(left_out) > 8)
        echo(f"  no lower bound at this accuracy for {rows[0].variable} = {shown}")


def all_rows(
    theorems: Sequence[ForAll], asked: Sequence[tuple[int, fmpq]]
) -> list[EveryDimensionRow]:
    """A row for every dimension and accuracy."""
    with waiting("rows"):
        return [
            every_dimension_row(theorems, d, e)
            for d, e in followed(asked, len(asked), "rows")
        ]


def question(theorems: Sequence[ForAll]) -> str:
    """Target and law, for every d."""
    first = theorems[0]
    return f"{first.target} for every {first.variable}; law: {LAWS[first.law]}"


def print_sentences(theorems: Sequence[ForAll], depths: range, head: str) -> None:
    """What holds for every d, and where it is proved."""
    echo(head)
    for theorem in theorems:
        if isinstance(theorem.depth, str) or theorem.depth in depths:
            echo(f"  {theorem.sentence}")
    if depths[-1] > 3 and any(t.depth == 3 for t in theorems):
        first = max(4, depths[0])
        which = f"depth {first}" if first == depths[-1] else f"depths {first} and up"
        echo(
            f"  {which}: no layer needs more units than at depth 3, since two units "
            "in each further layer can pass the output on"
        )
    checked = sum(len(t.obligations) for t in theorems)
    rest = (
        f"; this command checked {plural(checked, 'condition')} of it"
        if checked
        else ""
    )
    if theorems[0].target.endswith(" on 0,inf"):
        echo(
            "  in these bounds the target is defined on all of R^d; if "
            "--dim is one number, a formula without an interval such "
            "as `on 0,inf` is set to 0 for |x| > 1"
        )
    pages = sorted({f"docs/proofs/{t.page}.md" for t in theorems})
    echo(
        f"  The proof is in {', '.join(pages)}{rest}. The table shows log2 "
        "of the widths."
    )


def prove_for_all(values: Values, given: Values) -> None:
    """The inequalities that the bounds rest on, for the checker."""
    theorems = refuse_others(values)
    if values["dim"] != Dims():
        raise HypothesisError("a proof covers every d; give --dim all")
    if values["accuracy"] is not None:
        chosen_dims(
            values["dim"],
            theorems,
            accuracy_of(values["accuracy"], theorems[0].variable),
        )
    if not any(theorem.obligations for theorem in theorems):
        raise HypothesisError(
            f"there is no proof file to write: docs/proofs/{theorems[0].page}.md "
            f"proves the formula of this bound for every {theorems[0].variable}, "
            "which leaves the checker nothing to compute"
        )
    document = every_dimension_document(theorems)
    output, said = given["output"], ""
    if output is not None:
        write_atomically(output, (json.dumps(document) + "\n").encode())
        answer = run_checker(output)
        if not answer.valid:
            raise CertificationError(
                f"the checker refuses {output}: {answer.words}; this is a bug, please "
                "report it"
            )
        said = f"base cases written to {output}; the checker says {answer.words}"
    if given["as_json"]:
        print_json(document | {"proof": output})
        return
    echo(question(theorems))
    for theorem in theorems:
        echo(f"  {theorem.sentence}")
        for obligation in theorem.obligations:
            cases = plural(len(obligation.base_cases), "base case")
            where = "" if obligation.is_at_start else f"for {theorem.dims}: "
            echo(
                f"    {where}{obligation.says} (rests on {cases}, each a "
                "number shown to be >= 0)"
            )
    echo(f"  {said or 'give -o FILE to write the base cases'}")
