"""The explorer: a page on this machine with a table, pictures and sliders.

`serve` answers on 127.0.0.1 to those who have its token; `export` writes the page with
precomputed states as files. Both need `pip install depthsep[web]` only for `serve`.
"""

from typing import TYPE_CHECKING

from depthsep._lazy import lazily

if TYPE_CHECKING:
    from depthsep.explore._export import export as export
    from depthsep.explore._jobs import JOBS as JOBS
    from depthsep.explore._serve import serve as serve

__getattr__, __dir__, __all__ = lazily(__name__, globals())
