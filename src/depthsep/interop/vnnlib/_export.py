"""A folder of instances, laid out as the verification competition wants it."""

import csv
import io
import os
import shutil
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from depthsep._errors import CertificationError, HypothesisError
from depthsep._progress import followed
from depthsep.evidence import Source
from depthsep.exact import nearest_float
from depthsep.interop.files._certificates import (
    certified_network,
    read_certificate,
    verify,
    write_certificate,
)
from depthsep.interop.onnx._read import read_onnx
from depthsep.interop.onnx._write import write_onnx
from depthsep.interop.vnnlib._certified import certified
from depthsep.interop.vnnlib._families import FAMILIES, Group, graded, ranged
from depthsep.interop.vnnlib._instances import Instance, check_instance
from depthsep.interop.vnnlib._text import counterexample_text, property_text
from depthsep.networks import as_relu
from depthsep.problems import Problem

LEVELS = range(1, 4)
MOST_LEVEL = 6
TIMEOUT = 120
READ_ME = """\
Verification instances whose answers are proved. Each asks whether the output of a
network can reach a limit on a box of inputs; a point of the box where it does is a
counterexample, or witness.

instances.csv   network, property, time limit in seconds
answers.csv     for each instance: the answer, the witness, how far the limit lies from
                the extreme output (or from the output at the witness), how many
                activation regions the network has on the box, and why the answer
                is right
onnx/           networks in float32; their weights are meant exactly as stored
vnnlib/         properties in VNN-LIB 1.0, satisfied only by counterexamples
witnesses/      a counterexample for every instance that has one (sat)
certificates/   what the constructions of the networks claim; check with depthsep verify

Answers are about real arithmetic: sat means that the box contains a counterexample,
unsat that it contains none. The output at a witness is exact.
"""


@dataclass(frozen=True)
class Exported:
    """A folder that was written."""

    folder: Path
    instances: tuple[Instance, ...]


def export_vnnlib(
    folder: str | os.PathLike[str],
    *,
    families: Sequence[str] = tuple(FAMILIES),
    levels: range = LEVELS,
    certificates: Sequence[str | os.PathLike[str]] = (),
    timeout: int = TIMEOUT,
) -> Exported:
    """Write networks, properties, answers, witnesses and certificates.

    Every answer is derived again from the network and the property before anything is
    written.

    Args:
        folder: made whole or not at all; must not exist yet, or be empty.
        families: of ``sawtooth``, ``product`` and ``error``.
        levels: 1 (easy) to 6.
        certificates: of further networks, linf on an interval or a box of up to four
            inputs; if given, families are written only if asked for.
        timeout: seconds, for every instance.

    Raises:
        HypothesisError: an unknown family, a level out of range, a folder that is not
            empty, a certificate that does not hold or is about something else.
        CertificationError: an answer does not hold; nothing is written.
    """
    _check(families, levels, timeout)
    place = Path(folder)
    if place.resolve() == Path.cwd():
        raise HypothesisError("the folder is the current one; give a new folder")
    if place.exists() and (not place.is_dir() or any(place.iterdir())):
        raise HypothesisError(
            f"{place} exists and is not an empty folder; choose another folder"
        )
    place.parent.mkdir(parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(prefix=f".{place.name}.", dir=place.parent))
    try:
        total = len(families) * len(levels) + len(certificates)
        groups = _groups(families, levels, certificates)
        instances = _write(made, followed(groups, total, "instances"))
        _write_lists(made, instances, timeout)
        made.chmod(0o755)
        os.replace(made, place)
    except BaseException:
        shutil.rmtree(made, ignore_errors=True)
        raise
    return Exported(place, instances)


def _check(families: Sequence[str], levels: range, timeout: int) -> None:
    unknown = [f for f in families if f not in FAMILIES]
    if unknown:
        raise HypothesisError(
            f"unknown family {unknown[0]!r}; use {', '.join(FAMILIES)}"
        )
    if not levels or levels[0] < 1 or levels[-1] > MOST_LEVEL:
        raise HypothesisError(f"levels must be from 1 to {MOST_LEVEL}")
    if timeout < 1:
        raise HypothesisError(
            "the time limit must be a whole number of seconds, 1 or more"
        )


