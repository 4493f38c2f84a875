"""Tables in mixed-integer models: LP text, Pyomo, Gurobi, JuMP."""

from depthsep.export._words import about_table
from depthsep.export.forms._data import knots
from depthsep.tables import PieceTable

PYOMO = '''\
"""{title}

{remark}
"""

import pyomo.environ as pyo

X = [{x}]
Y = [{y}]


def {name}(x, y, sos2=False):
    """Tie y to the table at x, with binary variables or with a special ordered set."""
    block = pyo.Block(concrete=True)
    last = len(X) - 1
    block.weight = pyo.Var(range(last + 1), bounds=(0, 1))

    def mean(values):
        return sum(value * block.weight[k] for k, value in enumerate(values))

    block.at_x = pyo.Constraint(expr=x == mean(X))
    block.at_y = pyo.Constraint(expr=y == mean(Y))
    block.whole = pyo.Constraint(expr=sum(block.weight.values()) == 1)
    if sos2:
        block.neighbours = pyo.SOSConstraint(var=block.weight, sos=2)
        return block
    block.piece = pyo.Var(range(last), domain=pyo.Binary)
    block.one = pyo.Constraint(expr=sum(block.piece.values()) == 1)

    def near(block, k):
        pieces = [block.piece[j] for j in (k - 1, k) if 0 <= j < last]
        return block.weight[k] <= sum(pieces)

    block.near = pyo.Constraint(range(last + 1), rule=near)
    return block
'''
GUROBI = '''\
"""{title}

{remark}
"""

X = [{x}]
Y = [{y}]


def {name}(model, x, y):
    """Tie y to the table at x in a gurobipy model."""
    return model.addGenConstrPWL(x, y, X, Y)
'''
JUMP = """\
# {title}
# {remark}
using JuMP, PiecewiseLinearOpt

const X = [{x}]
const Y = [{y}]

# an expression for the table at the variable x
{name}(model, x) = piecewiselinear(model, x, X, Y)
"""


def write_pyomo(table: PieceTable, name: str) -> str:
    """A module with a function that makes a block."""
    return _filled(PYOMO, table, name, "\n")


def write_gurobi(table: PieceTable, name: str) -> str:
    """A module with a function that adds a constraint."""
    return _filled(GUROBI, table, name, "\n")


def write_jump(table: PieceTable, name: str) -> str:
    """A file of Julia, for PiecewiseLinearOpt."""
    return _filled(JUMP, table, name, "\n# ")


def _filled(template: str, table: PieceTable, name: str, between: str) -> str:
    x, y = knots(table)
    title, *rest = (line.replace('"""', "'") for line in about_table(table))
    return template.format(
        title=title,
        remark=between.join(rest),
        name=name,
        x=", ".join(x),
        y=", ".join(y),
    )


def write_lp(table: PieceTable, name: str) -> str:
    """A model in the LP format: y is the table at x; the least y is asked for."""
    x, y = knots(table)
    last = len(x) - 1
    weights = range(last + 1)
    lines = [f"\\ {line}" for line in about_table(table)]
    lines.append(f"\\ {name}_y is the table at {name}_x: tie {name}_x to your model,")
    lines.append(f"\\ or fix it; as it stands, the model minimises {name}_y.")
    lines += ["Minimize", f" least: {name}_y", "Subject To"]
    lines.append(f" {name}_at_x: {name}_x {_sum(x, name)} = 0")
    lines.append(f" {name}_at_y: {name}_y {_sum(y, name)} = 0")
    lines.append(
        f" {name}_whole: " + " + ".join(f"{name}_w{k}" for k in weights) + " = 1"
    )
    lines.append(
        f" {name}_one: " + " + ".join(f"{name}_p{k}" for k in range(last)) + " = 1"
    )
    for k in weights:
        near = " - ".join(f"{name}_p{j}" for j in (k - 1, k) if 0 <= j < last)
        lines.append(f" {name}_near{k}: {name}_w{k} - {near} <= 0")
    lines += ["Bounds", f" {name}_x free", f" {name}_y free"]
    lines += [f" 0 <= {name}_w{k} <= 1" for k in weights]
    lines.append("Binary")
    lines += [f" {name}_p{k}" for k in range(last)]
    return "\n".join([*lines, "End"]) + "\n"


def _sum(numbers: list[str], name: str) -> str:
    """Minus the weighted sum, a term a weight."""
    terms = []
    for k, number in enumerate(numbers):
        sign, size = ("+", number[1:]) if number.startswith("-") else ("-", number)
        terms.append(f"{sign} {size} {name}_w{k}")
    return " ".join(terms)
