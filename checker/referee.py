"""A referee for checkers: proofs that hold, and altered ones that do not.

    python checker/referee.py make FOLDER [COUNT]    # needs depthsep
    python checker/referee.py run FOLDER [CHECKER]   # needs Python alone

`make` writes COUNT proofs that hold into FOLDER/valid (200 if not given) and five
alterations of each into FOLDER/altered: the same files on every machine. `run` asks a
checker about all of them (depthsep_check.py beside this file if none is given): it has
to answer 0 for the first and 1 or 2 for the others. Every alteration has a digest of
its own, so that only what it says can give it away.
"""

import copy
import hashlib
import json
import random
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

HERE = Path(__file__).resolve().parent
SEED = 20260101
EACH = 5  # alterations of a proof
FORMULAS = (
    ("exp(x)", "0,1"), ("sin(20*x)", "0,1"), ("sqrt(x)", "0,1"), ("1/(1+25*x**2)", "-1,1"),
    ("log(1+x)", "0,3"), ("x**3-x", "-1,1"), ("atan(5*x)", "-1,1"), ("cos(7*x)*x", "0,2"),
    ("exp(-x**2)", "-2,2"), ("x**(3/2)", "0,1"), ("tanh(3*x)", "-1,1"), ("x*log(x+1)", "0,1"),
)  # fmt: skip
SYMMETRIC = (
    ("inner:sin(4*t)", "spheres:3"), ("inner:exp(t)", "spheres:4"), ("inner:cos(9*t)", "spheres:2"),
    ("radial:relu", "ball:3"), ("radial:cos(4*r)", "ball:3"), ("radial:exp(-r**2)", "ball:4"),
)  # fmt: skip


def problems(rng):
    """Target, law, norm, accuracy and depth, again and again."""
    while True:
        kind, depth = rng.randrange(12), rng.randrange(2, 6)
        norm = rng.choice(("linf", "linf", "l1", "l2"))
        accuracy = str(Fraction(rng.randrange(10, 100), 10 ** rng.randrange(3, 6)))
        if kind < 2:
            yield "square", "uniform:0,1", norm, accuracy, depth
        elif kind == 2:
            folds = rng.randrange(3, 9)
            share = Fraction(rng.randrange(2, 20), 100)
            yield f"sawtooth:{folds}", "uniform:0,1", norm, str(share), depth
        elif kind == 3:
            yield "product", "box:-1,1;-1,1", norm, accuracy, min(depth, 4)
        elif kind > 9:
            target, law = rng.choice(SYMMETRIC)
            rough = str(Fraction(rng.randrange(5, 25), 100))
            yield target, law, rng.choice(("linf", "l2")), rough, depth
        else:
            formula, on = rng.choice(FORMULAS)
            accuracy = str(Fraction(rng.randrange(10, 100), 10 ** rng.randrange(3, 5)))
            yield f"expr:{formula}", f"uniform:{on}", norm, accuracy, depth


def valid(count):
    """Proofs of both sides, in turn."""
    from depthsep import Problem, build
    from depthsep._errors import DepthsepError
    from depthsep.witnesses import Proof, prove_lower, prove_upper

    rng, found = random.Random(SEED), 0
    for target, law, norm, accuracy, depth in problems(rng):
        problem = Problem.from_json(
            {"target": target, "law": law, "norm": norm, "accuracy": accuracy}
        )
        try:
            if found % 2:
                proof = prove_upper(build(problem, depth=depth).network, problem)
            else:
                proof = prove_lower(problem, depth, skips=rng.random() < 0.7)
        except DepthsepError:
            continue
        if not isinstance(proof, Proof):
            continue
        yield proof.document
        found += 1
        if found == count:
            return


def sealed(document):
    """With a digest of its own."""
    rest = {name: part for name, part in document.items() if name != "sha256"}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"))
    return rest | {"sha256": hashlib.sha256(text.encode()).hexdigest()}


def alterations(document):
    """Every way to alter it that makes a false or an unproved claim: name, document."""
    for name, change in (LOWER if document["side"] == "lower" else UPPER).items():
        altered = copy.deepcopy(document)
        if change(altered) is not False:
            yield name, sealed(altered)
    yield "another digest", document | {"sha256": "0" * 64}


