"""Least risks over two classes of functions."""

from depthsep.evidence import Parameter, Rigour, Source, Statement, Value, proved

LEAST_RISKS = Statement(
    "least-risks",
    "Bound on how far the least risk over a class F of functions "
    "exceeds that over a class G",
    (
        "R(f) is the mean of loss(f(x), y), where the loss is L-Lipschitz in f(x)",
        (
            "for every g in G there is an f in F at distance at most E from g, in L1 "
            "under the law of the inputs (or in the sup norm)"
        ),
    ),
    Source("telgarsky2023", "Chapter 2, displayed inequality"),
    (
        Parameter(
            "lipschitz", "rational", "L, the Lipschitz constant of the loss", "1"
        ),
        Parameter("accuracy", "rational", "E, the distance allowed"),
    ),
    lambda lipschitz, accuracy: Value(lipschitz * accuracy, Rigour.EXACT),
    sample="accuracy=1/10",
    tex=r"\inf_{f \in F} R(f) \le \inf_{g \in G} R(g) + L \, E",
    proof=proved("explicit-networks"),
)
