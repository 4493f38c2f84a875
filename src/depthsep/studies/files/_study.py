"""A study: a job, its parameters on a grid, seeds; and its trials."""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from itertools import product
from pathlib import Path

from depthsep._errors import HypothesisError
from depthsep.jobs import (
    REAL,
    REQUIRED,
    TEXT,
    TRUTH,
    WHOLE,
    WHOLES,
    Job,
    Parameter,
)

MOST_TRIALS = 1_000_000
LARGEST_SEED = 500_000  # times 4096 restarts: below 2^31
NAME = re.compile(r"\w[\w .+\-]{0,99}")
SETTINGS = (
    Parameter(
        "name", TEXT, None, "name of the store; by default that of the study file"
    ),
    Parameter("title", TEXT, "", "title of the report"),
    Parameter(
        "time_limit",
        REAL,
        None,
        "most seconds that a trial may take",
        1e-3,
        30 * 86_400,
    ),
    Parameter(
        "retries", WHOLE, 2, "most times that a failed trial is run again", 0, 100
    ),
    Parameter("gpus", WHOLE, 0, "number of GPUs that a trial needs", 0, 1),
    Parameter(
        "keep_files",
        TRUTH,
        True,
        "keep trajectories and networks as well as the metrics",
    ),
)
"""The settings at the top of a study file, beside the job and the seeds."""
SEEDS = Parameter(
    "seeds",
    WHOLES,
    REQUIRED,
    "seeds with which every combination of parameters is run",
    0,
    LARGEST_SEED,
)


@dataclass(frozen=True)
class Trial:
    """One point of a study: all parameters, defaults filled in, and a seed.

    Attributes:
        code: the version of what runs: of depthsep and of the job.
        unnamed: parameters that were added to the job later, and have their default.
        key: SHA-256 of job, parameters but those, seed and code.
    """

    job: str
    parameters: Mapping[str, object]
    seed: int
    code: str
    unnamed: frozenset[str] = frozenset()
    key: str = field(init=False)

    def __post_init__(self) -> None:
        named = {k: v for k, v in self.parameters.items() if k not in self.unnamed}
        what = [self.job, named, self.seed, self.code]
        written = json.dumps(what, sort_keys=True, allow_nan=False)
        digest = hashlib.sha256(written.encode()).hexdigest()
        object.__setattr__(self, "key", digest)


@dataclass(frozen=True)
class Figure:
    """One metric against one parameter, as a study file asks for it.

    Attributes:
        by: a parameter with one curve for each of its values.
        facet: a parameter with one panel for each of its values.
        log: "none", "x", "y" or "xy".
        fit: whether slopes are fitted, of logarithms where an axis has them.
    """

    y: tuple[str, ...]
    x: str
    by: str | None = None
    facet: str | None = None
    log: str = "none"
    fit: bool = False
    title: str = ""


