"""What is done to a certificate: each change takes the document and gives a text."""

import copy
import hashlib
import json
import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

Mutation = Callable[[Any, Any, random.Random], str]
JUNK = (
    *(None, True, False, 0, -1, 2**70, 0.5, 1e308, -0.0, "", " ", "nan", "inf", "1/0"),
    *("0", "-1", "1e-400", "1e400", "1e99999", "9" * 6000, "1/" + "3" * 6000, "\x00"),
    *("٣", "½", "../c.json", "/dev/zero", "expr:x1", "phi2:2", "uniform:0,0", "l3"),
    *("uniform:1,0", "box:0,1", "signs:99", "square", "expr:log(x-5)", "spheres:0"),
    *("expr:max(x,log(-x**2-1))", "sawtooth:61", "x" * 30_000, "expr:" + "(" * 300),
    *([], {}, [[]], [[[]]], [None], {"a": []}, [1, "2", [3.5]], ["relu"] * 50),
    *([[1e308, "1/3"]], {"onnx": "c.json"}, "expr:x/x", "inner:t", "radial:ball"),
)


def digest(document: dict) -> str:
    """SHA-256 over everything but the digest, in canonical form."""
    rest = {k: v for k, v in document.items() if k != "sha256"}
    canonical = json.dumps(rest, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode("utf-8", "surrogatepass")).hexdigest()


def seal(document: Any) -> str:
    """The text of a document with the digest that fits it."""
    if isinstance(document, dict) and "sha256" in document:
        document["sha256"] = digest(document)
    return json.dumps(document, indent=1)


def smaller_claim(document: Any, original: Any, rng: random.Random) -> str:
    """The claimed error, and sometimes the accuracy, made smaller."""
    factor = rng.choice((Fraction(0), Fraction(1, 2), Fraction(9, 10), Fraction(-1)))
    claimed = str(Fraction(document["claim"]["error"]) * factor)
    document["claim"]["error"] = claimed
    if rng.random() < 0.5:
        document["problem"]["accuracy"] = claimed
    return seal(document)


def other_accuracy(document: Any, original: Any, rng: random.Random) -> str:
    """The accuracy below the claimed error."""
    error = Fraction(document["claim"]["error"])
    choices = (error / 2, error * Fraction(999, 1000), Fraction(1, 10**400), error * 2)
    document["problem"]["accuracy"] = str(rng.choice(choices))
    return seal(document)


def other_weight(document: Any, original: Any, rng: random.Random) -> str:
    """One weight or bias nudged, doubled, dropped or made enormous."""
    layers = document["network"].get("layers")
    if not layers:
        return other_field(document, original, rng)
    layer = rng.choice(layers)
    rows = [layer["bias"], *layer["weight"]]
    row = rng.choice([r for r in rows if r])
    place = rng.randrange(len(row))
    w = Fraction(row[place])
    row[place] = str(
        rng.choice((w + Fraction(1, 3), 2 * w + 1, Fraction(0), -w, w + 10**400))
    )
    if rng.random() < 0.5:
        document["problem"]["accuracy"] = "1/2"
    return seal(document)


def other_claim(document: Any, original: Any, rng: random.Random) -> str:
    """Other widths or more rigour than there is."""
    claim = document["claim"]
    if rng.random() < 0.5:
        claim["rigour"] = rng.choice(
            ("exact", "enclosed", "cited", "sampled", "certain")
        )
        return seal(document)
    widths = claim["widths"]
    claim["widths"] = rng.choice(
        ([w + 1 for w in widths], widths[:-1], [*widths, 1], [float(w) for w in widths])
    )
    return seal(document)


def other_problem(document: Any, original: Any, rng: random.Random) -> str:
    """Another norm, law or target; the network stays."""
    problem = document["problem"]
    law, target = problem["law"], problem["target"]
    change = rng.randrange(3)
    if change == 0:
        problem["norm"] = rng.choice(("linf", "l1", "l2", "linf ", "L2"))
    elif change == 1:
        wider = law.replace(",1", ",3").replace(":0", ":-2")
        problem["law"] = rng.choice((wider, "uniform:-1,3", "box:0,2;0,2", "signs:2"))
    else:
        others = (f"{target}+1", f"{target}*2", "square", "product", "sawtooth:3")
        problem["target"] = rng.choice((*others, "expr:sqrt(x)**2", "expr:x/x"))
    return seal(document)


def other_field(document: Any, original: Any, rng: random.Random) -> str:
    """Junk in some place, a field more or a field less."""
    holder, key = rng.choice(_places(document))
    change = rng.randrange(4)
    if change == 0 and isinstance(holder, dict):
        del holder[key]
    elif change == 1 and isinstance(holder, dict):
        holder[rng.choice(("weight_bound", "more", "onnx", ""))] = rng.choice(JUNK)
    else:
        holder[key] = copy.deepcopy(rng.choice(JUNK))
    return seal(document)


def unsealed(document: Any, original: Any, rng: random.Random) -> str:
    """A field that no check reads, without a new digest."""
    document[rng.choice(("source", "format"))] += " "
    return json.dumps(document)


def broken_text(document: Any, original: Any, rng: random.Random) -> str:
    """The file cut short, with characters changed, repeated or nested deeply."""
    written = json.dumps(document)
    place = rng.randrange(len(written))
    odd = rng.choice(
        ("{", "]", '"', ",", "\x00", "9", "e", "\ud800", "NaN", "[" * 5000)
    )
    return rng.choice(
        (
            written[:place],
            written[:place] + odd + written[place:],
            written[:place] + odd + written[place + 1 :],
            written[:-1] + ', "claim": {}}',
            written + written,
            "",
        )
    )


def _places(value: Any) -> list[tuple[Any, Any]]:
    """Every place in a document: its holder and its name or number."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    found = []
    for key, part in items:
        found.append((value, key))
        if isinstance(part, dict | list):
            found += _places(part)
    return found


MUTATIONS: tuple[Mutation, ...] = (
    *(smaller_claim, other_accuracy, other_weight, other_weight, other_claim),
    *(other_problem, other_field, other_field, other_field, unsealed, broken_text),
)
