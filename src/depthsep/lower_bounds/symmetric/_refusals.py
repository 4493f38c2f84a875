"""What bounds for symmetric functions have in common to refuse."""

from depthsep.evidence import Inapplicable

NO_L1 = Inapplicable("this bound covers only errors in l2 and linf")
ONE_INPUT = Inapplicable("this bound covers only functions of two or more inputs")


def refusal_for(dim: int, norm: str) -> Inapplicable | None:
    """Why nothing is proved of radial functions of so many inputs in this norm."""
    if dim < 2:
        return ONE_INPUT
    return NO_L1 if norm == "l1" else None
