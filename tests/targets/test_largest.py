"""The largest of N numbers on a line: its upper envelope."""

import random

import pytest
from flint import fmpq

from depthsep.laws import Segment
from depthsep.targets import target_from_text


@pytest.mark.parametrize("count", [2, 3, 9, 40])
def test_a_line_sees_the_largest(count):
    numbers, target = random.Random(count), target_from_text(f"max:{count}")
    for _ in range(6):
        a, b = (
            [fmpq(numbers.randint(-9, 9), 8) for _ in range(count)] for _ in range(2)
        )
        line = target.on_line(a, b)
        pieces = line.affine_pieces(Segment(0, 1))
        for t in (fmpq(k, 24) for k in range(25)):
            value = max(x + t * (y - x) for x, y in zip(a, b, strict=True))
            if pieces is None:
                assert float(line.floats(float(t))) == pytest.approx(
                    float(value.p) / float(value.q)
                )
            else:
                assert pieces(t) == value
