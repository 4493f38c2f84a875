"""The `depthsep` command: errors are one line on stderr, with exit code 2 or 1."""

import gc
import sys
from collections.abc import Sequence
from typing import NoReturn

import click

from depthsep._errors import CertificationError, DepthsepError
from depthsep._files import shown_safely
from depthsep.cli._lazy_group import LazyGroup

COMMANDS = {
    "separate": (
        "depthsep.cli._separate",
        (
            "For each depth, build a network and prove a lower bound "
            "on the width needed."
        ),
    ),
    "build": (
        "depthsep.cli.certificates._build",
        "Build one network with its certificate.",
    ),
    "prove": (
        "depthsep.cli.certificates._prove",
        "Prove a lower bound on the width, in a form that others can check.",
    ),
    "certify": ("depthsep.cli.certificates._certify", "Certify a network of your own."),
    "verify": ("depthsep.cli.certificates._verify", "Check a certificate or a proof."),
    "pieces": (
        "depthsep.cli._pieces",
        ("Find few straight pieces for a curve, and prove how many are needed."),
    ),
    "export": (
        "depthsep.cli._export",
        (
            "Export a table or network as code, data or a model, with a "
            "proved bound on the error."
        ),
    ),
    "records": (
        "depthsep.cli._records",
        "List, check or beat the narrowest networks found so far.",
    ),
    "facts": (
        "depthsep.cli.inspect._facts",
        (
            "Find facts about a network (range, slopes, zeros), or its "
            "distance to another."
        ),
    ),
    "check": (
        "depthsep.cli.inspect._check",
        "Check whether a network has a property that is written in VNN-LIB.",
    ),
    "inspect": (
        "depthsep.cli.inspect._inspect",
        "Count a network's pieces and regions, or measure its distance to a target.",
    ),
    "results": (
        "depthsep.cli._results",
        (
            "List the theorems and constructions, or show one with its source "
            "and errata."
        ),
    ),
    "bound": (
        "depthsep.cli._results",
        "Evaluate the formula of one theorem or construction.",
    ),
    "paper": ("depthsep.cli._paper", "Recompute the tables of three papers."),
    "learn": ("depthsep.cli.learn._group", "Train networks."),
    "study": (
        "depthsep.cli.study._group",
        "Run many problems or training jobs that one file describes.",
    ),
    "explore": (
        "depthsep.cli._explore",
        "Open a page with a table of widths, pictures and sliders.",
    ),
    "export-vnnlib": (
        "depthsep.cli.certificates._export_vnnlib",
        "Write instances for network verifiers, with proved answers.",
    ),
    "demo": (
        "depthsep.cli._demo",
        "Make a table for a curve, two tables of widths and one certified network.",
    ),
}


# objects between two collections: commands make many that hold no cycles, and looking
# for cycles as often as Python does by default takes 5 to 10 % of their time
SELDOM = 100_000


@click.group(
    cls=LazyGroup,
    homes=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(package_name="depthsep", message="%(prog)s %(version)s")
def depthsep() -> None:
    """How deep does a network have to be? This program builds certified networks and
    proves lower bounds on the width.

    TARGET is a formula such as "sin(20*x)" or "exp(-x1**2-x2**2)", sawtooth:K, square,
    product, parity:D, "poly:x1**2*x2 - 3*x2", data:FILE.csv or points:FILE.csv.
    Every number says how surely it is known: exact, enclosed, cited or sampled.
    """


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit."""
    gc.set_threshold(SELDOM, 10, 10)
    try:
        typed = tuple(sys.argv[1:] if arguments is None else arguments)
        settings = {"prog_name": "depthsep", "standalone_mode": False, "obj": typed}
        code = depthsep.main(arguments, **settings)
    except click.exceptions.Abort:
        _stop("stopped", 130)
    except click.ClickException as error:
        _stop(f"{error.format_message()} (see depthsep --help)", 2)
    except DepthsepError as error:
        said = " ".join([str(error), *getattr(error, "__notes__", ())])
        _stop(said, 1 if isinstance(error, CertificationError) else 2)
    except MemoryError as error:
        _stop(str(error) or "out of memory; ask for less", 2)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)
    except RuntimeError as error:
        if not _is_about_memory(error):
            raise
        _stop("out of memory; ask for less", 2)
    except OSError as error:
        _stop(
            f"{error.filename or 'a file'}: {error.strerror or error}; check the path",
            2,
        )
    else:
        sys.exit(code if isinstance(code, int) else 0)


def _stop(message: str, code: int) -> NoReturn:
    line = shown_safely(" ".join(message.split()))
    click.echo(f"depthsep: {line}", err=True)
    sys.exit(code)


def _is_about_memory(error: RuntimeError) -> bool:
    """Whether JAX, which is not loaded here, found no room; its errors have no code."""
    said = str(error)
    return "Out of memory" in said or "RESOURCE_EXHAUSTED" in said
