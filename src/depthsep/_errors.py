"""The errors of depthsep: each says what was met, what is needed and what to do.

::

    DepthsepError
    |-- HypothesisError (ValueError)   the caller broke a hypothesis
    |   |-- KindError                  a target or law is of another kind
    |   `-- NotDefinedError            a formula is not defined somewhere
    |-- UndecidedError                 a ball stayed too wide
    |-- CertificationError             a claim failed its check
    |-- FileFormatError (ValueError)   a file is damaged or unsupported
    `-- TooLargeError                  a stated size limit is exceeded
        `-- OutOfTimeError             a time limit is
"""


class DepthsepError(Exception):
    """Base of all errors raised on purpose by this library.

    Attributes:
        parameter: the Python parameter to change, if it is one; the command line adds
            its own option, study files the line.
    """

    def __init__(self, message: str = "", *, parameter: str | None = None) -> None:
        super().__init__(message)
        self.parameter = parameter


class HypothesisError(DepthsepError, ValueError):
    """The caller broke a hypothesis; names it, the value met and the remedy."""


class KindError(HypothesisError):
    """A target or a law is not of the kind that was asked for."""


class NotDefinedError(HypothesisError):
    """A formula is not defined, or not proved to be, somewhere on the domain."""


class UndecidedError(DepthsepError):
    """A ball stayed too wide to decide, even after refining."""


class CertificationError(DepthsepError):
    """A claim failed its independent check."""


class FileFormatError(DepthsepError, ValueError):
    """A file is damaged, unsupported or not what it says; names the file."""


class TooLargeError(DepthsepError):
    """The object asked for exceeds a stated size or time limit; gives its size.

    Attributes:
        more_than: what was counted has more than this; None if nothing is known.
    """

    def __init__(
        self,
        message: str = "",
        *,
        parameter: str | None = None,
        more_than: int | None = None,
    ) -> None:
        super().__init__(message, parameter=parameter)
        self.more_than = more_than


class OutOfTimeError(TooLargeError):
    """What was asked for takes longer than the seconds allowed."""
