"""The record of a job: a name, parameters with their types, a function of them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from depthsep._errors import HypothesisError
from depthsep.evidence import Rigour
from depthsep.jobs._fields import REQUIRED, Parameter, nearest

Scalar = bool | int | float | str | None


@dataclass(frozen=True, eq=False)
class Result:
    """The findings of one trial.

    Attributes:
        metrics: name to number, text, truth or None; NaN and infinities become None.
        rigours: of those metrics that are not `sampled`.
        arrays: of trajectory.npz, none for no file.
        documents: name of a JSON file to what it holds, such as a network.
    """

    metrics: Mapping[str, Scalar]
    rigours: Mapping[str, Rigour] = field(default_factory=dict)
    arrays: Mapping[str, np.ndarray] = field(default_factory=dict)
    documents: Mapping[str, object] = field(default_factory=dict)


Values = Mapping[str, Any]
"""Parameters by name, each read by its `Parameter`: of the type that its kind says."""


@dataclass(frozen=True)
class Job:
    """A thing that a study does at every point of its grid.

    Attributes:
        name: in study files.
        version: raised whenever results change for equal parameters.
        run: parameters by name, and the seed, to a result; pure.
        check: refuses parameters that do not fit together, before anything runs.
        seconds: a rough model of the time a trial takes; None if there is none.
        metrics: what `run` may return; empty if that is not known.
        seedless: those that no seed changes: they have no interval over seeds.
    """

    name: str
    version: str
    parameters: tuple[Parameter, ...]
    run: Callable[[Values, int], Result]
    meaning: str = ""
    check: Callable[[Values], None] | None = None
    seconds: Callable[[Values], float] | None = None
    metrics: tuple[str, ...] = ()
    seedless: tuple[str, ...] = ()

    def parameter(self, name: str) -> Parameter:
        """The parameter of a name.

        Raises:
            HypothesisError: there is none; says which name is close.
        """
        for parameter in self.parameters:
            if parameter.name == name:
                return parameter
        if name in ("seed", "seeds"):
            raise HypothesisError(
                "seeds belong at the top of the file, as in seeds = 5"
            )
        names = [p.name for p in self.parameters]
        raise HypothesisError(
            f"{self.name} has no parameter {name[:40]!r}; {nearest(name, names)}"
        )

    def filled(self, given: Mapping[str, object]) -> dict[str, object]:
        """Every parameter: as given, or its default.

        Raises:
            HypothesisError: one is missing, or they do not fit together.
        """
        filled = {}
        for p in self.parameters:
            value = given.get(p.name, p.default)
            if value is REQUIRED:
                raise HypothesisError(
                    f"{self.name} needs {p.name} ({p.meaning}); put it into [fixed] or "
                    "[grid]"
                )
            filled[p.name] = p.read(value)
        if self.check is not None:
            self.check(filled)
        return filled
