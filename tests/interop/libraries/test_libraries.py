"""PyTorch, equinox, JAX pytrees and scikit-learn, in and out."""

import subprocess
import sys
from functools import partial

import numpy as np
import pytest
from flint import fmpq

from depthsep import DepthsepError, HypothesisError
from depthsep.exact import rational
from depthsep.interop import (
    from_equinox,
    from_pytree,
    from_sklearn,
    from_torch,
    read_onnx,
    to_equinox,
    to_pytree,
    to_sklearn,
    to_torch,
    write_onnx,
)
from depthsep.networks import (
    ABS,
    GELU,
    RELU,
    SIGMOID,
    SIN,
    TANH,
    Network,
    as_relu,
    leaky_relu,
)
from support.regions import random_network

X = np.random.default_rng(0).standard_normal((200, 3))


@pytest.fixture(scope="module")
def torch():
    reason = "torch is not installed: its tests are skipped"
    return pytest.importorskip("torch", reason=reason)


def net(*sizes, activation=RELU, seed=0):
    plain = random_network(np.random.default_rng(seed), sizes)
    return Network(plain.layers, [activation] * (len(sizes) - 2))


def torch_values(torch, module, x=X):
    with torch.no_grad():
        return module(torch.from_numpy(x)).numpy()


@pytest.mark.parametrize("activation", [RELU, TANH, SIGMOID, GELU, leaky_relu(0.25)])
def test_to_torch_and_back_is_bit_exact(torch, activation):
    network = net(3, 8, 7, 2, activation=activation)
    module = to_torch(network)
    assert from_torch(module) == network
    np.testing.assert_allclose(
        torch_values(torch, module), network.floats(X), rtol=1e-12, atol=1e-12
    )


def test_absolute_values_become_two_relus(torch):
    network = net(3, 5, 2, activation=ABS)
    assert from_torch(to_torch(network)) == as_relu(network)


def test_single_precision_is_refused_or_rounded(torch):
    network = net(3, 4, 1)
    with pytest.raises(HypothesisError, match=r"W1\[0, 0\] = .* is not a float32"):
        to_torch(network, dtype=torch.float32)
    module = to_torch(network, dtype=torch.float32, rounded=True)
    assert all(p.dtype == torch.float32 for p in module.parameters())
    again = from_torch(module)
    assert to_torch(again, dtype=torch.float32)[0].weight.equal(module[0].weight)
    huge = Network.from_arrays([[1e300]], [0.0])
    with pytest.raises(HypothesisError, match="float32"):
        to_torch(huge, dtype=torch.float32, rounded=True)
    with pytest.raises(HypothesisError, match=r"use torch\.float64"):
        to_torch(network, dtype=torch.float16)


def test_what_a_module_computes_is_what_the_network_does(torch):
    nn = torch.nn
    torch.manual_seed(0)
    module = nn.Sequential(
        nn.Flatten(),
        nn.Sequential(nn.Linear(3, 6), nn.BatchNorm1d(6), nn.LeakyReLU(0.1)),
        nn.Dropout(0.3),
        nn.Linear(6, 5, bias=False),
        nn.Identity(),
        nn.Linear(5, 4),
        nn.ReLU(),
        nn.BatchNorm1d(4, affine=False),
        nn.Linear(4, 2),
    ).double()
    for _ in range(3):
        module(torch.randn(50, 3, dtype=torch.float64) * 2 + 1)
    network = from_torch(module.eval())
    assert network.widths == (6, 4)
    np.testing.assert_allclose(
        torch_values(torch, module), network.floats(X), rtol=1e-12, atol=1e-12
    )


def test_leading_and_trailing_activations_keep_their_place(torch):
    nn = torch.nn
    module = nn.Sequential(nn.ReLU(), nn.Linear(3, 2), nn.ReLU()).double()
    network = from_torch(module)
    assert network.widths == (3, 2) and network.depth == 3
    np.testing.assert_allclose(
        torch_values(torch, module), network.floats(X), rtol=1e-12, atol=1e-12
    )


def test_linear_layers_that_meet_are_fused_exactly(torch):
    module = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.Linear(3, 1))
    network = from_torch(module)
    first, second = module
    x = [fmpq(1, 3), fmpq(2, 7)]
    inner = [
        sum((rational(w) * v for w, v in zip(row, x, strict=True)), rational(b))
        for row, b in zip(first.weight.tolist(), first.bias.tolist(), strict=True)
    ]
    weights = zip(second.weight.tolist()[0], inner, strict=True)
    wanted = sum((rational(w) * v for w, v in weights), rational(second.bias.item()))
    assert network.depth == 1 and network(x) == (wanted,)