def scaled(text, by):
    return str(Fraction(text) * by)


def wider(d):
    d["claim"]["width"] += 1


def deeper(d):
    d["claim"]["depth"] += 1
    return d["claim"]["width"] > 1 and d["claim"]["depth"] > 20


def rougher(d):
    d["problem"]["accuracy"] = "1000000"


def another_kind(d):
    d["kind"] = {"points": "mean", "mean": "points", "ranks": "arcs"}.get(
        d["kind"], "points"
    )


def more_pieces(d):
    if "pieces" not in d["evidence"]:
        return False
    d["evidence"]["pieces"] += 1
    d["claim"]["width"] += 1


def overlapping(d):
    points = d["evidence"].get("points", [])
    if len(points) < 2:
        return False
    points.insert(1, points[0])


def reversed_points(d):
    if "points" not in d["evidence"]:
        return False
    d["evidence"]["points"] = [p[::-1] for p in d["evidence"]["points"]]


def shorter_points(d):
    """Half of an interval bends a quarter as much."""
    if "points" not in d["evidence"]:
        return False
    x, y, z = map(Fraction, d["evidence"]["points"][0])
    d["evidence"]["points"][0] = [str(x), str((x + y) / 2), str((x + z) / 2)]


def larger_potentials(d):
    if "potentials" not in d["evidence"]:
        return False
    d["evidence"]["potentials"] = [2 * v for v in d["evidence"]["potentials"]]


def lower_price(d):
    if "price" not in d["evidence"]:
        return False
    d["evidence"]["price"] //= 2


def another_polynomial(d):
    """Steeper: nearer to another function."""
    if "polynomial" not in d["evidence"]:
        return False
    d["evidence"]["polynomial"] = [scaled(c, 3) for c in d["evidence"]["polynomial"]]


def places_in_reverse(d):
    name = "places" if "places" in d["evidence"] else "intervals"
    if len(d["evidence"].get(name, [])) < 2:
        return False
    d["evidence"][name].reverse()


def place_twice(d):
    name = "places" if "places" in d["evidence"] else "intervals"
    if name not in d["evidence"]:
        return False
    d["evidence"][name].insert(1, d["evidence"][name][0])


def linear_target(d):
    kind = d["problem"]["target"].partition(":")[0]
    if kind in ("inner", "radial"):
        d["problem"]["target"] = f"{kind}:1"
    elif d["problem"]["law"].startswith("box"):
        d["problem"]["target"] = "expr:x1+x2"
    else:
        d["problem"]["target"] = "expr:3*x+1"


def added_field(d):
    d["claim"]["also"] = "P = NP"


LOWER = {
    "a larger width": wider, "a rougher accuracy": rougher, "another kind": another_kind,
    "more pieces": more_pieces, "the same points twice": overlapping,
    "points in reverse": reversed_points, "a shorter interval": shorter_points,
    "twice the potentials": larger_potentials, "half the price": lower_price,
    "a linear target": linear_target, "a field that is not known": added_field,
    "another polynomial": another_polynomial, "places in reverse": places_in_reverse,
    "a place twice": place_twice,
}  # fmt: skip


def first_cuts(d):
    evidence = d["evidence"]
    return (evidence["ridges"][0] if "ridges" in evidence else evidence)["cuts"]


def smaller_error(d):
    """One unit in the last of six digits."""
    error, unit = Fraction(d["claim"]["error"]), Fraction(1)
    while 0 < error * unit < 10**5:
        unit *= 10
    if error in (0, Fraction(d["problem"]["accuracy"])):
        return False
    d["claim"]["error"] = str((error * unit - 1) / unit)


def finer_with_error(d):
    if Fraction(d["claim"]["error"]) == 0:
        return False
    d["problem"]["accuracy"] = scaled(d["claim"]["error"], Fraction(3, 4))
    d["claim"]["error"] = d["problem"]["accuracy"]


def kink_left_out(d):
    cuts = first_cuts(d)
    if len(cuts) < 4:
        return False
    del cuts[1:-1]


