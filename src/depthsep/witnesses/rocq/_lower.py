"""Lower bounds as closed statements for Rocq."""

import math

from depthsep._errors import HypothesisError
from depthsep.exact import rational
from depthsep.targets import Expression, Sawtooth, Square
from depthsep.witnesses._proof import Proof
from depthsep.witnesses.rocq._formula import formula
from depthsep.witnesses.rocq._numbers import Triples, integer, listing, real
from depthsep.witnesses.rocq._templates import LOWER, TARGET

MOST_TRIPLES = 20_000


def rocq_lower(proof: Proof) -> str:
    """A file that states and proves a lower bound, for x^2, sawtooths and formulas.

    The width is what the triples in the file prove: n of them exclude networks with
    (W + 1)^L <= n. For sawtooths that may be less than what the proof claims.

    Raises:
        HypothesisError: another norm or target, or a function coq-interval lacks.
    """
    problem = proof.problem
    if problem.norm != "linf" or not hasattr(problem.target, "exact_form"):
        raise HypothesisError(
            "files for Rocq are written only for targets on an interval, in linf"
        )
    target = problem.target
    if isinstance(target, Square):
        return _square(proof)
    if isinstance(target, Sawtooth):
        return _sawtooth(proof, target)
    if isinstance(target, Expression):
        return _formula(proof, target)
    raise HypothesisError(f"files for Rocq are not written for {target}")


def _common(proof: Proof, triples: Triples) -> dict[str, object]:
    """What all files say: layers, the width that is excluded, accuracy, witnesses."""
    if not 1 <= len(triples) <= MOST_TRIPLES:
        raise HypothesisError(
            f"a file for Rocq holds 1 to {MOST_TRIPLES} triples of "
            f"points, not {len(triples)}"
        )
    problem = proof.problem
    return {
        "L": proof.claim["depth"] - 1,
        "W": _width(proof, len(triples)) - 1,
        "E": real(problem.accuracy),
        "a": real(problem.interval.start),
        "b": real(problem.interval.stop),
        "triples": listing(triples),
        "target": "",
    }


def rocq_width(proof: Proof) -> int:
    """The width that the file for Rocq proves: by counting triples alone.

    Less than the claim where that counts signs, plain networks, or crossings.
    """
    counts = {
        "points": lambda: len(proof.evidence["points"]),
        "square": lambda: int(proof.evidence["pieces"]) - 1,
        "sawtooth": lambda: int(proof.evidence["pieces"]) // 2,
    }
    return _width(proof, counts[proof.kind]())


def _width(proof: Proof, triples: int) -> int:
    width = proof.claim["width"]
    while width ** (proof.claim["depth"] - 1) > triples:
        width -= 1
    return width


def _ends(proof: Proof, denominator: int) -> tuple[str, str]:
    on = proof.problem.interval
    return integer(int(on.start * denominator)), integer(int(on.stop * denominator))


def _square(proof: Proof) -> str:
    """Intervals of equal length and their middles."""
    on, pieces = proof.problem.interval, int(proof.evidence["pieces"]) - 1
    step = on.length / (2 * pieces)
    places = [on.start + k * step for k in range(2 * pieces + 1)]
    d = math.lcm(*(int(x.q) for x in places))
    whole = [int(x * d) for x in places]
    triples = list(zip(whole[:-2:2], whole[1::2], whole[2::2], strict=True))
    given, accuracy = _common(proof, triples), proof.problem.accuracy
    za, zb = _ends(proof, d)
    call = f"{accuracy.p} {accuracy.q} {d} {za} {zb} {given['L']} {given['W']}"
    return LOWER.format(
        **given,
        title=f"x^2 at accuracy {given['E']}",
        modules="Network Lower Square",
        name="x^2",
        f="x ^ 2",
        denominator=d,
        proof=f"  apply (square_lower {call} witnesses);\n"
        "    [vm_compute; reflexivity | lra | lra | lra].",
    )


def _sawtooth(proof: Proof, target: Sawtooth) -> str:
    """Neighbouring multiples of 2^-k, two intervals each."""
    k = target.folds
    if 1 << k > 2 * MOST_TRIPLES:
        raise HypothesisError(
            f"a file for Rocq would have to list {1 << k - 1} triples of "
            "points, too many"
        )
    triples = [(2 * i, 2 * i + 1, 2 * i + 2) for i in range(1 << (k - 1))]
    given, accuracy = _common(proof, triples), proof.problem.accuracy
    call = f"{accuracy.p} {accuracy.q} {k} {given['L']} {given['W']}"
    return LOWER.format(
        **given,
        title=f"The sawtooth with 2^{k} pieces at accuracy {given['E']}",
        modules="Network Lower Sawtooth",
        name=f"the tent map applied {k} times",
        f=f"sawtooth {k} x",
        denominator=f"2^{k}",
        proof=f"  apply (sawtooth_lower {call} witnesses);\n"
        "    [vm_compute; reflexivity | lra].",
    )


def _formula(proof: Proof, target: Expression) -> str:
    """The triples of the proof, on a common grid."""
    on = proof.problem.interval
    points = [[rational(t) for t in triple] for triple in proof.evidence["points"]]
    d = math.lcm(
        *(int(t.q) for triple in points for t in triple),
        int(on.start.q),
        int(on.stop.q),
    )
    triples = [(int(x * d), int(y * d), int(z * d)) for x, y, z in points]
    given = _common(proof, triples)
    za, zb = _ends(proof, d)
    return LOWER.format(
        **given | {"target": TARGET.format(text=formula(target))},
        title=f"A formula at accuracy {given['E']}",
        modules="Network Lower Formula",
        name="the target",
        f="target x",
        denominator=d,
        proof=f"  apply (formula_lower target {d} {za} {zb} {given['L']} {given['W']} "
        "witnesses);\n    [vm_compute; reflexivity | lra | lra | unfold witnesses, "
        "target; gaps_by_interval].",
    )