@dataclass(frozen=True, eq=False)
class Study:
    """A job with its parameters and seeds.

    Attributes:
        fixed: parameters of every trial.
        grid: parameters of which every combination is run.
        zipped: groups of lists that go together, entry by entry.
        seeds: of every combination.
        time_limit: seconds a trial may take; None for no limit.
        retries: how often a trial that failed is tried again.
        gpus: GPUs that a trial needs, 0 or 1.
        keep_files: whether trajectories and networks are kept, or rows alone.
        figures: of the report.
        folder: of the study file; no path leads out of it.
        text: the study file.
    """

    name: str
    job: Job
    fixed: Mapping[str, object] = field(default_factory=dict)
    grid: Mapping[str, Sequence[object]] = field(default_factory=dict)
    zipped: Sequence[Mapping[str, Sequence[object]]] = ()
    seeds: Sequence[int] = (0,)
    time_limit: float | None = None
    retries: int = 2
    gpus: int = 0
    keep_files: bool = True
    figures: tuple[Figure, ...] = ()
    title: str = ""
    folder: Path = Path()
    text: str = ""

    def __post_init__(self) -> None:
        """Check what a study file also states.

        Raises:
            HypothesisError: names twice, empty lists, numbers out of range, too many
                trials.
        """
        if not NAME.fullmatch(self.name):
            raise HypothesisError(
                f"`name` is {self.name[:40]!r}; use up to 100 letters, digits, spaces "
                "and - _ . +, beginning with a letter, a digit or _",
                parameter="name",
            )
        for setting in SETTINGS:
            read = setting.read(getattr(self, setting.name))
            object.__setattr__(self, setting.name, read)
        SEEDS.read(list(self.seeds))
        if len(set(self.seeds)) < len(self.seeds):
            raise HypothesisError(
                "a seed occurs twice; give each seed once", parameter="seeds"
            )
        self._check_axes()
        self._read_values()
        if self.count > MOST_TRIALS:
            raise HypothesisError(
                f"the study has {self.count} trials, and at most "
                f"{MOST_TRIALS} are allowed; split it"
            )

    def _check_axes(self) -> None:
        names = [*self.fixed, *self.grid, *(n for z in self.zipped for n in z)]
        for name in names:
            if names.count(name) > 1:
                raise HypothesisError(
                    f"`{name}` is given more than once; give it in one place only",
                    parameter=name,
                )
            self.job.parameter(name)
        for name, values in self.grid.items():
            if not len(values):
                raise HypothesisError(
                    f"`{name}` is an empty list; give values", parameter=name
                )
        for group in self.zipped:
            lengths = {name: len(values) for name, values in group.items()}
            if not lengths or set(lengths.values()) == {0}:
                raise HypothesisError(
                    "a [[zip]] has no values; give lists of values", parameter="zip"
                )
            if len(set(lengths.values())) > 1:
                said = ", ".join(f"{name} has {n}" for name, n in lengths.items())
                raise HypothesisError(
                    "the lists of one [[zip]] must have the same "
                    f"number of values, but {said}",
                    parameter="zip",
                )

    def _read_values(self) -> None:
        """Every value as its parameter's type; keys depend on nothing else."""
        read = self.job.parameter
        fixed = {name: read(name).read(v) for name, v in self.fixed.items()}
        groups = [
            {name: [read(name).read(v) for v in values] for name, values in g.items()}
            for g in (self.grid, *self.zipped)
        ]
        for name, values in (("fixed", fixed), ("grid", groups[0])):
            object.__setattr__(self, name, values)
        object.__setattr__(self, "zipped", tuple(groups[1:]))

    @property
    def count(self) -> int:
        """Trials."""
        total = len(self.seeds)
        for values in (
            *self.grid.values(),
            *(next(iter(z.values())) for z in self.zipped),
        ):
            total *= len(values)
        return total

    @property
    def varied(self) -> tuple[str, ...]:
        """Parameters that are not fixed, in the order of the file."""
        return (*self.grid, *(name for group in self.zipped for name in group))

    @property
    def code(self) -> str:
        """The version that enters the keys."""
        return code_of(self.job)

    def trials(self) -> list[Trial]:
        """All of them, the first grid parameter slowest, seeds fastest.

        Raises:
            HypothesisError: a point whose parameters do not fit together; says which.
        """
        found: dict[str, Trial] = {}
        code = self.code
        for point in self._points():
            given = {**self.fixed, **point}
            try:
                filled = self.job.filled(given)
            except HypothesisError as error:
                where = ", ".join(f"{k} = {v}" for k, v in point.items())
                raise HypothesisError(
                    f"{where}: {error}" if where else str(error)
                ) from None
            unnamed = frozenset(
                p.name
                for p in self.job.parameters
                if p.added and filled[p.name] == p.default
            )
            for seed in self.seeds:
                trial = Trial(self.job.name, filled, seed, code, unnamed)
                if trial.key in found:
                    where = ", ".join(f"{k} = {v}" for k, v in point.items())
                    raise HypothesisError(
                        f"the combination {where} occurs twice; give "
                        "each combination once"
                    )
                found[trial.key] = trial
        return list(found.values())

    def _points(self) -> Iterator[dict[str, object]]:
        axes: list[list[dict[str, object]]] = [
            [{name: value} for value in values] for name, values in self.grid.items()
        ]
        for group in self.zipped:
            rows = zip(*group.values(), strict=True)
            axes.append([dict(zip(group, row, strict=True)) for row in rows])
        for parts in product(*axes):
            yield {name: value for part in parts for name, value in part.items()}


def code_of(job: Job) -> str:
    """The version of depthsep and of the job: other code, other trials."""
    return f"depthsep {version('depthsep')}, job {job.version}"
