"""NumPy, PyTorch and JAX: one function of an array."""

from depthsep._errors import HypothesisError
from depthsep.exact import FLOAT32, Fixed
from depthsep.export._coded import CodedTable
from depthsep.export._words import about, float32, shown

HEAD = '''\
"""{title}

{remark}
"""

'''
ARRAYS = """\
import numpy as np

START = np.array([{starts}], dtype=np.{dtype})
LEVEL = np.array([{levels}], dtype=np.{dtype})
SLOPE = np.array([{slopes}], dtype=np.{dtype})
STOP = np.{dtype}({stop})


"""
NUMPY = f'''{HEAD}{ARRAYS}\
def {{name}}(x):
    """Evaluate at an array of any shape."""
    x = np.clip(np.asarray(x, dtype=np.{{dtype}}), START[0], STOP)
    k = np.searchsorted(START, x, side="right") - 1
    return LEVEL[k] + SLOPE[k] * (x - START[k])
'''
TORCH = f'''{HEAD}\
import torch

START = torch.tensor([{{starts}}], dtype=torch.{{dtype}})
LEVEL = torch.tensor([{{levels}}], dtype=torch.{{dtype}})
SLOPE = torch.tensor([{{slopes}}], dtype=torch.{{dtype}})
STOP = {{stop}}


def {{name}}(x):
    """Evaluate at a tensor of any shape."""
    start, level, slope = (t.to(x.device) for t in (START, LEVEL, SLOPE))
    x = x.to(start.dtype).clamp(min=start[0], max=torch.as_tensor(STOP).to(start))
    k = torch.searchsorted(start, x.contiguous(), right=True) - 1
    return level[k] + slope[k] * (x - start[k])
'''
JAX = f'''{HEAD}\
import jax.numpy as jnp
{ARRAYS}\
def {{name}}(x):
    """Evaluate at an array of any shape{{needs}}."""
    start, level, slope = (jnp.asarray(v) for v in (START, LEVEL, SLOPE))
    x = jnp.clip(jnp.asarray(x, dtype=start.dtype), start[0], STOP)
    k = jnp.searchsorted(start, x, side="right") - 1
    return level[k] + slope[k] * (x - start[k])
'''


def write_numpy(code: CodedTable, name: str) -> str:
    """A module with the function."""
    return _filled(NUMPY, code, name)


def write_torch(code: CodedTable, name: str) -> str:
    """The same for tensors, on their device."""
    return _filled(TORCH, code, name)


def write_jax(code: CodedTable, name: str) -> str:
    """The same for JAX; doubles need jax_enable_x64."""
    return _filled(JAX, code, name)


def _refuse_fixed(code: CodedTable) -> None:
    if isinstance(code.format, Fixed):
        raise HypothesisError(
            "Python code is written in double or float32, not in fixed-point numbers; "
            "give one of these formats, or write C or hex"
        )


def _filled(template: str, code: CodedTable, name: str) -> str:
    _refuse_fixed(code)
    single = code.format == FLOAT32
    show = float32 if single else shown
    columns = zip(*((r.start, r.level, r.slope) for r in code.rows), strict=True)
    starts, levels, slopes = (", ".join(map(show, values)) for values in columns)
    title, *rest = (line.replace("\\", "/").replace('"""', "'") for line in about(code))
    return template.format(
        title=title,
        remark="\n".join(rest),
        name=name,
        starts=starts,
        levels=levels,
        slopes=slopes,
        stop=show(code.stop),
        dtype="float32" if single else "float64",
        needs="" if single else "; doubles need jax_enable_x64",
    )
