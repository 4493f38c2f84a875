"""Statements about transport maps, tangent kernels and universality."""

from collections.abc import Sequence

from flint import arb, ctx, fmpq

from depthsep._errors import HypothesisError
from depthsep.evidence import (
    Parameter,
    Rigour,
    Source,
    Statement,
    Value,
    cited,
    proved,
)
from depthsep.exact import total
from depthsep.near_init._inputs import PRECISION, probability
from depthsep.near_init.bounds._statement_parts import (
    DELTA,
    OURS,
    WIDTH,
    X,
    Z,
    chapter,
    enclosed,
)
from depthsep.near_init.kernels._enclosed_kernel import (
    dual,
    enclosed_kernel,
    kernel_at_cosine,
)
from depthsep.near_init.kernels._kernel_sums import kernel_sum
from depthsep.near_init.kernels._slopes import mean_slope
from depthsep.near_init.kernels._universality import circle_coefficient, maclaurin
from depthsep.near_init.kernels.pairs._square_rows import uniform_square_chance

ACTIVATION = Parameter(
    "activation",
    "name",
    "relu, leaky-relu:1/10, identity, abs, erf, sin, cos, exp or threshold",
    "relu",
)

SLOPED = Parameter(
    "activation",
    "name",
    "relu, leaky-relu:1/10, identity, abs, erf, sin, cos or exp",
    "relu",
)


def _product(x: Sequence[fmpq], z: Sequence[fmpq]) -> fmpq:
    if len(x) != len(z):
        raise HypothesisError(
            f"the points have dimensions {len(x)} and {len(z)}, which must be equal"
        )
    return total(a * b for a, b in zip(x, z, strict=True))


def _transport(t: Sequence[fmpq], x: Sequence[fmpq], activation: str) -> arb | fmpq:
    with ctx.workprec(PRECISION):
        slope = mean_slope(activation, arb(_product(x, x)))
        if slope is None:
            raise HypothesisError(
                "no closed form of the limit is known for the "
                f"activation {activation}; in Python, sampled_limit "
                "estimates the limit from samples"
            )
        return _product(t, x) * slope


def _concentration(
    x: Sequence[fmpq], z: Sequence[fmpq], width: int, delta: fmpq, rho: fmpq
) -> arb:
    with ctx.workprec(PRECISION):
        log = (2 / arb(probability(delta))).log()
        return rho**2 * abs(_product(x, z)) * (log / (2 * width)).sqrt()


def _first_layer(x: Sequence[fmpq], z: Sequence[fmpq]) -> arb:
    return enclosed_kernel(x, z, trained=(1,))


def _kernel(
    x: Sequence[fmpq],
    z: Sequence[fmpq],
    activation: str,
    depth: int,
    weight_variance: fmpq,
    bias_variance: fmpq,
    layer: int,
) -> arb:
    if layer > depth:
        raise HypothesisError(
            f"there is no layer {layer} at depth {depth}; layer 0 stands "
            "for the sum of all layers"
        )
    return enclosed_kernel(
        x,
        z,
        activation=activation,
        depth=depth,
        weight_variance=weight_variance,
        bias_variance=bias_variance,
        trained=None if layer == 0 else (layer,),
    )


def _dual(
    covariance: Sequence[fmpq], activation: str, first: fmpq, second: fmpq, slope: int
) -> arb:
    (b,) = _one(covariance)
    return dual(activation, b, (first, second), slope=bool(slope))


def _at_cosine(cosine: Sequence[fmpq], activation: str, depth: int) -> arb:
    (c,) = _one(cosine)
    return kernel_at_cosine(c, activation=activation, depth=depth)


def _one(point: Sequence[fmpq]) -> Sequence[fmpq]:
    if len(point) != 1:
        raise HypothesisError(
            f"{len(point)} numbers were given for a parameter that takes one; give one"
        )
    return point


def _least_move(x: Sequence[fmpq], residual: fmpq) -> arb:
    kernel = enclosed_kernel(x, x, trained=(1,))
    if kernel == 0:
        raise HypothesisError(
            "x is 0, so its kernel is 0 and no change of the "
            "parameters moves the linearised network F_0(x)"
        )
    with ctx.workprec(PRECISION):
        return arb(residual) / kernel.sqrt()