def _groups(
    families: Sequence[str],
    levels: range,
    certificates: Sequence[str | os.PathLike[str]],
) -> Iterable[Group]:
    yield from graded(list(families), levels)
    for number, path in enumerate(certificates, start=1):
        yield _of_certificate(Path(path), number, levels)


def _of_certificate(path: Path, number: int, levels: range) -> Group:
    """Of a certificate that holds, in float32 and certified again."""
    verdict = verify(path)
    if not verdict.valid:
        raise HypothesisError(f"{path} is not valid: {verdict.reason}")
    certificate = read_certificate(path)
    problem = Problem.from_json(certificate.problem)
    network = certified_network(certificate, path.parent)
    law = problem.law
    few = law.setting in ("line", "box") and law.in_dim <= 4
    if problem.norm != "linf" or not few:
        raise HypothesisError(
            f"{path} is a certificate for {problem.norm} on {law}; give "
            "one for linf on an interval or a box of up to four inputs"
        )
    key, _, where = certificate.source.partition(", ")
    made = certified(problem, network, Source(key, where))
    name = f"certificate-{number}-{path.stem}"
    group = ranged(name, made.network, problem, levels)
    return Group(group.instances, {name: made.certificate})


def _write(folder: Path, groups: Iterable[Group]) -> tuple[Instance, ...]:
    for part in ("onnx", "vnnlib", "witnesses", "certificates"):
        (folder / part).mkdir()
    found: list[Instance] = []
    for group in groups:
        _check_names(found, group)
        for instance in group.instances:
            check_instance(instance)
            _write_instance(folder, instance)
        for name, certificate in group.certificates.items():
            write_certificate(certificate, folder / "certificates" / f"{name}.json")
        found += group.instances
    return tuple(found)


def _check_names(found: Sequence[Instance], group: Group) -> None:
    names = [i.name for i in (*found, *group.instances)]
    networks = {i.network_name for i in found}
    again = networks & {i.network_name for i in group.instances}
    again |= {name for name in names if names.count(name) > 1}
    if again:
        raise HypothesisError(
            f"the name {min(again)!r} occurs twice; give each family and each "
            "certificate once, under different file names"
        )


def _write_instance(folder: Path, instance: Instance) -> None:
    model = folder / "onnx" / f"{instance.network_name}.onnx"
    if not model.exists():
        write_onnx(instance.network, model, kind=np.float32, batch=1)
    if read_onnx(model) != as_relu(instance.network):
        raise CertificationError(
            f"{model.name} was not read back as the network of {instance.name}"
        )
    text = property_text(instance.wanted, f"{instance.name}, counterexamples")
    (folder / "vnnlib" / f"{instance.name}.vnnlib").write_text(text, "utf-8")
    if instance.witness is not None:
        (value,) = instance.network(instance.witness)
        text = counterexample_text(instance.witness, value)
        (folder / "witnesses" / f"{instance.name}.txt").write_text(text, "utf-8")


def _write_lists(folder: Path, instances: Sequence[Instance], timeout: int) -> None:
    places = [
        (f"onnx/{i.network_name}.onnx", f"vnnlib/{i.name}.vnnlib") for i in instances
    ]
    rows = [[*pair, timeout] for pair in places]
    _write_table(folder / "instances.csv", rows)
    head = ["onnx", "vnnlib", "answer", "witness", "margin", "regions", "proof"]
    answers = [
        [
            *pair,
            i.answer,
            f"witnesses/{i.name}.txt" if i.witness is not None else "",
            f"{nearest_float(i.margin):.6g}",
            i.regions,
            i.proof,
        ]
        for pair, i in zip(places, instances, strict=True)
    ]
    _write_table(folder / "answers.csv", [head, *answers])
    (folder / "README.txt").write_text(READ_ME, "utf-8")


def _write_table(path: Path, rows: Sequence[Sequence[object]]) -> None:
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\n").writerows(rows)
    path.write_text(buffer.getvalue(), "utf-8")
