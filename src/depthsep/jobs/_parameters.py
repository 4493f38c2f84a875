"""Parameters that jobs and commands share."""

from depthsep.jobs._fields import (
    NUMBER,
    REAL,
    REALS,
    REQUIRED,
    TEXT,
    TRUTH,
    WHOLE,
    WHOLES,
    Parameter,
)

PROBLEM = (
    Parameter("target", TEXT, REQUIRED, 'target, such as "sawtooth:4" or "square"'),
    Parameter(
        "on",
        TEXT,
        None,
        "interval A,B for all inputs, or one interval for each input, "
        "as in A,B;C,D; [0, 1] if not given",
    ),
    Parameter(
        "dim",
        WHOLE,
        None,
        "number of inputs of a formula, or the dimension d of an inner: target",
        1,
        1000,
    ),
    Parameter(
        "law",
        TEXT,
        None,
        "law of the input; its default depends on the target: for targets that start "
        "with radial:, it is phi2:D, where D is the dimension",
    ),
    Parameter(
        "scale",
        NUMBER,
        None,
        "scale of the law phi2: a number S (the input is S x, where x "
        "has the law phi2), or median, target or t=T (see the docs)",
    ),
    Parameter(
        "weight_bound",
        NUMBER,
        None,
        "largest absolute value allowed for weights and biases: a "
        "number, or a formula in the dimension d, such as 2^d",
    ),
    Parameter(
        "activation",
        TEXT,
        "relu",
        "kind of units: relu, leaky:1/10, abs, hardtanh, relu6, "
        "threshold, piecewise:T (up to T affine pieces), maxout:K (of "
        "rank K), polynomial:T,A (up to T pieces of degree A) or any",
        added=True,
    ),
    Parameter(
        "skips",
        TEXT,
        "none",
        "none: proven widths hold for networks without skip connections, and the "
        "table says which of them also hold with skip connections; any: proven widths "
        "hold with and without skip connections",
        choices=("none", "any"),
        added=True,
    ),
    Parameter(
        "norm",
        TEXT,
        "linf",
        "norm of the error; l1 is the mean of the absolute error under "
        "the law, l2 the root of the mean of its square",
        choices=("linf", "l1", "l2"),
    ),
    Parameter(
        "accuracy",
        NUMBER,
        REQUIRED,
        "error allowed, such as 1e-6 or 1/20; never a squared error",
    ),
)
OF_NETWORKS = ("weight_bound", "activation", "skips")
"""What a problem says of networks: training keeps to none of it."""
DEPTH = Parameter(
    "depth",
    WHOLE,
    REQUIRED,
    "number of affine layers; depth 2 has one hidden layer",
    2,
    200,
)
SEED = Parameter("seed", WHOLE, 0, "seed of the first random start", 0, 2**31 - 1)
SEARCH = Parameter(
    "search",
    REAL,
    3.0,
    "seconds to spend at each depth on the search for narrower "
    "networks; 0 for no search",
    0,
    86_400,
)
TRAINING = (
    Parameter(
        "widths",
        WHOLES,
        None,
        "widths of the networks to train; by default 4, 16 and 64, or, "
        "in a table with a certified network of width M <= 64, those "
        "of M, 4 M and 16 M that are at most 64",
        1,
        4096,
    ),
    Parameter("steps", WHOLE, 3000, "number of steps of Adam", 1, 10**8),
    Parameter("restarts", WHOLE, 8, "number of random starts for every width", 1, 4096),
    Parameter("batch", WHOLE, 512, "number of samples in every step of Adam", 1, 10**6),
    Parameter("rate", REAL, 1e-2, "learning rate of Adam at the start", 1e-12),
)
PAIRS = Parameter(
    "pairs",
    WHOLE,
    2048,
    "number of pairs u, -u of input directions over which the loss is averaged",
    1,
    10**8,
)
RADIAL = (
    Parameter("dim", WHOLE, REQUIRED, "number of inputs", 2, 10**6),
    Parameter("width", WHOLE, REQUIRED, "number of first-layer neurons", 1, 10**9),
    Parameter(
        "law",
        TEXT,
        None,
        "radial law, by default radius:D:0,2; or ball:D, gaussian:D, chi:D:K, "
        "shells:D:R1,R2, phi2:D:SCALE or inside:R:LAW, where D is the dimension",
    ),
    Parameter(
        "target",
        TEXT,
        "radial:relu",
        "target as a function of |x|; if it is curved or jumps, a piecewise linear "
        "function with up to 64 corners takes its place",
    ),
    Parameter(
        "subspace",
        WHOLE,
        None,
        "K: the target is g(|(x_1, ..., x_K)|), a function of the first K coordinates",
        1,
    ),
    Parameter("second", WHOLE, 4, "number of second-layer units", 1, 4096),
    Parameter(
        "slope",
        REALS,
        -0.5,
        "starting slopes of second-layer units: one number for all "
        "units, or one for each",
    ),
    Parameter(
        "offset",
        REALS,
        0.5,
        "starting offsets of second-layer units: one number for all "
        "units, or one for each",
    ),
    Parameter(
        "alpha",
        REAL,
        1.0,
        "size of the first layer at the start: alpha, its mean output over unit "
        "vectors",
    ),
    Parameter(
        "start",
        TEXT,
        "sphere",
        "start of the first layer; orthogonal (with antipodes) comes "
        "closest to radial symmetry",
        choices=("sphere", "gaussian", "orthogonal"),
    ),
    Parameter(
        "bottleneck",
        WHOLE,
        1,
        "number of channels between the first and the second layer",
        1,
        64,
    ),
    Parameter(
        "outputs",
        TEXT,
        "channels",
        "output weights of the first-layer neurons, if there are several channels; "
        "under the choice channels each neuron feeds one channel, under gaussian each "
        "neuron feeds all channels, with random weights",
        choices=("channels", "gaussian"),
    ),
    Parameter(
        "train_outputs",
        TRUTH,
        False,
        "also train the output weights of the first-layer neurons",
    ),
    Parameter(
        "train_scales",
        TRUTH,
        False,
        "also train the output weights of the second-layer units",
    ),
    PAIRS,
    Parameter(
        "directions",
        TEXT,
        "orthogonal",
        "how directions are drawn; equispaced only in 2 dimensions",
        choices=("orthogonal", "independent", "equispaced"),
    ),
    Parameter("fresh", TRUTH, False, "draw new directions at every step"),
    Parameter(
        "solver",
        TEXT,
        "euler",
        "solver of the mean-field gradient flow",
        choices=("euler", "heun", "adaptive"),
    ),
    Parameter("step", REAL, 0.5, "longest step of the solver"),
    Parameter("time", REAL, 100.0, "end time of the mean-field flow"),
    Parameter("first_rate", REAL, 1.0, "how fast the first layer moves", 0),
    Parameter("second_rate", REAL, 1.0, "how fast the second layer moves", 0),
    Parameter("records", WHOLE, 100, "number of records of the trajectory", 1, 10**5),
    Parameter(
        "precision",
        TEXT,
        "float32",
        "precision of weights and products; sums are float64",
        choices=("float32", "float64"),
    ),
)
COMPARISON = (
    Parameter(
        "compare",
        TEXT,
        "none",
        "also train two-layer networks with the same number of parameters, or of flops",
        choices=("none", "parameters", "compute"),
    ),
    Parameter(
        "compare_steps",
        WHOLE,
        4000,
        "largest number of steps of every two-layer optimiser",
        1,
        10**9,
    ),
    Parameter(
        "compare_seeds",
        WHOLE,
        3,
        "number of starts of every two-layer optimiser",
        1,
        10**4,
    ),
    Parameter(
        "accuracy",
        NUMBER,
        None,
        "L2 error that a network must reach: a number, or a formula in "
        "the dimension d, such as 1/d",
    ),
    Parameter(
        "measure",
        TEXT,
        None,
        "another law under which the error of the trained network is "
        "also measured, such as phi2:D",
        added=True,
    ),
)
LINEAR = (
    Parameter("data", TEXT, "synthetic", "the data", choices=("synthetic", "diabetes")),
    Parameter("power", WHOLE, 4, "exponent p of the l_p loss", 2, 16),
    Parameter(
        "steps", WHOLE, 4000, "number of steps at every learning rate", 100, 10**8
    ),
)
