"""The job that says what is true of networks in files."""

from pathlib import Path

from depthsep.interop import write_npz
from depthsep.jobs import job_named
from support.nets import balanced_network


def test_a_trial_a_network_and_a_distance(tmp_path):
    network = balanced_network(1, 2, 6, 5, 1)
    write_npz(network, tmp_path / "net.npz")
    job = job_named("facts", Path(tmp_path))
    values = {p.name: p.default for p in job.parameters}
    values |= {"network": str(tmp_path / "net.npz"), "on": "0,1", "seconds": 5.0}
    found = job.run(values, 0)
    assert found.metrics["least"] < found.metrics["largest"]
    assert found.metrics["slope_l2"] > 0 and "convex" in found.metrics["shape"]
    found = job.run(values | {"against": values["network"]}, 0)
    assert found.metrics == {"distance": 0.0}
