"""What is published says the same everywhere: versions, needs, Pythons, pages."""

import importlib.util
import re
import tomllib

import pytest
from packaging.requirements import Requirement

import depthsep
from support.bare_install import VERSIONS, listed
from support.places import ROOT

yaml = pytest.importorskip("yaml", reason="depthsep[docs] is not installed")

PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PROJECT = PYPROJECT["project"]
CHECKER = tomllib.loads((ROOT / "checker" / "pyproject.toml").read_text("utf-8"))
CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
RECIPE = yaml.safe_load((ROOT / "recipe" / "recipe.yaml").read_text("utf-8"))
CONSTRAINTS = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
CONDA_NAMES = {"matplotlib": "matplotlib-base"}  # without the windows of Qt


def bounds(requirements):
    """From the name of each requirement to its bounds, as conda names them."""
    parsed = map(Requirement, requirements)
    return {CONDA_NAMES.get(r.name, r.name): r.specifier for r in parsed}


def test_every_file_names_the_same_version():
    versions = {
        "pyproject.toml": PROJECT["version"],
        "checker/pyproject.toml": CHECKER["project"]["version"],
        "CITATION.cff": str(CITATION["version"]),
        "recipe/recipe.yaml": str(RECIPE["context"]["version"]),
        "depthsep.__version__": depthsep.__version__,
    }
    assert len(set(versions.values())) == 1, versions


def test_the_recipe_needs_what_the_package_needs():
    python = f">={RECIPE['context']['python_min']}"
    assert PROJECT["requires-python"] == python
    needs = RECIPE["requirements"]
    assert needs["run"][0] == "python >=${{ python_min }}"
    assert bounds(needs["run"][1:]) == bounds(PROJECT["dependencies"])
    assert needs["host"][:2] == ["python ${{ python_min }}.*", "pip"]
    assert needs["host"][2:] == PYPROJECT["build-system"]["requires"]


def test_the_recipe_says_what_the_package_says():
    entries = RECIPE["build"]["python"]["entry_points"]
    assert entries == [f"{a} = {b}" for a, b in PROJECT["scripts"].items()]
    assert RECIPE["about"]["summary"] == PROJECT["description"]
    assert RECIPE["about"]["license"] == PROJECT["license"] == CITATION["license"]
    assert RECIPE["source"] == {"path": ".."}


def test_the_program_that_builds_the_recipe_reads_it():
    rattler = pytest.importorskip("rattler_build", reason="rattler is not installed")
    recipe = rattler.Stage0Recipe.from_file(str(ROOT / "recipe" / "recipe.yaml"))
    (made,) = recipe.render(rattler.VariantConfig(), rattler.RenderConfig())
    written = made.recipe.to_dict()
    assert written["package"] == {"name": "depthsep", "version": PROJECT["version"]}
    assert written["build"]["noarch"] == "python"
    (python, script) = written["tests"]
    for name in python["python"]["imports"]:
        assert importlib.util.find_spec(name), name
    assert [line.split()[0] for line in script["script"]] == ["depthsep"] * 2


def test_the_pythons_that_are_named_are_tried_from_the_lowest_on():
    assert PROJECT["requires-python"] == f">={VERSIONS[0]}"
    assert CHECKER["project"]["requires-python"] == f">={VERSIONS[0]}"
    assert listed() == set(VERSIONS[: len(listed())])


def test_every_dependency_is_pinned_once_in_order():
    names = [re.split("==", line)[0] for line in CONSTRAINTS]
    pinned = {name.lower().replace("_", "-") for name in names}
    assert sorted(CONSTRAINTS, key=str.lower) == CONSTRAINTS
    assert len(pinned) == len(names)
    extras = PROJECT["optional-dependencies"]
    wanted = [*PROJECT["dependencies"], *PYPROJECT["build-system"]["requires"]]
    wanted += [
        one for name, extra in extras.items() if name != "torch" for one in extra
    ]
    needed = {Requirement(one).name for one in wanted} - {"depthsep"}
    assert not needed - pinned  # torch depends on the machine


def test_the_page_of_a_package_index_has_no_link_that_leads_nowhere():
    page = (ROOT / "README.md").read_text("utf-8")
    code = re.findall(r"^```.*?^```", page, re.DOTALL | re.MULTILINE)
    hook = PYPROJECT["tool"]["hatch"]["metadata"]["hooks"]["fancy-pypi-readme"]
    for rule in hook["substitutions"]:
        page = re.sub(rule["pattern"], rule["replacement"], page)
    assert not re.findall(r"\]\((?!https:)", page)
    assert re.findall(r"^```.*?^```", page, re.DOTALL | re.MULTILINE) == code
    assert "What has to be believed for which claim" in page


def test_the_checker_comes_with_the_license():
    ours, its = ROOT / "LICENSE", ROOT / "checker" / "LICENSE"
    assert its.read_text("utf-8") == ours.read_text("utf-8")
    assert CHECKER["project"]["license"] == PROJECT["license"]