def refused(torch):
    nn = torch.nn
    hooked = nn.Sequential(nn.Linear(2, 2))
    hooked[0].register_forward_hook(lambda *_: None)
    broken = nn.Linear(2, 2)
    broken.weight.data[0, 0] = float("nan")
    return {
        "Conv1d is not supported": nn.Sequential(nn.Conv1d(2, 2, 1)),
        "Bilinear is not supported": nn.Bilinear(2, 2, 2),
        "call model.eval": nn.Sequential(nn.Linear(2, 2), nn.Dropout(0.5)),
        "BatchNorm1d normalises": nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2)),
        "has hooks": hooked,
        "NaN or infinite": broken,
        "how many inputs": nn.Sequential(nn.ReLU()),
        "takes 4 values": nn.Sequential(nn.Linear(2, 3), nn.Linear(4, 1)),
        "all axes but the first": nn.Sequential(nn.Flatten(0), nn.Linear(2, 2)),
        "Softplus is not supported": nn.Sequential(nn.Linear(2, 2), nn.Softplus()),
        "0 <= slope": nn.Sequential(nn.Linear(2, 2), nn.LeakyReLU(1.5)),
    }


def test_what_is_not_read_is_named(torch):
    for message, module in refused(torch).items():
        with pytest.raises(DepthsepError, match=message):
            from_torch(module)
    with pytest.raises(HypothesisError, match="not a torch module"):
        from_torch("net.pt")
    with pytest.raises(HypothesisError, match="cannot write sin units"):
        to_torch(net(2, 3, 1, activation=SIN))
    with pytest.raises(HypothesisError, match="slope 1/100"):
        to_torch(net(2, 3, 1, activation=leaky_relu()))


def test_a_subclass_may_compute_anything_and_is_not_read(torch):
    class Twice(torch.nn.Linear):
        def forward(self, input):
            return 2 * super().forward(input)

    with pytest.raises(HypothesisError, match="Twice is not supported"):
        from_torch(torch.nn.Sequential(Twice(2, 2)))


