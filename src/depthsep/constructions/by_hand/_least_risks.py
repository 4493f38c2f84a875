"""Least risks over two classes of functions."""

from depthsep.evidence import Parameter, Rigour, Source, Statement, Value, proved

LEAST_RISKS = Statement(
    "least-risks",
    "How far apart the least risks over two classes of functions are",
    (
        "R(f) = E loss(f(x), y), the loss L-Lipschitz in f(x)",
        "every g of G has an f of F with |f - g| <= E in L1 of the inputs (or in sup)",
    ),
    Source("telgarsky2023", "Chapter 2, displayed inequality"),
    (
        Parameter("lipschitz", "rational", "L", "1"),
        Parameter("accuracy", "rational", "E"),
    ),
    lambda lipschitz, accuracy: Value(lipschitz * accuracy, Rigour.EXACT),
    sample="accuracy=1/10",
    tex=r"\inf_{f \in F} R(f) \le \inf_{g \in G} R(g) + L \, E",
    proof=proved("explicit-networks"),
)
