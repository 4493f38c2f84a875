"""Proof files that a referee made to deceive the checker: each is refused."""

import json
import subprocess
import sys
from fractions import Fraction

import depthsep_check as checker
import onnx
import pytest

from depthsep import Problem, build
from depthsep.interop import write_onnx
from depthsep.witnesses import prove_lower, prove_upper, run_checker, verify_proof
from support.places import ROOT


def lower(kind, evidence, width, depth=2, skips=True, **problem):
    given = {"target": "expr:exp(x)", "law": "uniform:0,1", "norm": "linf"}
    return {
        "format": checker.FORMAT,
        "side": "lower",
        "kind": kind,
        "problem": {**given, "accuracy": "1/1000", **problem},
        "claim": {"depth": depth, "width": width, "skips": skips},
        "evidence": evidence,
        "sha256": "",
    }


def refused(document, says=None):
    with pytest.raises((checker.Refused, checker.Unreadable), match=says):
        checker.check(document, ROOT)


def points(count, low=0, high=1):
    step = Fraction(high - low, 2 * count)
    return [[str(low + (2 * k + j) * step) for j in range(3)] for k in range(count)]


def test_potentials_in_floats_do_not_hide_what_they_rise_by():
    knots = [4 * k for k in range(9)]
    phi = [2.0**160 - 2.0**108] + [2.0**160] * 7 + [2.0**160 + 2.0**108]
    evidence = {"knots": knots, "bits": 100, "potentials": phi, "price": 1}
    refused(lower("mean", evidence, 10**9, norm="l1"), "not whole")


def test_values_that_are_not_known_well_enough_are_no_values():
    evidence = {"knots": [0, 4, 8], "bits": 60, "potentials": [0, 1, 2], "price": 1}
    wide = "expr:x**2*(10**62*(e-e))"
    refused(lower("mean", evidence, 2, norm="l1", target=wide), "well enough")


def test_a_product_lives_on_two_sides_only():
    problem = Problem("product", accuracy="1e-1")
    document = prove_upper(build(problem, depth=2).network, problem).document
    document["problem"]["law"] = "box:-1,1;-1,1;-1,1"
    refused(document)


def test_sawtooths_live_on_the_unit_interval():
    evidence = {"points": points(40, -20, 20)}
    given = {"target": "sawtooth:1", "law": "uniform:-20,20", "accuracy": "1/5"}
    refused(lower("points", evidence, 40, **given), "live on")


@pytest.mark.parametrize(
    ("target", "says"),
    [
        ("expr:cos(20*x, log=0)", "not known"),
        ("expr:exp(x) # of 17", "not a formula"),
        ("expr:exp(x)\x1b[2K", "not a formula"),
        ("expr:exp(x1)", "not known"),
        ("expr:\uff58**2", "not a formula"),
        ("sawtooth:\u0662", "does not know"),
        ("expr:x*1e999999999", "not a rational"),
        ("expr:exp(1000000000*x)", "too large"),
        ("expr:((((x+10)**999)**999)**999)", "too large"),
    ],
)
def test_targets_are_what_they_seem(target, says):
    refused(lower("points", {"points": points(4)}, 1, target=target), says)


@pytest.mark.parametrize("target", ["expr:1/x", "expr:sqrt(x)", "expr:log(x+1/2)"])
def test_functions_are_defined_where_a_claim_is_made(target):
    evidence = {"points": [["1/2", "3/4", "1"]]}
    given = {"law": "uniform:-1,1", "accuracy": "1/10000", "target": target}
    refused(lower("points", evidence, 1, **given), "may not be defined")


@pytest.mark.parametrize(
    "change",
    [
        {"accuracy": "1e-999999999"},
        {"accuracy": "1_0/1_0_0"},
        {"accuracy": float("nan")},
        {"law": "uniform:0,1e999999999"},
        {"law": "uniform:1,0"},
        {"law": "box:0,1"},
        {"law": "uniform:0,1;0,1"},
    ],
    ids=str,
)
def test_numbers_and_laws_are_plain(change):
    refused(lower("points", {"points": points(4)}, 1, **change))


@pytest.mark.parametrize("value", ["012", {"012": 0}, [["0", "1/2"]], [{"0": 1}], []])
def test_lists_are_lists(value):
    refused(lower("points", {"points": value}, 1))


