"""The style sheet of the HTML report: light and dark, screen and paper."""

from depthsep.reports.figures import _canvas as canvas

# each colour of the figures, its name on the page and its counterpart in the dark
THEME = (
    ("certified", canvas.CERTIFIED, "#5cb3ea"),
    ("proven", canvas.PROVEN, "#f0904f"),
    ("learned", canvas.LEARNED, "#3ecf9f"),
    ("ink", canvas.INK, "#e3e7eb"),
    ("muted", canvas.MUTED, "#9aa5b1"),
    ("rule", canvas.RULE, "#3a424c"),
    ("paper", canvas.PAPER, "#15191e"),
    ("gap", canvas.GAP, "#252c35"),
    ("target", canvas.TARGET, "#5d6976"),
)


def _variables(dark: bool) -> str:
    return " ".join(f"--{name}: {row[dark]};" for name, *row in THEME)


CSS = f"""
:root {{ color-scheme: light dark; {_variables(False)} }}
@media (prefers-color-scheme: dark) {{ :root {{ {_variables(True)} }} }}
@media print {{ :root {{ {_variables(False)} }} }}
* {{ box-sizing: border-box; }}
body {{ margin: 0 auto; padding: 2rem 1.25rem 4rem; max-width: 59rem;
  font: 16px/1.55 system-ui, "Segoe UI", Roboto, Helvetica, Arial, sans-serif;
  color: var(--ink); background: var(--paper); }}
h1 {{ font-size: 1.6rem; line-height: 1.25; margin: 0 0 .6rem;
  overflow-wrap: anywhere; }}
h2 {{ font-size: 1.15rem; margin: 2.4rem 0 .6rem; }}
p {{ margin: .5rem 0; }}
.lead {{ font-size: 1.1rem; }}
.muted, caption {{ color: var(--muted); font-size: .9rem; }}
.proven {{ color: var(--proven); }}
.certified {{ color: var(--certified); }}
.learned {{ color: var(--learned); }}
code, pre {{ font-family: ui-monospace, "SF Mono", Menlo, Consolas, monospace;
  font-size: .92em; overflow-wrap: anywhere; }}
pre {{ white-space: pre-wrap; padding: .8rem; background: var(--gap); }}
.scroll {{ overflow-x: auto; }}
table {{ border-collapse: collapse; width: 100%; font-size: .92rem;
  font-variant-numeric: tabular-nums; }}
caption {{ caption-side: bottom; text-align: left; padding-top: .5rem; }}
th, td {{ padding: .3rem .5rem; text-align: right; vertical-align: baseline; }}
th {{ font-weight: 600; vertical-align: bottom;
  border-bottom: 1px solid var(--muted); }}
td {{ border-bottom: 1px solid var(--rule); }}
tbody tr:last-child td {{ border-bottom-color: var(--muted); }}
th.group {{ text-align: center; border-bottom: 0; padding-bottom: 0; }}
.words {{ text-align: left; }}
td {{ white-space: nowrap; }}
td.answer {{ white-space: normal; }}
sup {{ line-height: 0; }}
td.width {{ font-weight: 650; }}
td sup a {{ text-decoration: none; }}
a {{ color: var(--certified); }}
figure {{ margin: 1rem 0; overflow-x: auto; }}
svg {{ display: block; width: 100%; height: auto; min-width: 30rem;
  max-width: 46rem; }}
dl {{ display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; }}
dt {{ font-weight: 600; }}
dd {{ margin: 0; overflow-wrap: anywhere; }}
ol.bases {{ list-style: none; padding: 0; }}
ol.bases > li {{ margin: 0 0 1rem; padding-left: 2rem; position: relative; }}
ol.bases .mark {{ position: absolute; left: .4rem; font-weight: 650; }}
ol.bases li:target {{ background: var(--gap); }}
details {{ margin: .8rem 0; }}
summary {{ cursor: pointer; font-weight: 600; }}
@media (max-width: 34rem) {{ dl {{ grid-template-columns: 1fr; }}
  dd {{ margin-bottom: .4rem; }} th, td {{ padding: .3rem .4rem; }} }}
"""