@pytest.mark.parametrize(
    ("module", "call", "extra"),
    [
        ("torch", "from_torch(None)", "torch"),
        ("torch", "to_torch(Network.from_arrays([[1]], [0]))", "torch"),
        ("sklearn.neural_network", "from_sklearn(None)", "data"),
    ],
)
def test_a_missing_library_is_named_with_its_install_line(module, call, extra):
    code = (
        "import sys\n"
        f"sys.modules[{module!r}] = None\n"
        "from depthsep.interop import *\n"
        "from depthsep.interop import from_torch, to_torch, from_sklearn\n"
        "from depthsep.networks import Network\n"
        f"try:\n    {call}\nexcept ValueError as error:\n    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert f"pip install 'depthsep[{extra}]'" in done.stdout, done.stderr


@pytest.mark.parametrize("activation", [RELU, TANH, SIGMOID, ABS, leaky_relu(0.25)])
def test_to_equinox_and_back_is_bit_exact(activation):
    import jax

    network = net(3, 8, 7, 2, activation=activation)
    with jax.enable_x64(True):
        model = to_equinox(network)
        assert from_equinox(model) == network
        values = np.array(jax.vmap(model)(X))
    np.testing.assert_allclose(values, network.floats(X), rtol=1e-12, atol=1e-12)


def test_without_x64_equinox_holds_singles():
    import jax

    network = net(3, 4, 1)
    with jax.enable_x64(False):
        with pytest.raises(HypothesisError, match="not a float32"):
            to_equinox(network)
        model = to_equinox(network, rounded=True)
    assert model.layers[0].weight.dtype == np.float32


def test_an_equinox_mlp_is_read():
    import equinox as eqx
    import jax

    with jax.enable_x64(True):
        key = jax.random.key(0)
        model = eqx.nn.MLP(3, 2, 8, 3, key=key)
        network = from_equinox(model)
        assert network.widths == (8, 8, 8)
        values = np.array(jax.vmap(model)(X))
        bent = eqx.nn.MLP(3, 2, 8, 1, activation=lambda x: jax.nn.relu(x), key=key)
        with pytest.raises(HypothesisError, match="as in functions="):
            from_equinox(bent)
        known = from_equinox(bent, functions={bent.activation: RELU})
        assert known.activations == (RELU,)
    np.testing.assert_allclose(values, network.floats(X), rtol=1e-12, atol=1e-12)


def test_other_equinox_modules_are_named():
    import equinox as eqx
    import jax

    key = jax.random.key(0)
    with pytest.raises(HypothesisError, match="Conv1d is not supported"):
        from_equinox(eqx.nn.Conv1d(1, 1, 1, key=key))
    dropping = eqx.nn.Sequential([eqx.nn.Linear(2, 2, key=key), eqx.nn.Dropout(0.5)])
    with pytest.raises(HypothesisError, match="inference_mode"):
        from_equinox(dropping)
    assert from_equinox(eqx.nn.inference_mode(dropping)).depth == 1


@pytest.mark.parametrize("inputs_first", [False, True])
def test_pytrees_go_both_ways(inputs_first):
    network = net(3, 8, 7, 2)
    pairs = to_pytree(network, inputs_first=inputs_first)
    assert from_pytree(pairs) == network
    named = {False: "weight", True: "kernel"}[inputs_first]
    layers = [{named: w, "bias": b} for w, b in pairs]
    assert from_pytree(layers) == network


def test_pytrees_in_doubt_are_refused():
    square = [(np.eye(3), np.zeros(3))] * 2
    with pytest.raises(
        HypothesisError, match="b; pass inputs_first=True for the first, or"
    ):
        from_pytree(square)
    assert from_pytree(square, inputs_first=True).depth == 2
    rows = [(np.ones((2, 3)), np.zeros(5))]
    with pytest.raises(HypothesisError, match="the weights and biases do not fit"):
        from_pytree(rows)
    for wrong, message in (
        ([], "no layers"),
        ([np.eye(2)], "not a pair|axes"),
        ([{"w": np.eye(2), "scale": 1.0}], "give only weight and bias"),
        ([(np.eye(2, dtype=int), None)], "use float64"),
        ([(np.full((1, 2), np.inf), np.zeros(1))], "finite"),
        ([("a", "b")], "use float64"),
    ):
        with pytest.raises(HypothesisError, match=message):
            from_pytree(wrong)


@pytest.mark.parametrize("activation", ["relu", "tanh", "logistic", "identity"])
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_a_fitted_regressor_is_read_and_written(activation):
    models = pytest.importorskip("sklearn.neural_network")
    y = np.stack([X[:, 0] * X[:, 1], np.abs(X[:, 2])], axis=1)
    model = models.MLPRegressor(
        hidden_layer_sizes=(9, 8),
        activation=activation,
        max_iter=30,
        random_state=0,
    ).fit(X, y)
    network = from_sklearn(model)
    np.testing.assert_allclose(
        model.predict(X), network.floats(X), rtol=1e-12, atol=1e-12
    )
    if activation == "identity":
        assert network.depth == 1
        return
    again = to_sklearn(network)
    assert np.array_equal(again.predict(X), model.predict(X))
    assert from_sklearn(again) == network


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_a_classifier_is_its_outputs_before_the_last_squashing(classes):
    models = pytest.importorskip("sklearn.neural_network")
    y = np.digitize(X[:, 0] + X[:, 1], [0.0, 1.0][: classes - 1])
    model = models.MLPClassifier(
        hidden_layer_sizes=(8,), max_iter=40, random_state=0
    ).fit(X, y)
    values = from_sklearn(model).floats(X)
    said = values[:, 0] > 0 if classes == 2 else values.argmax(axis=1)
    assert np.array_equal(said.astype(int), model.predict(X))


def test_other_estimators_are_refused():
    models = pytest.importorskip("sklearn.neural_network")
    with pytest.raises(HypothesisError, match="not fitted"):
        from_sklearn(models.MLPRegressor())
    with pytest.raises(
        HypothesisError, match="is not supported; give an MLPRegressor or"
    ):
        from_sklearn(3)
    with pytest.raises(HypothesisError, match="the same kind"):
        to_sklearn(net(2, 3, 1, activation=ABS))


def test_leaky_units_batch_normalisation_and_abs_come_back_from_onnx(torch, tmp_path):
    nn = torch.nn
    torch.manual_seed(1)
    module = nn.Sequential(
        nn.Linear(3, 6), nn.LeakyReLU(0.125), nn.BatchNorm1d(6), nn.Linear(6, 1)
    ).double()
    module(torch.randn(40, 3, dtype=torch.float64))
    path = tmp_path / "net.onnx"
    x = torch.randn(2, 3, dtype=torch.float64)
    options = {"input_names": ["x"], "dynamic_axes": {"x": {0: "batch"}}}
    with pytest.warns(DeprecationWarning):
        torch.onnx.export(
            module.eval(),
            (x,),
            path,
            dynamo=False,
            do_constant_folding=False,
            **options,
        )
    network = read_onnx(path)
    assert network.widths == (6,) and network.activations[0].name.startswith("leaky")
    np.testing.assert_allclose(
        torch_values(torch, module), network.floats(X), rtol=1e-6, atol=1e-6
    )


@pytest.mark.parametrize("activation", [ABS, leaky_relu(0.25)])
def test_skips_past_units_that_may_be_negative_are_carried(tmp_path, activation):
    from onnx import TensorProto, helper, numpy_helper

    name = {"abs": "Abs"}.get(activation.name, "LeakyRelu")
    attributes = {} if name == "Abs" else {"alpha": 0.25}
    rng = np.random.default_rng(3)
    w = rng.standard_normal((3, 3))
    made = helper.make_node
    nodes = [
        made("MatMul", ["x", "w"], ["a"]),
        made(name, ["a"], ["b"], **attributes),
        made("MatMul", ["b", "w"], ["c"]),
        made("Relu", ["c"], ["d"]),
        made("Add", ["b", "d"], ["e"]),
        made(name, ["e"], ["f"], **attributes),
        made("Add", ["f", "x"], ["g"]),
        made("Add", ["g", "b"], ["y"]),
    ]
    ends = [
        helper.make_tensor_value_info(n, TensorProto.DOUBLE, ["n", 3]) for n in "xy"
    ]
    tensors = [numpy_helper.from_array(w, "w")]
    graph = helper.make_graph(nodes, "g", ends[:1], ends[1:], tensors)
    opset = [helper.make_opsetid("", 17)]
    path = tmp_path / "net.onnx"
    path.write_bytes(
        helper.make_model(graph, opset_imports=opset, ir_version=8).SerializeToString()
    )
    bent = activation.floats
    b = bent(X @ w)
    wanted = bent(b + np.maximum(b @ w, 0)) + X + b
    found = read_onnx(path)
    np.testing.assert_allclose(found.floats(X), wanted, rtol=1e-12, atol=1e-12)
    again = tmp_path / "again.onnx"
    write_onnx(found, again)
    assert read_onnx(again) == found


def test_the_slope_of_leaky_units_is_given_by_name():
    import equinox as eqx
    import jax

    def model(function):
        linear = eqx.nn.Linear(1, 1, key=jax.random.key(0))
        return eqx.nn.Sequential([linear, eqx.nn.Lambda(function)])

    leaky = jax.nn.leaky_relu
    assert from_equinox(model(partial(leaky))).activations == (leaky_relu(0.01),)
    for wrong in (
        partial(leaky, 0.2),
        partial(leaky, x=0.2),
        partial(leaky, 0.1, 0.2),
        partial(leaky, negative_slope=np.ones(2)),
    ):
        with pytest.raises(
            HypothesisError, match="leaky_relu is supported only if it fixes"
        ):
            from_equinox(model(wrong))


def test_modules_that_compute_something_else_are_refused():
    reason = "torch is not installed: its tests are skipped"
    torch = pytest.importorskip("torch", reason=reason)
    module = torch.nn.Linear(2, 2)
    module.forward = lambda x: x
    with pytest.raises(HypothesisError, match="custom forward"):
        from_torch(module)
    handle = torch.nn.modules.module.register_module_forward_hook(lambda *_: None)
    try:
        with pytest.raises(HypothesisError, match="hooks"):
            from_torch(torch.nn.Linear(2, 2))
    finally:
        handle.remove()
    with pytest.raises(HypothesisError, match="meta device"):
        from_torch(torch.nn.Linear(2, 2, device="meta"))
    norm = torch.nn.BatchNorm1d(2).eval()
    norm.running_var[0] = float("inf")
    with pytest.raises(HypothesisError, match="NaN or infinity"):
        from_torch(norm)


def test_weights_that_float64_does_not_hold_are_refused():
    third = np.longdouble(1) / 3
    with pytest.raises(HypothesisError, match="use float64"):
        from_pytree([(np.full((1, 2), third), np.zeros(1, np.longdouble))])
    with pytest.raises(HypothesisError, match="not an array of numbers"):
        from_pytree([([[1.0], [1.0, 2.0]], None)])
    with pytest.raises(HypothesisError, match="not a list of layers"):
        from_pytree(5)


def test_what_is_too_large_is_said_of_the_network(monkeypatch):
    monkeypatch.setattr("depthsep.interop.forms._layers._MAX_ENTRIES", 3)
    eqx, jax = pytest.importorskip("equinox"), pytest.importorskip("jax")
    model = eqx.nn.MLP(2, 1, 4, 1, key=jax.random.key(0))
    with pytest.raises(HypothesisError, match=r"^the network has layers with more"):
        from_equinox(model)
