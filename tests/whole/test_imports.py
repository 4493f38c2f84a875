"""The import order: packages read only lower ones, and importing loads little."""

import ast
import importlib
import importlib.metadata
import subprocess
import sys
from pathlib import Path

import pytest

import depthsep

ROOT = Path(depthsep.__file__).parent
ORDER = {
    "exact": 1,
    "formulas": 2,
    "special": 2,
    "evidence": 3,
    "networks": 4,
    "laws": 5,
    "targets": 6,
    "approximation": 7,
    "problems": 7,
    "claims": 8,
    "analysis": 8,
    "tables": 8,
    "constructions": 9,
    "lower_bounds": 9,
    "infinite_width": 9,
    "near_init": 9,
    "dynamics": 9,
    "every_dimension": 9,
    "separation": 10,
    "surfaces": 10,
    "papers": 11,
    "interop": 11,
    "export": 12,
    "witnesses": 12,
    "jobs": 12,
    "studies": 13,
    "reports": 14,
    "explore": 15,
    "cli": 16,
}
# below every package, above the errors only
GROUND = (
    *("_display", "_extras", "_files", "_inputs", "_lazy", "_names", "_plural"),
    *("_cores", "_deadline", "_progress", "_syntax_tree", "_version"),
)
HEAVY = (
    *("sympy", "matplotlib", "onnx", "jax", "torch", "equinox", "diffrax", "optax"),
    *("dask", "distributed", "pandas", "pyarrow", "xarray", "scipy", "jinja2"),
)
# the one package each may be loaded by at import: it exists to talk to it
AT_HOME = {"depthsep.interop": ("onnx",)}
PACKAGES = sorted(p.parent.name for p in ROOT.glob("*/__init__.py"))
# the front door reads every package, but only when a name is asked for
FRONT_DOOR = (ROOT / "__init__.py", ROOT / "__main__.py")
FILES = sorted(p for p in ROOT.rglob("*.py") if p not in FRONT_DOOR)


def home(file):
    """The package a file belongs to; the file's own name for single-file ones."""
    return file.relative_to(ROOT).parts[0].removesuffix(".py")


def imported_modules(tree):
    """Every module that an import statement names, at any level of nesting."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute here"
            yield node.module
            if node.module == "depthsep":
                yield from (f"depthsep.{alias.name}" for alias in node.names)


def is_allowed(importer, imported):
    """Whether a file of package `importer` may import from package `imported`."""
    if imported == "_errors" or imported == importer:
        return True
    if imported in GROUND:
        return importer != "_errors"
    return ORDER[imported] < ORDER.get(importer, 0)


def run_python(code):
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True
    )


def test_every_package_has_a_place_in_the_order():
    assert set(PACKAGES) <= set(ORDER)
    assert {home(f) for f in FILES} <= {*ORDER, *GROUND, "_errors", "py"}


def test_files_import_from_lower_packages_and_private_modules_of_their_own():
    for file in FILES:
        for module in imported_modules(ast.parse(file.read_text("utf-8"))):
            assert module != "depthsep", f"{file} imports the front door"
            first, *parts = module.split(".")
            if first != "depthsep":
                continue
            assert is_allowed(home(file), parts[0]), f"{file} imports {module}"
            private = any(part.startswith("_") for part in parts[1:])
            assert not private or parts[0] == home(file), f"{file} imports {module}"


def test_the_rule_itself_tells_good_from_bad():
    assert is_allowed("targets", "exact")
    assert is_allowed("separation", "lower_bounds")
    assert is_allowed("exact", "_errors")
    assert not is_allowed("laws", "targets")
    assert not is_allowed("constructions", "lower_bounds")
    assert not is_allowed("lower_bounds", "constructions")
    assert not is_allowed("analysis", "constructions")
    assert not is_allowed("exact", "evidence")
    assert is_allowed("exact", "_inputs")
    assert not is_allowed("_errors", "exact")
    assert not is_allowed("_inputs", "exact")


def test_imports_inside_functions_count_too():
    tree = ast.parse("def f():\n    from depthsep.cli import main\n    return main\n")
    assert list(imported_modules(tree)) == ["depthsep.cli"]


def test_importing_packages_loads_no_heavy_library():
    """All in one process; what one may load comes last, when the others are in."""
    packages = ["depthsep", *(f"depthsep.{p}" for p in PACKAGES)]
    code = (
        "import importlib, sys\n"
        f"for package in {sorted(packages, key=AT_HOME.__contains__)!r}:\n"
        "    importlib.import_module(package)\n"
        "    if package == 'depthsep.reports':  # it loads what is used\n"
        "        exec('from depthsep.reports import *')\n"
        f"    allowed = {AT_HOME!r}.get(package, ())\n"
        f"    loaded = [m for m in {HEAVY!r} if m in sys.modules]\n"
        "    assert set(loaded) <= set(allowed), (package, loaded)"
    )
    done = run_python(code)
    assert done.returncode == 0, done.stderr


def test_proving_upper_bounds_never_loads_the_lower_bounds_and_conversely():
    for one, other in (
        ("constructions", "lower_bounds"),
        ("lower_bounds", "constructions"),
    ):
        code = (
            f"import sys, depthsep.{one}; assert 'depthsep.{other}' not in sys.modules"
        )
        done = run_python(code)
        assert done.returncode == 0, done.stderr


def test_the_examiner_loads_neither():
    code = (
        "import sys, depthsep.analysis\n"
        "assert 'depthsep.constructions' not in sys.modules\n"
        "assert 'depthsep.lower_bounds' not in sys.modules"
    )
    done = run_python(code)
    assert done.returncode == 0, done.stderr


def test_the_front_door_shows_every_name_it_promises():
    names = [n for n in depthsep.__all__ if n != "write_report"]
    for name in names:
        assert getattr(depthsep, name) is not None
    assert dir(depthsep) == sorted(depthsep.__all__)


@pytest.mark.parametrize("package", ["depthsep", *(f"depthsep.{p}" for p in PACKAGES)])
def test_every_name_that_a_package_shows_is_there_with_a_star_too(package):
    module, names = importlib.import_module(package), {}
    exec(f"from {package} import *", names)
    shown = [name for name in dir(module) if not name.startswith("_")]
    assert set(shown) <= set(names)
    assert all(getattr(module, name) is names[name] for name in shown)


def test_a_package_lists_the_names_that_it_loads_later():
    near_init = importlib.import_module("depthsep.near_init")
    assert {"compare", "linearise", "TangentKernel", "plant"} <= set(dir(near_init))


def test_the_front_door_has_a_version():
    assert depthsep.__version__ == importlib.metadata.version("depthsep")


def test_the_front_door_refuses_unknown_names():
    with pytest.raises(AttributeError, match="no attribute 'sawtoth'"):
        _ = depthsep.sawtoth


def test_importing_changes_no_global_precision():
    code = (
        "from flint import ctx; before = ctx.prec\n"
        "import depthsep.separation, depthsep.interop\n"
        "assert ctx.prec == before"
    )
    assert run_python(code).returncode == 0
