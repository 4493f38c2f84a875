"""The command line, run in this process."""

import json

import pytest
from click.testing import CliRunner

from depthsep.cli import main
from depthsep.cli._main import depthsep


def command(capsys, *arguments):
    with pytest.raises(SystemExit) as stop:
        main(_unsearched(arguments))
    out, err = capsys.readouterr()
    return stop.value.code, out, err


def _unsearched(arguments):
    """Without a search, which takes seconds, where the test does not ask for one."""
    given = [str(a) for a in arguments]
    searches = given[:1] == ["separate"] and not {"--search", "--help"} & set(given)
    return [*given, "--search", "0"] if searches else given


def call(*arguments):
    result = CliRunner().invoke(depthsep, _unsearched(arguments))
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def document(*arguments):
    result = call(*arguments, "--json")
    return json.loads(result.stdout)


def refusal(capsys, *arguments):
    """The one line on stderr of a command that is refused."""
    code, out, err = command(capsys, *arguments)
    assert code == 2 and not out and err.count("\n") == 1
    return err
