"""What the page asks for: one small record, read strictly."""

import shlex

import msgspec
from msgspec import ValidationError

from depthsep._errors import HypothesisError
from depthsep.problems import Problem, problem_from_text

LONGEST = 8000  # characters of a target; drawn ones have some hundred points
MOST_BYTES = 16_384  # of a request


class State(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The controls of the page.

    Attributes:
        target, on, dim, norm, accuracy: of the problem, as on the command line.
        depths: the first and the last of the table.
        depth: the row that is looked at.
        seconds: of a search for narrower networks, at every depth.
        width, seed: of trained and random networks.
        at: where a slice cuts, from 0 to 1.
        sigma: of a Gaussian.
    """

    target: str = "square"
    on: str = ""
    dim: int | None = None
    norm: str = "linf"
    accuracy: str = "1e-3"
    depths: tuple[int, int] = (2, 6)
    depth: int = 3
    seconds: float = 0.0
    width: int = 16
    seed: int = 0
    at: float = 0.5
    sigma: float = 0.5

    def problem(self) -> Problem:
        """The problem it describes.

        Raises:
            HypothesisError: in one line, what cannot be read.
        """
        if len(self.target) > LONGEST:
            raise HypothesisError(
                f"the target has more than {LONGEST} characters; give a shorter one"
            )
        law = None
        return problem_from_text(
            self.target, self.on or None, self.norm, self.accuracy, self.dim, law
        )

    def command(self) -> str:
        """The command that prints the same table."""
        words = ["depthsep", "separate", self.target]
        words += [f"--on={self.on}"] if self.on else []
        words += ["--dim", str(self.dim)] if self.dim is not None else []
        words += ["--norm", self.norm, "--accuracy", self.accuracy]
        words += ["--depths", f"{self.depths[0]}:{self.depths[1]}"]
        return shlex.join([*words, "--search", f"{self.seconds:g}"])

    def python(self) -> str:
        """The Python that gives the same table."""
        given = [repr(self.target), repr(self.on or None), repr(self.norm)]
        given += [repr(self.accuracy), f"dim={self.dim!r}"]
        first, last = self.depths
        return (
            "from depthsep import separate\nfrom depthsep.problems import "
            f"problem_from_text\n\nproblem = problem_from_text({', '.join(given)})\n"
            f"table = separate(problem, depths=range({first}, {last + 1}))\n"
            f"print(table)\nnetwork = table[{self.depth}].upper.network\n"
        )


LIMITS = {
    "dim": (1, 100),
    "depth": (2, 12),
    "seconds": (0, 60),
    "width": (1, 4096),
    "seed": (0, 2**31 - 1),
    "at": (0, 1),
    "sigma": (0.05, 20),
}


def read_state(body: bytes) -> State:
    """The state in a request.

    Raises:
        HypothesisError: not JSON, an unknown field, or a number out of range.
    """
    if len(body) > MOST_BYTES:
        raise HypothesisError(
            f"the request is too long; at most {MOST_BYTES} bytes are allowed"
        )
    try:
        state = msgspec.json.decode(body, type=State)
    except (ValidationError, msgspec.DecodeError) as error:
        raise HypothesisError(f"the request cannot be read: {error}") from None
    for name, (least, most) in LIMITS.items():
        value = getattr(state, name)
        if value is not None and not least <= value <= most:
            raise HypothesisError(
                f"`{name}` is {value}; give a number from {least} to {most}"
            )
    if not 2 <= state.depths[0] <= state.depths[1] <= 12:
        raise HypothesisError("give depths from 2 to 12, the smaller one first")
    return state
