"""Parameters that several statements of this room have."""

from depthsep.evidence import Parameter

LEVELS = Parameter("levels", "integer", "i, the number of levels", most=1000)
DIM = Parameter("dim", "integer", "d, the number of inputs", "2", most=1000)
LEVELS_OF_PRODUCTS = Parameter(
    "levels",
    "integer",
    "K, the number of levels of the networks for products",
    "10",
    most=1000,
)
LIPSCHITZ = Parameter(
    "lipschitz", "rational", "rho, the Lipschitz constant with respect to l2", "1"
)
ACCURACY = Parameter("accuracy", "rational", "E, the allowed error")