LIMITS: tuple[Statement, ...] = (
    Statement(
        "telgarsky-3.14",
        "The infinite-width network of a constant transport map",
        (
            (
                "the temperature rho_m at width m satisfies rho_m sqrt(ln "
                "ln m) -> 0, or the start has symmetrised pairs (units "
                "with equal rows and opposite signs)"
            ),
            (
                "for v with the law N(0, I_d), E sigma(v . x)^2 and E "
                "|T(v) . x sigma'(v . x)| are finite"
            ),
            "x != 0 for activations with a kink",
            (
                "the network is (rho_m / sqrt(m)) sum_j a_j sigma(v_j . x) with a_j = "
                "+-1; it is linearised at the rows v_0j of the start, and T moves "
                "these to v_j = v_0j + a_j T(v_0j) / (rho_m sqrt(m))"
            ),
        ),
        chapter("Theorem 3.14"),
        (Parameter("t", "point", "T(v) = t"), X, SLOPED),
        enclosed(_transport),
        errata=(
            (
                "equation (3.13) needs a_j T / (rho sqrt m); with a_j rho "
                "T / sqrt(m), as printed, the limit is 0"
            ),
            "in the source the constant c is missing from m_0 = exp(3 c C / eps)",
            "the source does not require E |T(v) . x sigma'(v . x)| to be finite",
            (
                "in the source, the bound with ln(m / delta) fails for "
                "sigmoids at m = 1; with ln(2 m / delta) it holds"
            ),
            (
                "for a fixed rho there is almost surely no limit, as noise "
                "N(0, rho^2 |x|^2 / 2) remains"
            ),
        ),
        tex=(
            r"F_\infty(x; T) = \mathbb{E} \left[ T(v) \cdot x \, "
            r"\sigma'(v \cdot x) \right]; \quad \text{for } T = t "
            r"\text{ it is } t \cdot x \, \mathbb{E} \, \sigma'(\lvert "
            r"x \rvert g) \text{ with } g \text{ standard normal, and } "
            r"\frac{t \cdot x}{2} \text{ for ReLU}"
        ),
        proof=proved("near-init"),
    ),
    Statement(
        "telgarsky-3.19",
        "Bound on the distance of the first-layer tangent kernel k_m "
        "at width m from its limit k_inf",
        (
            "the units are ReLUs with output weights |a_j| = 1, such as random signs",
            "the bound holds with probability at least 1 - delta",
        ),
        chapter("Theorem 3.19"),
        (
            X,
            Z,
            WIDTH,
            DELTA,
            Parameter(
                "rho",
                "rational",
                "rho, the temperature, in the factor rho / sqrt(m) of the network",
                "1",
            ),
        ),
        enclosed(_concentration),
        errata=(
            (
                "the source at first defines k_m without the factor "
                "rho^2 / m, and one formula has x where x' is right"
            ),
            (
                "the source does not require the expectation that defines "
                "k_inf to be finite"
            ),
        ),
        sample="width=1024 delta=1/100 rho=1",
        tex=(
            r"\left\lvert k_m - k_\infty \right\rvert "
            r"\le \rho^2 \left\lvert \langle x, z \rangle \right\rvert "
            r"\sqrt{\frac{\ln (2 / \delta)}{2 m}}"
        ),
        proof=proved("near-init"),
    ),
    Statement(
        "telgarsky-3.23",
        "The first-layer tangent kernel of ReLU networks of infinite width",
        (
            (
                "the hidden rows are N(0, I_d), and the output weights are "
                "+-1 / sqrt(m) at width m"
            ),
            "x and z may have any norms; if x or z is 0, the kernel is 0",
        ),
        chapter("Proposition 3.23"),
        (X, Z),
        enclosed(_first_layer),
        errata=(
            (
                "the source states the result only for |x| = |z| = 1; "
                "arccos <x, z> must not be used for other norms"
            ),
            (
                "the proof in the source omits the case z = -x, and "
                "does not divide the random vector v by its length"
            ),
            (
                "appending the coordinate sqrt(1 - |x|^2) to each input x "
                "changes the kernel"
            ),
        ),
        tex=(
            r"\langle x, z \rangle \, \frac{\pi - \theta}{2 \pi}, "
            r"\quad \theta \text{ the angle between } x \text{ and } z"
        ),
        proof=proved("near-init"),
    ),
    Statement(
        "tangent-kernel",
        "Tangent kernel of any depth, by layers",
        (
            (
                "the network is fully connected, its parameters start as independent "
                "N(0, 1), the weights after the first layer are multiplied by sqrt(c "
                "/ width) and the biases by sqrt(b), and the width tends to infinity"
            ),
            (
                "the activation is Lipschitz (exp is not: its formula "
                "is evaluated, but the theorem does not cover it)"
            ),
        ),
        Source("jacot2018", "Theorem 1"),
        (
            X,
            Z,
            SLOPED,
            Parameter("depth", "integer", "number of affine layers", "2", most=200),
            Parameter(
                "weight_variance", "rational", "c, the weight variance, above 0", "1"
            ),
            Parameter(
                "bias_variance",
                "rational",
                "b, the bias variance, 0 or more",
                "0",
                least=0,
            ),
            Parameter(
                "layer",
                "integer",
                "the layer whose summand is given; 0 for the sum of all",
                "0",
                least=0,
            ),
        ),
        enclosed(_kernel),
        sample="bias_variance=1/2",
        tex=(
            r"\Theta^{(h+1)} = Q^{(h+1)} + \Theta^{(h)} \, c \, "
            r"\mathbb{E} \left[ \sigma'(u) \, \sigma'(v) \right], \quad "
            r"Q^{(h+1)} = c \, \mathbb{E} \left[ \sigma(u) \, \sigma(v) "
            r"\right] + b, \quad (u, v) "
            r"\text{ centred Gaussian, its covariances being } Q^{(h)} "
            r"\text{ at } (x, x), \, (x, z), \, (z, z), \quad "
            r"\Theta^{(1)} = Q^{(1)} = \langle x, z \rangle + b"
        ),
        proof=cited("near-init"),
    ),
    Statement(
        "kernel-at-cosine",
        "The tangent kernel k_inf of two unit vectors with a given inner product",
        (
            (
                "the network is fully connected without biases, all its layers "
                "are trained, and its width tends to infinity"
            ),
        ),
        Source("jacot2018", "Theorem 1"),
        (
            Parameter(
                "cosine", "point", "c, the cosine of the angle, from -1 to 1", "1/2"
            ),
            SLOPED,
            Parameter("depth", "integer", "number of affine layers", "2", most=200),
        ),
        enclosed(_at_cosine),
        sample="cosine=-1/2 depth=3",
        tex=(
            r"\Theta^{(h)} "
            r"\text{ of the statement tangent-kernel at the depth } h "
            r"\text{ with weight variance } 1 "
            r"\text{ and bias variance } 0, \quad \left\lvert x "
            r"\right\rvert = \left\lvert z \right\rvert = 1, \quad "
            r"\langle x, z \rangle = c"
        ),
        proof=cited("near-init"),
    ),
    Statement(
        "dual-activation",
        "Dual activation of two Gaussians",
        (
            (
                "u and v are centred and jointly Gaussian, with variances A "
                "and C and covariance B"
            ),
        ),
        Source("depthsep", "closed forms of dual activations"),
        (
            Parameter(
                "covariance",
                "point",
                "B, the covariance; if A = C = 1 it must lie between -1 and 1",
                "1/2",
            ),
            ACTIVATION,
            Parameter("first", "rational", "A, the first variance", "1", least=0),
            Parameter("second", "rational", "C, the second variance", "1", least=0),
            Parameter(
                "slope",
                "integer",
                "1 for the derivatives, 0 for the activations",
                "0",
                least=0,
                most=1,
            ),
        ),
        enclosed(_dual),
        sample="covariance=-1/3 activation=erf",
        tex=(
            r"\mathbb{E} \left[ \sigma(u) \, \sigma(v) \right]; "
            r"\quad \text{with slope=1 } \mathbb{E} "
            r"\left[ \sigma'(u) \, \sigma'(v) \right]"
        ),
        proof=proved("near-init"),
    ),
    Statement(
        "kernel-least-squares",
        "Norm of the least change of the parameters that moves the "
        "linearised network F_0(x) by r",
        (
            (
                "F_0 is the linearisation at the start w_0 of a ReLU network F of "
                "infinite width, only its first layer moves, and there is one point x "
                "(in the general formula there are several, with targets y and the "
                "Jacobian J)"
            ),
        ),
        chapter("Section 3.3"),
        (X, Parameter("residual", "rational", "r, the change of the output", "1")),
        enclosed(_least_move),
        errata=(
            (
                "the source prints (J^T J)^+ J (y - F), whose shapes do "
                "not fit, and omits w_0"
            ),
            "the Gram matrix of the kernel is J J^T, not J^T J as printed",
        ),
        tex=(
            r"\frac{\lvert r \rvert}{\sqrt{k_\infty(x, x)}}; "
            r"\quad \text{in general } w = w_0 + J^T (J J^T)^+ (y - F(w_0))"
        ),
        proof=proved("near-init"),
    ),
    Statement(
        "telgarsky-3.25",
        "Maclaurin coefficients of f, where f(u . u') is the first-layer ReLU tangent "
        "kernel of the inputs x = (u, 1/sqrt(2)) and x'",
        ("|x| = 1, x_d = 1/sqrt(2), d >= 2",),
        chapter("Proposition 3.25"),
        (
            Parameter(
                "n",
                "integer",
                "n, the index of the coefficient, counted from 0",
                "0",
                most=1999,
                least=0,
            ),
        ),
        enclosed(lambda n: maclaurin(n + 1)[n]),
        errata=(
            (
                "the corollary that the source cites needs |u|^2 < 1/2, but the "
                "inputs have |u|^2 = 1/2, where u is x without its last coordinate; "
                "the result still holds, as the coefficients are nonnegative and the "
                "series converges at 1/2"
            ),
            "one formula of the source has x . x' / pi where x . x' / 2 is right",
            "for d = 1 no input meets the hypotheses",
        ),
        tex=(
            r"f(z) = h \left( z + \tfrac{1}{2} \right), "
            r"\quad h(t) = \frac{t}{4} + \frac{t \, \arcsin \, t}{2 \pi}; "
            r"\quad \text{coefficient } \frac{f^{(n)}(0)}{n!}"
        ),
        proof=proved("near-init"),
    ),
    Statement(
        "kernel-sums",
        "Number of kernels k(x_i, .) that is enough for a weighted sum "
        "within E of a function g, for inputs padded with 1/sqrt(2)",
        (
            (
                "d = 3, |x| = 1 and the last coordinate of x is 1/sqrt(2); g is a "
                "function of the angle of the first two, and in the parameter "
                "`formula` the letter x stands for this angle"
            ),
            (
                "k is the first-layer ReLU tangent kernel, its centres x_i are at "
                "equally spaced angles, and the sum interpolates g at them"
            ),
        ),
        chapter("Proposition 3.25"),
        (
            Parameter(
                "formula",
                "name",
                "g, a formula in x, where x is an angle from 0 to 2 pi",
                "cos(3*x)",
            ),
            Parameter("accuracy", "rational", "E, the allowed error"),
        ),
        lambda formula, accuracy: Value(
            len(kernel_sum(formula, accuracy).weights), Rigour.ENCLOSED
        ),
        sample="accuracy=1/10",
        tex=(
            r"\text{one of } N = 4, 8, \ldots, 512 \text{ with } "
            r"\sup \left\lvert g - \sum_{i=1}^{N} w_i \, "
            r"k(x_i, \cdot) \right\rvert \le E"
        ),
        proof=proved("near-init"),
    ),
    Statement(
        "circle-coefficient",
        "Cosine coefficients of the first-layer ReLU tangent kernel without bias",
        ("x and z are points of the unit circle",),
        Source(OURS, "near-init.md: without bias"),
        (Parameter("k", "integer", "k, the frequency", "3", most=10**6, least=0),),
        enclosed(circle_coefficient),
        tex=(
            r"\frac{2}{\pi} \int_0^\pi \kappa(\cos \, t) \, \cos (k t) "
            r"\, dt; \quad \text{it is } 0 \text{ for } k = 3, "
            r"\text{ and the least sup distance of sums of such kernels from } "
            r"\cos \, 3 t \text{ is exactly } 1; \quad \kappa(c) = "
            r"\frac{c (\pi - \arccos \, c)}{2 \pi}"
        ),
        proof=proved("near-init"),
    ),
    Statement(
        "pytorch-rows",
        "Probability that one of PyTorch's uniform rows lies in the "
        "half-planes of both x and z",
        (
            (
                "d = 2, there is no bias, x = (1, 0), z is at an angle theta to x "
                "with pi/4 <= theta <= 3 pi/4, and the probability is that a row v "
                "has v . x > 0 and v . z > 0"
            ),
        ),
        chapter("Remark 3.2"),
        (Parameter("angle", "rational", "theta / pi", "1/3"),),
        enclosed(lambda angle: uniform_square_chance(angle)),
        errata=(
            (
                "PyTorch also draws biases, and the variances of its two layers are "
                "1/(3 d) and 1/(3 m), for d inputs and m hidden units"
            ),
            (
                "uniform rows are not rotation invariant, so their "
                "limit kernel is not that of Proposition 3.23"
            ),
        ),
        sample="angle=1/3",
        tex=(
            r"\frac{1}{4} + \frac{1}{8} \cot \, \theta; "
            r"\quad \text{Gaussian rows: } \frac{\pi - \theta}{2 \pi}"
        ),
        proof=proved("near-init"),
    ),
)