def test_large_numbers_are_refused_at_once():
    good = points(4)
    refused(lower("points", {"points": good}, 1, depth=10**12))
    knots = {"knots": [0, 4], "bits": 10**12, "potentials": [0, 1], "price": 1}
    refused(lower("mean", knots, 1, norm="l1"))


def test_deep_files_do_not_end_in_a_traceback(tmp_path):
    place = tmp_path / "deep.json"
    document = json.dumps(lower("points", {"points": points(4)}, 1))
    place.write_text(document[:-1] + ', "x": ' + "[" * 990 + "]" * 990 + "}")
    command = [sys.executable, ROOT / "checker" / "depthsep_check.py", place]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 2 and "Traceback" not in done.stderr


def test_plain_networks_are_verified_by_the_theorem_about_them(tmp_path):
    problem = Problem("sawtooth:3", accuracy="1/10")
    prove_lower(problem, 3, skips=False).write(tmp_path / "proof.json")
    assert verify_proof(tmp_path / "proof.json").valid


def test_the_answer_says_the_law_and_the_networks(tmp_path):
    for skips, words in ((True, ""), (False, " (no skip connections)")):
        prove_lower(Problem("square", accuracy="1e-3"), 2, skips=skips).write(
            tmp_path / "proof.json"
        )
        assert run_checker(tmp_path / "proof.json").words.endswith(
            f"in linf under uniform:0,1{words}"
        )


def rename_output(model):
    model.graph.output[0].name = "z2"


def another_output(model):
    model.graph.output.append(model.graph.output[0])


def a_domain(model):
    model.graph.node[1].domain = "mine"


def external_weights(model):
    model.graph.initializer[0].data_location = onnx.TensorProto.EXTERNAL


def a_function(model):
    model.functions.append(onnx.FunctionProto(name="Relu"))


def a_weight_twice(model):
    model.graph.initializer.append(model.graph.initializer[0])


def a_constant_input(model):
    extra = model.graph.initializer.add()
    extra.CopyFrom(model.graph.initializer[0])
    extra.name = "x"


def a_scaled_gemm(model):
    of_gemm(model, "alpha").f = 2.0


def a_shifted_bias(model):
    of_gemm(model, "beta").f = 0.5


def a_transposed_input(model):
    of_gemm(model, "transA").i = 1


def an_attribute_twice(model):
    model.graph.node[0].attribute.append(onnx.helper.make_attribute("alpha", 1.0))


def a_switch_that_is_a_float(model):
    switch = of_gemm(model, "transB")
    switch.ClearField("i")
    switch.f = 1.0


def of_gemm(model, name):
    return next(a for a in model.graph.node[0].attribute if a.name == name)


def a_last_node(model):
    model.graph.node.append(onnx.helper.make_node("Exp", ["y"], ["z"]))


def a_bias_of_two_dimensions(model):
    model.graph.initializer[1].dims.append(1)


def a_transposition_of_another_type(model):
    of_gemm(model, "transB").type = onnx.AttributeProto.FLOAT


@pytest.mark.parametrize(
    "change",
    [
        a_bias_of_two_dimensions,
        a_transposition_of_another_type,
        rename_output,
        another_output,
        a_domain,
        external_weights,
        a_function,
        a_weight_twice,
        a_constant_input,
        a_scaled_gemm,
        a_shifted_bias,
        a_transposed_input,
        an_attribute_twice,
        a_switch_that_is_a_float,
        a_last_node,
    ],
)
def test_the_network_that_is_checked_is_the_one_that_runs(change, tmp_path):
    problem = Problem("expr:exp(x)", accuracy="1e-2")
    place = tmp_path / "net.onnx"
    write_onnx(build(problem, depth=3).network, place)
    assert len(checker.onnx_layers(place.read_bytes())) == 3
    model = onnx.load(place)
    change(model)
    with pytest.raises((checker.Refused, checker.Unreadable, ValueError)):
        checker.onnx_layers(model.SerializeToString())


def test_a_field_that_is_written_twice_is_refused(tmp_path):
    """Readers of protobuf take the last one; the checker must not take the first."""
    problem = Problem("expr:exp(x)", accuracy="1e-2")
    place = tmp_path / "net.onnx"
    write_onnx(build(problem, depth=2).network, place)
    model = onnx.load(place)
    graph = model.graph.SerializeToString()
    twice = model.SerializeToString() + b"\x3a" + varint(len(graph)) + graph
    with pytest.raises(ValueError):
        checker.onnx_layers(twice)
    tensor = model.graph.initializer[0]
    raw = bytes(len(tensor.raw_data))
    again = tensor.SerializeToString() + b"\x4a" + varint(len(raw)) + raw
    with pytest.raises(ValueError):
        checker.tensor(again)


