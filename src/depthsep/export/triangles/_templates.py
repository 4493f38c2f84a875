"""Files of tables of two inputs, with places for their numbers."""

C = """\
{remark}
{type} {name}({type} x, {type} y)
{{
    static const {type} X[{columns}] = {{
{x}
    }};
    static const {type} Y[{rows}] = {{
{y}
    }};
    /* whether a cell is cut from its lower left to its upper right corner */
    static const unsigned char rising[{cells}] = {{
{cuts}
    }};
    /* for each cell, its lower triangle, then its upper one: level and two slopes */
    static const {type} plane[{planes}][3] = {{
{levels}
    }};
    unsigned i = 0, j = 0, high = {columns} - 1, k;
    {type} dx, dy, a, b;

    if (!(x > X[0]))
        x = X[0];
    if (x > X[{columns} - 1])
        x = X[{columns} - 1];
    if (!(y > Y[0]))
        y = Y[0];
    if (y > Y[{rows} - 1])
        y = Y[{rows} - 1];
    while (high - i > 1) {{
        k = (i + high) / 2;
        if (x < X[k])
            high = k;
        else
            i = k;
    }}
    high = {rows} - 1;
    while (high - j > 1) {{
        k = (j + high) / 2;
        if (y < Y[k])
            high = k;
        else
            j = k;
    }}
    a = X[i + 1] - X[i];
    b = Y[j + 1] - Y[j];
    dx = x - X[i];
    dy = y - Y[j];
    k = i * ({rows} - 1) + j;
    if (rising[k])
        k = 2 * k + (dy * a > dx * b);
    else
        k = 2 * k + (dx * b + dy * a > a * b);
    dx = plane[k][1] * dx;
    dy = plane[k][2] * dy;
    return plane[k][0] + (dx + dy);
}}
"""
NUMPY = '''\
"""{title}

{remark}
"""

import numpy as np

X = np.array([{x}], dtype=np.{dtype})
Y = np.array([{y}], dtype=np.{dtype})
# whether a cell is cut from its lower left to its upper right
RISING = np.array([{cuts}], dtype=bool)
# for each cell, its lower and then its upper triangle: level, two slopes
PLANES = np.array([
{levels}
], dtype=np.{dtype})


def {name}(x, y):
    """Evaluate at two arrays of the same shape."""
    x = np.clip(np.asarray(x, dtype=np.{dtype}), X[0], X[-1])
    y = np.clip(np.asarray(y, dtype=np.{dtype}), Y[0], Y[-1])
    i = np.minimum(np.searchsorted(X, x, side="right") - 1, len(X) - 2)
    j = np.minimum(np.searchsorted(Y, y, side="right") - 1, len(Y) - 2)
    dx, dy = x - X[i], y - Y[j]
    a, b = X[i + 1] - X[i], Y[j + 1] - Y[j]
    k = i * (len(Y) - 1) + j
    k = 2 * k + np.where(RISING[k], dy * a > dx * b, dx * b + dy * a > a * b)
    level, across, up = np.moveaxis(PLANES[k], -1, 0)
    return level + (across * dx + up * dy)
'''
PYOMO = '''\
"""{title}

{remark}
"""

import pyomo.environ as pyo

X = [{x}]
Y = [{y}]
VALUES = [{values}]
# corners of every triangle: knot (i, j) is i * len(Y) + j
TRIANGLES = [
{triangles}
]


def {name}(x, y, z):
    """A block that ties z to the table at (x, y)."""
    block = pyo.Block(concrete=True)
    corners = [(t, k) for t, triangle in enumerate(TRIANGLES) for k in triangle]
    block.weight = pyo.Var(corners, bounds=(0, 1))
    block.triangle = pyo.Var(range(len(TRIANGLES)), domain=pyo.Binary)

    def mean(value):
        return sum(value(k) * block.weight[t, k] for t, k in corners)

    block.at_x = pyo.Constraint(expr=x == mean(lambda k: X[k // len(Y)]))
    block.at_y = pyo.Constraint(expr=y == mean(lambda k: Y[k % len(Y)]))
    block.at_z = pyo.Constraint(expr=z == mean(lambda k: VALUES[k]))
    block.one = pyo.Constraint(expr=sum(block.triangle.values()) == 1)

    def whole(block, t):
        return sum(block.weight[t, k] for k in TRIANGLES[t]) == block.triangle[t]

    block.whole = pyo.Constraint(range(len(TRIANGLES)), rule=whole)
    return block
'''
