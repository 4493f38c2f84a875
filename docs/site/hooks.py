"""What MkDocs asks while it builds the site: pages made from the code, links, TeX."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import api_pages  # noqa: E402
import command_pages  # noqa: E402
import dark_pictures  # noqa: E402
import gallery_page  # noqa: E402
import mathematics  # noqa: E402
import navigation  # noqa: E402
import notebook_pages  # noqa: E402
import outside_pages  # noqa: E402
import record_bars  # noqa: E402
import theorem_pages  # noqa: E402
from mkdocs.structure.files import File  # noqa: E402

MAKERS = (
    api_pages,
    command_pages,
    gallery_page,
    notebook_pages,
    outside_pages,
    theorem_pages,
)


def on_config(config):
    """Pages that are made stand in the navigation; the version stands below each."""
    config.nav = navigation.completed(config.nav)
    config.copyright = navigation.footer()
    return config


def on_files(files, config):
    """Add the pages that are made: each maker gives their paths and contents."""
    for maker in MAKERS:
        print(f"  {maker.__doc__.splitlines()[0]}", flush=True)
        for path, content in maker.pages():
            if own := files.get_file_from_path(path):  # a notebook somebody converted
                files.remove(own)
            files.append(File.generated(config, path, content=content))
    return files


def on_page_markdown(markdown, page, config, files):
    """Links to what is no page in docs/ lead to its page in the site."""
    uri = page.file.src_uri
    return outside_pages.linked(notebook_pages.linked(markdown, uri), uri)


def on_post_page(output, page, config):
    """The search is named, for those who hear the page."""
    return output.replace('role="dialog"', 'role="dialog" aria-label="Search"')


def on_post_build(config):
    """Without the page for servers: its addresses begin at the root of a disk."""
    (Path(config.site_dir) / "404.html").unlink(missing_ok=True)
    dark_pictures.write_beside(Path(config.site_dir))


def on_page_content(html, page, config, files):
    """TeX becomes MathML, records get bars, and pictures follow the colours."""
    if page.file.src_uri == "records.md":
        html = record_bars.shown(html)
    return dark_pictures.shown(mathematics.shown(html))
