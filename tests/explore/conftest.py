"""A server of the explorer."""

import re
import subprocess
import sys

import pytest


@pytest.fixture(scope="session")
def explorer():
    """The address, with its token, of an explorer that runs."""
    pytest.importorskip("starlette", reason="depthsep[web] is not installed")
    pytest.importorskip("uvicorn", reason="depthsep[web] is not installed")
    command = [sys.executable, "-m", "depthsep", "explore", "--no-browser"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        line = server.stderr.readline()
        found = re.search(r"http://127\.0\.0\.1:\d+/\?token=\S+", line)
        assert found, line
        yield found[0]
        server.terminate()