def test_an_output_has_one_name_and_fields_have_their_kind(tmp_path):
    place = tmp_path / "net.onnx"
    write_onnx(build(Problem("square", accuracy="1e-2"), depth=2).network, place)
    graph = onnx.load(place).graph
    end = graph.output[0].SerializeToString()
    data = place.read_bytes()
    assert data.count(b"\x62" + varint(len(end)) + end) == 1
    hidden = graph.node[0].output[0].encode()
    longer = end + b"\x0a" + varint(len(hidden)) + hidden
    with pytest.raises(checker.Refused, match="output y"):
        checker.onnx_layers(resized(data, graph, end, longer))
    # a name of eight bytes that says it is a number: others do not read it
    bias = graph.node[0].input[2].encode()
    assert list(checker.fields(b"\x0a\x08" + bytes(8))) == [(1, bytes(8))]
    for kind in (b"\x09", b"\x0b"):
        with pytest.raises(checker.Refused, match="kind"):
            list(checker.fields(kind + bias))
    # four bytes that say they are a float stand for a float only where one may be
    number = b"\x0d" + bytes(4)
    assert list(checker.fields(number)) == [(1, (0.0,))]
    assert checker.message(number, 1, floats=(1,)) == {1: [(0.0,)]}
    for data, floats in ((number, ()), (b"\x08\x01", (1,))):
        with pytest.raises(checker.Refused, match="kind"):
            checker.message(data, 1, floats=floats)


def resized(data, graph, old, new):
    """The model with another output: the lengths of it and of the graph changed."""
    before = graph.SerializeToString()
    after = before.replace(
        b"\x62" + varint(len(old)) + old, b"\x62" + varint(len(new)) + new
    )
    return data.replace(
        b"\x3a" + varint(len(before)) + before, b"\x3a" + varint(len(after)) + after
    )


@pytest.mark.parametrize("cuts", [["1e-100", "2e-100"], ["1/3", "1/3+", "1/2"], []])
def test_intervals_without_weight_prove_nothing(cuts):
    """Their weight is rounded down, to less than 0."""
    if "1/3+" in cuts:
        cuts = ["1/3", str(Fraction(1, 3) + Fraction(1, 2**250))]
    for target in ("radial:1", "radial:r+1", "inner:2"):
        law = "ball:2" if target.startswith("radial") else "spheres:3"
        evidence = {"level": "0", "intervals": [cuts] if cuts else []}
        refused(lower("arcs", evidence, 10**18, target=target, law=law, norm="l2"))


@pytest.mark.parametrize("target", ["inner:exp t**2", "inner:sin d*t", "radial:sin r"])
def test_a_formula_is_one_as_it_is_written(target):
    law = "ball:3" if target.startswith("radial") else "spheres:3"
    evidence = {"level": "1", "places": ["0", "4"]}
    refused(lower("arcs", evidence, 1, target=target, law=law), "not a formula")


def test_work_without_end_is_given_up(tmp_path):
    code = (
        "import depthsep_check as c, sys, time; c.MOST_SECONDS = 1; "
        "c.main = lambda a: time.sleep(60); c.run()"
    )
    run = [sys.executable, "-c", code]
    done = subprocess.run(run, cwd=ROOT / "checker", capture_output=True, text=True)
    assert done.returncode == 2 and "more than 1 s" in done.stderr


def varint(n):
    out = b""
    while n >= 128:
        out, n = out + bytes([n & 127 | 128]), n >> 7
    return out + bytes([n])


def test_several_files_are_not_taken_for_one(tmp_path):
    command = [sys.executable, ROOT / "checker" / "depthsep_check.py", "a", "b"]
    assert subprocess.run(command, capture_output=True).returncode == 2


def test_a_gemm_without_its_defaults_is_read(tmp_path):
    place = tmp_path / "net.onnx"
    write_onnx(build(Problem("expr:exp(x)", accuracy="1e-2"), depth=3).network, place)
    model, wanted = onnx.load(place), checker.onnx_layers(place.read_bytes())
    for node in model.graph.node:
        kept = [a for a in node.attribute if a.name == "transB"]
        del node.attribute[:]
        node.attribute.extend(kept)
    assert checker.onnx_layers(model.SerializeToString()) == wanted
