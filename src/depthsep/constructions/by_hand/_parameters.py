"""Parameters that several statements of this room have."""

from depthsep.evidence import Parameter

LEVELS = Parameter("levels", "integer", "i", most=1000)
DIM = Parameter("dim", "integer", "d", "2", most=1000)
LIPSCHITZ = Parameter(
    "lipschitz", "rational", "rho, the Lipschitz constant with respect to l2", "1"
)
ACCURACY = Parameter("accuracy", "rational", "E")
