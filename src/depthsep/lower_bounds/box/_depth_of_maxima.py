"""What is proven about the depth that the largest of N numbers needs, exactly."""

from depthsep.evidence import Parameter, Rigour, Source, Statement, Value, cited, proved

NUMBERS = Parameter(
    "numbers", "integer", "N, how many numbers there are", least=2, most=10**18
)


def _any_weights(numbers: int) -> Value:
    return Value(1 if numbers == 2 else 2, Rigour.EXACT)


def _decimal_fractions(numbers: int) -> Value:
    layers = 1
    while 3**layers < numbers:
        layers += 1
    return Value(layers, Rigour.CITED)


DEPTH_OF_MAXIMA = (
    Statement(
        "max-one-layer",
        "Lower bound on the number of hidden layers needed to compute "
        "the largest of N numbers, with any weights",
        (
            (
                "the ReLU network computes the largest exactly on a "
                "box with interior points at which x_1 = x_2 = x_3 are "
                "the largest (for N = 2: at which x_1 = x_2)"
            ),
            "any skip connections are allowed",
        ),
        Source(
            "depthsep", "a network with one hidden layer bends along whole hyperplanes"
        ),
        (NUMBERS,),
        _any_weights,
        tex=(
            r"1 \text{ for } N = 2, \quad 2 \text{ for } N \ge 3; \quad "
            r"\text{a network with one hidden layer bends along whole hyperplanes}"
        ),
        proof=proved("maxima"),
    ),
    Statement(
        "max-decimal-fractions",
        "Lower bound on the number of hidden layers needed to compute "
        "the largest of N numbers, with float64 or decimal weights",
        (
            "the network computes the largest of the N numbers exactly on R^N",
            (
                "the weights are integers divided by powers of ten, as "
                "all float64 numbers are"
            ),
        ),
        Source("averkov2025", "lower bound for decimal fractions"),
        (NUMBERS,),
        _decimal_fractions,
        sample="numbers=30",
        tex=r"\left\lceil \log_3 \, N \right\rceil",
        proof=cited("maxima"),
    ),
)