def end_left_out(d):
    first_cuts(d).pop()


def cuts_in_reverse(d):
    first_cuts(d).reverse()


def another_bias(d):
    bias = d["network"]["layers"][-1]["bias"]
    bias[0] = str(Fraction(bias[0]) + 2 * Fraction(d["problem"]["accuracy"]))


def another_weight(d):
    weights = d["network"]["layers"][0]["weight"]
    weights[0][0] = str(Fraction(weights[0][0]) + 5)


def narrower_claim(d):
    d["claim"]["widths"][0] -= 1


def shallower_claim(d):
    d["claim"]["depth"] -= 1


def thresholds(d):
    d["network"]["activations"][0] = "threshold"


def ridge_left_out(d):
    if len(d["evidence"].get("ridges", [])) < 2:
        return False
    d["evidence"]["ridges"].pop()


def another_ridge(d):
    if "ridges" not in d["evidence"]:
        return False
    powers = d["evidence"]["ridges"][0]["powers"]
    powers[2] = scaled(powers[2], -1)


def another_sum(d):
    if len(d["evidence"].get("sum", [])) < 2:
        return False
    d["evidence"]["sum"][1] = scaled(d["evidence"]["sum"][1], 2)


def longer_interval(d):
    kind, _, dim = d["problem"]["law"].partition(":")
    if kind in ("spheres", "ball"):
        d["problem"]["law"] = f"{kind}:{int(dim) + 1}"
        return
    head, _, stop = d["problem"]["law"].rpartition(",")
    d["problem"]["law"] = f"{head},{int(stop) + 2}"


UPPER = {
    "a smaller error": smaller_error, "a finer accuracy": finer_with_error,
    "kinks left out": kink_left_out, "an end left out": end_left_out,
    "cuts in reverse": cuts_in_reverse, "another bias": another_bias,
    "another weight": another_weight, "fewer units than there are": narrower_claim,
    "fewer layers than there are": shallower_claim, "other units": thresholds,
    "a longer interval": longer_interval, "a linear target": linear_target,
    "a field that is not known": added_field, "a ridge left out": ridge_left_out,
    "another ridge": another_ridge, "another sum": another_sum,
}  # fmt: skip


def make(folder, count=200):
    """Write the suite; how many files of each sort."""
    rng, numbers = random.Random(SEED), [0, 0]
    for sort in ("valid", "altered"):
        (folder / sort).mkdir(parents=True, exist_ok=True)
    for number, document in enumerate(valid(count)):
        stem = f"{number:03d}-{document['side']}-{document['kind']}"
        (folder / "valid" / f"{stem}.json").write_text(json.dumps(document))
        ways = list(alterations(document))
        for name, altered in rng.sample(ways, min(EACH, len(ways))):
            place = folder / "altered" / f"{stem}-{name.replace(' ', '-')}.json"
            place.write_text(json.dumps(altered))
            numbers[1] += 1
        numbers[0] += 1
    return numbers


def run(folder, checker=HERE / "depthsep_check.py"):
    """The files that the checker is wrong about."""
    wrong, count = [], 0
    for sort, allowed in (("valid", (0,)), ("altered", (1, 2))):
        for file in sorted((folder / sort).glob("*.json")):
            command = [sys.executable, "-I", "-S", str(checker), str(file)]
            done = subprocess.run(command, capture_output=True, text=True)
            count += 1
            if done.returncode not in allowed:
                wrong.append(file)
                print(f"WRONG about {file}: {(done.stdout + done.stderr).strip()}")
    print(f"{count - len(wrong)} of {count} answers are right")
    if not count:
        raise SystemExit(f"{folder} holds no suite; make one first")
    return wrong


def main(arguments):
    if len(arguments) < 2 or arguments[0] not in ("make", "run"):
        print(__doc__.strip())
        return 2
    folder, rest = Path(arguments[1]), arguments[2:]
    if arguments[0] == "make":
        valid_ones, altered = make(folder, *map(int, rest))
        print(f"{valid_ones} proofs that hold and {altered} that do not, in {folder}")
        return 0
    return 1 if run(folder, *map(Path, rest)) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
