"""The command line, run in this process."""

import pytest

from depthsep.cli import main


def command(capsys, *arguments):
    with pytest.raises(SystemExit) as stop:
        main([str(a) for a in arguments])
    out, err = capsys.readouterr()
    return stop.value.code, out, err
