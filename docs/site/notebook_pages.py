"""The notebooks: run, then pages with what they show, and files to be downloaded."""

import os
import re
import tempfile
from pathlib import Path

import jupytext
import nbformat
from jinja2 import DictLoader
from nbclient import NotebookClient
from nbconvert import MarkdownExporter
from traitlets.config import Config

NOTEBOOKS = Path(__file__).resolve().parents[1] / "notebooks"
FORMULA = re.compile(r"<p>\$\$(.*?)\$\$</p>", re.DOTALL)
LISTED = re.compile(r"^## \[(.+)\]\((\d\d_\w+)\.py\)$", re.MULTILINE)
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}
SECONDS = 300  # for one cell, on a busy machine
TEMPLATE = """
{%- extends 'markdown/index.md.j2' -%}
{%- block stream %}

```text
{{ output.text | strip_ansi | trim }}
```
{% endblock stream -%}
{%- block data_text %}

```text
{{ output.data['text/plain'] | strip_ansi | trim }}
```
{% endblock data_text -%}
{%- block data_html %}

<div class="output">
{{ output.data['text/html'] | for_site }}
</div>
{% endblock data_html -%}
{%- block data_svg %}

![{{ cell.metadata.alt }}]({{ output.metadata.filenames['image/svg+xml'] }})
{% endblock data_svg -%}
"""


def sources() -> list[Path]:
    """All notebooks in their order."""
    return sorted(NOTEBOOKS.glob("[0-9][0-9]_*.py"))


def run(source: Path, folder: str) -> nbformat.NotebookNode:
    """The notebook with what its cells show; its files go into the folder.

    Raises:
        nbclient.exceptions.CellExecutionError: a cell fails.
    """
    notebook = jupytext.read(source)
    notebook.metadata.kernelspec = KERNEL
    with tempfile.TemporaryDirectory() as sockets:
        sockets_not_ports = {"transport": "ipc", "ip": f"{sockets}/kernel"}
        client = NotebookClient(
            notebook,
            kernel_name=KERNEL["name"],
            config=Config(KernelManager=sockets_not_ports),
            timeout=SECONDS,
            record_timing=False,
            extra_arguments=["--InlineBackend.figure_formats=svg"],
            resources={"metadata": {"path": folder}},
        )
        client.execute()
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = [shown for shown in cell.outputs if not _is_empty(shown)]
    return notebook


def _is_empty(output: nbformat.NotebookNode) -> bool:
    """Whether it is what a bar leaves when its work is done."""
    return "data" in output and not any(output.data.values())


def pages():
    """A page for every notebook, its pictures, and the notebook itself."""
    for source in sources():
        with tempfile.TemporaryDirectory() as folder:
            notebook = run(source, folder)
            if left := os.listdir(folder):
                raise RuntimeError(f"{source.name} leaves {', '.join(left)} behind")
        yield from _pages(source.stem, notebook)


def _pages(name: str, notebook: nbformat.NotebookNode):
    yield f"notebooks/{name}.ipynb", nbformat.writes(notebook) + "\n"
    text, resources = _exporter().from_notebook_node(
        notebook, {"unique_key": "picture", "output_files_dir": name}
    )
    yield f"notebooks/{name}.md", _with_download(text, name)
    pictures = resources["outputs"]
    yield f"notebooks/{name}.svg", next(iter(pictures.values()))  # for the list
    for place, content in pictures.items():
        yield f"notebooks/{place}", content


def _exporter() -> MarkdownExporter:
    made = MarkdownExporter(
        extra_loaders=[DictLoader({"site.md.j2": TEMPLATE})], template_file="site.md.j2"
    )
    made.register_filter("for_site", for_site)
    return made


def for_site(html: str) -> str:
    """HTML of a cell: tables look as those of the site, formulas become MathML."""
    html = re.sub(r"<style.*?</style>", "", html, flags=re.DOTALL)
    html = re.sub(r"<table [^>]*>", "<table>", html)
    html = FORMULA.sub(r'<div class="arithmatex">\\[\1\\]</div>', html)
    return re.sub(r"\n\s*\n", "\n", html)  # an empty line would end it


def _with_download(text: str, name: str) -> str:
    """The page with a link to its notebook below the title."""
    title, _, rest = text.strip().partition("\n\n")
    link = f'[Download this notebook]({name}.ipynb){{ download="{name}.ipynb" }}'
    rest = re.sub(r"\]\((\d\d_\w+)\.py\)", r"](\1.md)", rest)
    return f"{title}\n\n{link}\n\n{rest}\n"


def linked(markdown: str, uri: str) -> str:
    """The list of notebooks with pictures, and links to pages instead of sources."""
    if uri != "notebooks/index.md":
        return markdown
    return LISTED.sub(r"## [\1](\2.md)\n\n![](\2.svg){ .small }", markdown)
