"""`Record`: the narrowest certified network found so far for one problem and depth."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from depthsep._errors import FileFormatError
from depthsep._files import read_bounded, reading
from depthsep.evidence import Certificate
from depthsep.exact import rational
from depthsep.networks import Network, network_from_json
from depthsep.problems import Problem

FOLDER = Path(__file__).parent / "data"


@dataclass(frozen=True)
class Record:
    """A standard problem at one depth, and the file with the best certificate for it.

    The file is a certificate as `build` writes it, with the network listed inside. It
    is read when `network` is first asked for. Its claim is not trusted: `separate` and
    `build` examine the network again.

    Attributes:
        name: of the target, for the id.
        target, law, norm, accuracy: the problem, as text.
        depth: affine layers.
        folder: where the certificate lies.
    """

    name: str
    target: str
    law: str
    norm: str
    accuracy: str
    depth: int
    folder: Path = FOLDER

    @property
    def id(self) -> str:
        """Such as ``exp-linf-1e-4-depth-4``; also the name of its file."""
        return f"{self.name}-{self.norm}-{self.accuracy}-depth-{self.depth}"

    @property
    def file(self) -> Path:
        """Its certificate."""
        return self.folder / f"{self.id}.json"

    @cached_property
    def problem(self) -> Problem:
        """The problem that its network solves."""
        fields = ("target", "law", "norm", "accuracy")
        return Problem.from_json({name: getattr(self, name) for name in fields})

    def fits(self, problem: Problem, depth: int) -> bool:
        """Whether its network serves a problem, by the texts alone: no file is read."""
        return (
            depth == self.depth
            and problem.norm == self.norm
            and problem.law.text == self.law
            and problem.target.text.replace(" ", "") == self.target
            and rational(self.accuracy, name="the accuracy") <= problem.accuracy
        )

    @cached_property
    def certificate(self) -> Certificate:
        """What its file says.

        Raises:
            FileFormatError: the file is missing, damaged or altered, or certifies
                another problem.
        """
        with reading(self.file, "a certificate"):
            written = read_bounded(self.file).decode("utf-8")
            certificate = Certificate.from_json(written)
            if not Certificate.digest_matches(written):
                raise FileFormatError(
                    "it was altered after it was written, as its "
                    "digest does not match its contents"
                )
            if certificate.problem != self.problem.to_json():
                raise FileFormatError(
                    f"it certifies a problem other than {self.problem}"
                )
            return certificate

    @cached_property
    def network(self) -> Network:
        """The network in its file.

        Raises:
            FileFormatError: as for `certificate`, or it has another depth.
        """
        listed = dict(self.certificate.network)
        with reading(self.file, "a certificate"):
            network = network_from_json(listed)
            if network.depth != self.depth:
                raise FileFormatError(
                    f"its network has depth {network.depth}, not {self.depth}"
                )
            return network
