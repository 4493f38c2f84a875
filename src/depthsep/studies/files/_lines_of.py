"""The lines of a TOML file that define its keys, for messages that name them."""

import re

KEY = re.compile(r"^\s*(\"[^\"]*\"|'[^']*'|[A-Za-z0-9_\-]+)\s*(=|\.)")


def _header(line: str) -> str:
    """The name of the table that a line opens; empty if it opens none."""
    said = line.split("#", 1)[0].strip()
    if len(said) > 200 or not (said.startswith("[") and said.endswith("]")):
        return ""
    return said.strip("[]").strip(" \t\"'")


class Lines:
    """Line numbers of keys, by table and name; 1 where nothing is found.

    A key inside a value over several lines may be mistaken for one of the table; the
    number then leads to the wrong line, nothing else does.
    """

    def __init__(self, text: str) -> None:
        self._lines: dict[tuple[str, int, str], int] = {}
        table, count = "", {"": 1}
        for number, line in enumerate(text.splitlines(), start=1):
            if header := _header(line):
                table = header
                count[table] = count.get(table, 0) + 1
                self._lines.setdefault((table, count[table], ""), number)
            elif key := KEY.match(line):
                name = key[1].strip("\"'")
                self._lines.setdefault((table, count[table], name), number)

    def of(self, table: str, name: str = "", entry: int = 1) -> int:
        """The line of a key in the entry-th table of a name, or of the table itself."""
        for key in ((table, entry, name), (table, entry, ""), ("", 1, table)):
            if key in self._lines:
                return self._lines[key]
        return 1

    def of_any(self, name: str) -> int:
        """The line of a parameter or a table, wherever it is; the last of several."""
        found = [
            number
            for (table, _, key), number in self._lines.items()
            if table != "figure" and (key == name or (table == name and not key))
        ]
        return found[-1] if name and found else 1
