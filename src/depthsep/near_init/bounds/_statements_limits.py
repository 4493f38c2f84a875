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
                f"{activation} has no closed form; sampled_limit "
                "estimates the limit by samples"
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
        raise HypothesisError(f"there are {len(point)} numbers; give one")
    return point


def _least_move(x: Sequence[fmpq], residual: fmpq) -> arb:
    kernel = enclosed_kernel(x, x, trained=(1,))
    if kernel == 0:
        raise HypothesisError(
            "x is 0, so its kernel is 0 and no change of the parameters moves F_0(x)"
        )
    with ctx.workprec(PRECISION):
        return arb(residual) / kernel.sqrt()


LIMITS: tuple[Statement, ...] = (
    Statement(
        "telgarsky-3.14",
        "The infinite-width network of a constant transport map",
        (
            "rho_m sqrt(ln ln m) -> 0, or the start has symmetrised pairs",
            "E sigma(v . x)^2 and E |T(v) . x sigma'(v . x)| are finite",
            "x != 0 for activations with a kink",
        ),
        chapter("Theorem 3.14"),
        (Parameter("t", "point", "T(v) = t"), X, SLOPED),
        enclosed(_transport),
        errata=(
            (
                "equation (3.13) needs a_j T / (rho sqrt m); with a_j rho "
                "T / sqrt(m), as printed, the limit is 0"
            ),
            "in the source, m_0 = exp(3 c C / eps) loses the constant c",
            "the source does not ask that E |T(v) . x sigma'(v . x)| is finite",
            (
                "in the source ln(m / delta) fails for sigmoids at m = 1; "
                "ln(2 m / delta) does not"
            ),
            (
                "for a fixed rho there is almost surely no limit, as noise "
                "N(0, rho^2 |x|^2 / 2) remains"
            ),
        ),
        tex=(
            r"F_\infty(x; T) "
            r"= \mathbb{E} \left[ T(v) \cdot x \, \sigma'(v \cdot x) \right]; "
            r"\quad \text{for } T = t \text{ it is } t \cdot x \, "
            r"\mathbb{E} \, \sigma'(\lvert x \rvert g), "
            r"\text{ for ReLU } \frac{t \cdot x}{2}"
        ),
        proof=proved("near-init"),
    ),
    Statement(
        "telgarsky-3.19",
        "Convergence of the first-layer tangent kernel",
        (
            "the units are ReLUs with |a_j| = 1, such as random signs",
            "the bound holds with probability 1 - delta",
        ),
        chapter("Theorem 3.19"),
        (X, Z, WIDTH, DELTA, Parameter("rho", "rational", "temperature", "1")),
        enclosed(_concentration),
        errata=(
            (
                "the source at first defines k_m without the factor "
                "rho^2 / m, and one formula has x where x' is right"
            ),
            "the source does not ask that the expectation is finite",
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
        "The first-layer tangent kernel of ReLU",
        (
            "the rows are N(0, I_d)",
            "x and z have any norms; the kernel is 0 if one of them is 0",
        ),
        chapter("Proposition 3.23"),
        (X, Z),
        enclosed(_first_layer),
        errata=(
            (
                "the source states it for |x| = |z| = 1; arccos <x, z> "
                "must not be used for other norms"
            ),
            "the proof omits the case z = -x, and does not divide v by its length",
            "padding the inputs by sqrt(1 - |x|^2) changes the kernel",
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
                "the network is fully connected with tangent-kernel "
                "scaling, and its width tends to infinity"
            ),
            (
                "the activation is Lipschitz (exp is not: for it the "
                "formula is evaluated without the theorem)"
            ),
        ),
        Source("jacot2018", "Theorem 1"),
        (
            X,
            Z,
            ACTIVATION,
            Parameter("depth", "integer", "number of affine layers", "2", most=200),
            Parameter("weight_variance", "rational", "c", "1"),
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
            r"\Theta^{(h+1)} = Q^{(h+1)} + \Theta^{(h)} \, c \, \mathbb{E} "
            r"\left[ \sigma'(u) \, \sigma'(v) \right], \quad Q^{(h+1)} "
            r"= c \, \mathbb{E} \left[ \sigma(u) \, \sigma(v) \right] + b, "
            r"\quad (u, v) \text{ of law } \mathcal{N}(0, Q^{(h)}), "
            r"\quad \Theta^{(1)} = Q^{(1)} = \langle x, z \rangle + b"
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
            ACTIVATION,
            Parameter("depth", "integer", "number of affine layers", "2", most=200),
        ),
        enclosed(_at_cosine),
        sample="cosine=-1/2 depth=3",
        tex=(
            r"\Theta^{(h)} \text{ of tangent-kernel at the depth } h, \quad "
            r"\left\lvert x \right\rvert = \left\lvert z \right\rvert = 1, "
            r"\quad \langle x, z \rangle = c"
        ),
        proof=cited("near-init"),
    ),
    Statement(
        "dual-activation",
        "Dual activation of two Gaussians",
        (("u and v are centred Gaussians with variances A and C and covariance B"),),
        Source("depthsep", "closed forms of dual activations"),
        (
            Parameter(
                "covariance",
                "point",
                "B, the covariance; it is a cosine if A = C = 1",
                "1/2",
            ),
            ACTIVATION,
            Parameter("first", "rational", "A", "1", least=0),
            Parameter("second", "rational", "C", "1", least=0),
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
        "Least parameter change that moves F_0(x) by r",
        (
            (
                "there is one point, and only the first layer of a ReLU "
                "network of infinite width moves"
            ),
        ),
        chapter("Section 3.3"),
        (X, Parameter("residual", "rational", "r", "1")),
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
        "Maclaurin coefficients of the padded kernel",
        ("|x| = 1, x_d = 1/sqrt(2), d >= 2",),
        chapter("Proposition 3.25"),
        (
            Parameter(
                "n",
                "integer",
                "n, the number of the coefficient",
                "0",
                most=1999,
                least=0,
            ),
        ),
        enclosed(lambda n: maclaurin(n + 1)[n]),
        errata=(
            (
                "the cited corollary needs |u|^2 < 1/2, but the inputs "
                "have |u|^2 = 1/2; the result still holds, as the "
                "coefficients are nonnegative and have a finite sum at 1/2"
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
        "Number of padded kernels for accuracy E",
        (
            (
                "|x| = 1 and x_3 = 1/sqrt(2); g is a function of the angle "
                "of (x_1, x_2), which the formula calls x"
            ),
            "the centres are equally spaced, and g is interpolated there",
        ),
        chapter("Proposition 3.25"),
        (
            Parameter(
                "formula", "name", "g, a formula in x from 0 to 2 pi", "cos(3*x)"
            ),
            Parameter("accuracy", "rational", "E"),
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
        "Cosine coefficients of the kernel without bias",
        ("x and z are points of the unit circle",),
        Source(OURS, "near-init.md: without bias"),
        (Parameter("k", "integer", "frequency", "3", most=10**6, least=0),),
        enclosed(circle_coefficient),
        tex=(
            r"\frac{2}{\pi} \int_0^\pi \kappa(\cos \, t) \, \cos (k t) \, dt; "
            r"\quad \text{so } \cos \, 3 t \text{ has sup error exactly } 1; "
            r"\quad \kappa(c) = \frac{c (\pi - \arccos \, c)}{2 \pi}"
        ),
        proof=proved("near-init"),
    ),
    Statement(
        "pytorch-rows",
        "Half-plane probability for PyTorch's uniform rows",
        (
            (
                "d = 2, there is no bias, x = (1, 0), and z is at angle theta "
                "with pi/4 <= theta <= 3 pi/4"
            ),
        ),
        chapter("Remark 3.2"),
        (Parameter("angle", "rational", "theta / pi", "1/3"),),
        enclosed(lambda angle: uniform_square_chance(angle)),
        errata=(
            "PyTorch also draws biases, and its variances are 1/(3 d) and 1/(3 m)",
            (
                "uniform rows are not rotation invariant, so their limit "
                "is not that of Proposition 3.23"
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
