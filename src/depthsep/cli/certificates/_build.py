"""`depthsep build`: one network, with its certificate or proof."""

from dataclasses import dataclass, replace
from functools import partial

import click

from depthsep._errors import HypothesisError
from depthsep._files import write_atomically
from depthsep._plural import plural
from depthsep.claims import Measure, SearchPlan
from depthsep.cli._completions import constructions
from depthsep.cli._echo import echo
from depthsep.cli._options import (
    file_option,
    json_option,
    option,
    print_json,
    problem_options,
    seconds_option,
)
from depthsep.cli._progress import waiting
from depthsep.cli.certificates._listing import list_constructions
from depthsep.cli.certificates._outputs import check_places, save
from depthsep.evidence import Inapplicable
from depthsep.exact import decimal, plain, text
from depthsep.interop import IR_VERSION, OPSET
from depthsep.jobs import DEPTH, SEARCH
from depthsep.networks import SkipNetwork, with_skips
from depthsep.problems import Problem
from depthsep.separation import Built
from depthsep.separation import build as make
from depthsep.witnesses import Proof, prove_upper
from depthsep.witnesses.rocq import rocq_upper

WRITTEN = {"rocq": "file for Rocq"}


@click.command()
@partial(problem_options, without=("skips",))
@option(
    replace(DEPTH, default=None),
    help="Number of affine layers; if not given, the smallest network among "
    "depths 2 to 8 is built.",
)
@click.option(
    "--least",
    type=click.Choice([str(m) for m in Measure]),
    help="What to minimise; the default is the width with --depth, and the "
    "number of units without --depth.",
)
@click.option(
    "--by",
    metavar="ID",
    shell_complete=constructions,
    help="Use this construction only (see --constructions).",
)
@click.option(
    "--constructions",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=list_constructions,
    help="List the constructions for --by, with the targets of each, and exit.",
)
@seconds_option
@option(replace(SEARCH, default=0.0))
@click.option(
    "--weights",
    metavar="FORMAT",
    default="float64",
    show_default=True,
    help="Number format of the weights: float64, float32, q4.12 (4 bits "
    "before the point, the sign included, and 12 after it) or int8 "
    "(whole numbers of 8 bits, times a power of two for each layer).",
)
@file_option("-o", "--output", help="Where to write the network: .onnx, .npz or .json.")
@click.option(
    "--skips",
    is_flag=True,
    help="Write the .onnx with skip connections in place of units that only "
    "copy values.",
)
@file_option("--certificate", help="Where to write the certificate.")
@file_option("--proof", help="Where to write a proof for the independent checker.")
@file_option(
    "--rocq", help="Also write a .v file for the proof assistant Rocq (Coq); linf only."
)
@json_option
def build(
    problem: Problem,
    depth: int | None,
    by: str | None,
    least: str | None,
    seconds: float,
    search: float,
    weights: str,
    output: str | None,
    skips: bool,
    certificate: str | None,
    proof: str | None,
    rocq: str | None,
    as_json: bool,
) -> None:
    """Build one network, examine it, and save it with a certificate.

    \b
    depthsep build square --accuracy 1e-4 --depth 4 -o net.onnx --certificate cert.json
    depthsep verify cert.json
    """
    check_places(output, certificate, proof, rocq)
    if skips and output is not None and not output.lower().endswith(".onnx"):
        raise HypothesisError(
            "networks with skip connections are written only as .onnx; "
            "give -o FILE.onnx"
        )
    plan = SearchPlan(search)
    with waiting("building"):
        built = make(
            problem,
            depth=depth,
            by=by,
            least=least,
            weights=weights,
            seconds=seconds,
            search=plan,
        )
    document = None if proof is None else _proof_of(built)
    file = None if rocq is None else rocq_upper(built.network, problem)
    shorter = with_skips(built.network) if skips else None
    save(built, output, certificate, shorter)
    if proof is not None and document is not None:
        document.write(proof)
    if rocq is not None and file is not None:
        write_atomically(rocq, file.encode())
    places = {"network": output, "certificate": certificate, "proof": proof}
    made = _Made(built, depth, shorter, {**places, "rocq": rocq})
    if as_json:
        print_json(made.document())
    else:
        made.show()


@dataclass(frozen=True)
class _Made:
    """What was built, its form with skip connections, and where it was written."""

    built: Built
    asked_depth: int | None
    shorter: SkipNetwork | None
    places: dict[str, str | None]

    def document(self) -> dict[str, object]:
        """What --json prints."""
        network, shorter = self.built.network, self.shorter
        document: dict[str, object] = {
            "problem": self.built.problem.to_json(),
            **self.places,
            "depth": network.depth,
            "widths": list(network.widths),
            "units": network.units,
            "least": str(self.built.least),
            "weights": self._weights,
        }
        if self._is_onnx:
            document["onnx"] = {"opset": OPSET, "ir_version": IR_VERSION}
        if shorter is not None:
            document["with_skips"] = list(shorter.widths)
        return document | {
            "error": text(self.built.error),
            "rigour": str(self.built.examination.error.rigour),
            "source": str(self.built.upper.source),
        }

    def show(self) -> None:
        """The same in words."""
        built, network, shorter = self.built, self.built.network, self.shorter
        echo(f"{built.problem}")
        shape = f"depth {network.depth}, widths {list(network.widths)}"
        echo(f"  {shape}: {plural(network.units, 'unit')}")
        echo(f"  {self._chosen}")
        if shorter is not None:
            shape = f"depth {shorter.depth}, widths {list(shorter.widths)}"
            echo(f"  with skip connections: {plural(shorter.units, 'unit')}, {shape}")
        bound = plain(decimal(built.error, 6, upward=True))
        rigour = built.examination.error.rigour
        echo(f"  {built.problem.norm} error at most {bound} ({rigour})")
        echo(f"  construction: {built.upper.source}")
        for name, place in self.places.items():
            if place is not None:
                echo(f"  {WRITTEN.get(name, name)} written to {place}{self._of(name)}")
        place = self.places["network"]
        if place is not None and not (network.is_float or place.endswith(".json")):
            echo("  weights are rational; the file holds them rounded to float64")

    @property
    def _chosen(self) -> str:
        """By which measure, among which networks."""
        depth = self.asked_depth
        depths = "depths 2 to 8" if depth is None else f"depth {depth}"
        return f"chosen for {self.built.least.words} at {depths} (--least)"

    @property
    def _weights(self) -> str:
        return self.built.weights if self.built.network.is_float else "rational"

    @property
    def _is_onnx(self) -> bool:
        return (self.places["network"] or "").lower().endswith(".onnx")

    def _of(self, name: str) -> str:
        if name != "network" or not self._is_onnx:
            return ""
        version = f"opset {OPSET}, IR version {IR_VERSION}"
        kind = "float32" if self.built.weights == "float32" else "float64"
        return f" (ONNX {version}, {kind})"


def _proof_of(built: Built) -> Proof:
    with waiting("proving"):
        found = prove_upper(built.network, built.problem)
    if isinstance(found, Inapplicable):
        raise HypothesisError(f"no proof is written: {found}", parameter="proof")
    return found
