"""Tables, figures, LaTeX and HTML, from records only.

matplotlib, rich and jinja2 are loaded when a figure, a terminal table or a page is
asked for.
"""

from typing import TYPE_CHECKING

from depthsep._lazy import lazily

if TYPE_CHECKING:
    from depthsep.reports._learning_records import Document as Document
    from depthsep.reports._learning_records import (
        acceleration_document as acceleration_document,
    )
    from depthsep.reports._learning_records import check_run as check_run
    from depthsep.reports._learning_records import learned_document as learned_document
    from depthsep.reports._learning_records import (
        measured_document as measured_document,
    )
    from depthsep.reports._learning_records import radial_arrays as radial_arrays
    from depthsep.reports._learning_records import radial_document as radial_document
    from depthsep.reports._learning_records import radial_figures as radial_figures
    from depthsep.reports._learning_records import write_run as write_run
    from depthsep.reports.figures._canvas import check_picture as check_picture
    from depthsep.reports.figures._canvas import save_figure as save_figure
    from depthsep.reports.figures._dimension_figure import (
        dimension_figure as dimension_figure,
    )
    from depthsep.reports.figures._growth_figure import growth_figure as growth_figure
    from depthsep.reports.figures._growth_figure import write_growth as write_growth
    from depthsep.reports.figures._learning_figures import (
        acceleration_figure as acceleration_figure,
    )
    from depthsep.reports.figures._learning_figures import alpha_figure as alpha_figure
    from depthsep.reports.figures._learning_figures import (
        budget_figure as budget_figure,
    )
    from depthsep.reports.figures._learning_figures import (
        comparison_figure as comparison_figure,
    )
    from depthsep.reports.figures._learning_figures import (
        learned_figure as learned_figure,
    )
    from depthsep.reports.figures._learning_figures import (
        profile_figure as profile_figure,
    )
    from depthsep.reports.figures._learning_figures import (
        second_figure as second_figure,
    )
    from depthsep.reports.figures._learning_figures import (
        spread_figure as spread_figure,
    )
    from depthsep.reports.figures._near_figures import (
        distance_figure as distance_figure,
    )
    from depthsep.reports.figures._near_figures import kernel_figure as kernel_figure
    from depthsep.reports.figures._near_figures import (
        training_figure as training_figure,
    )
    from depthsep.reports.figures._region_figure import region_figure as region_figure
    from depthsep.reports.figures._separation_figure import (
        separation_figure as separation_figure,
    )
    from depthsep.reports.figures._study_curves import slopes_of as slopes_of
    from depthsep.reports.figures._study_figure import study_figure as study_figure
    from depthsep.reports.figures._table_figure import table_figure as table_figure
    from depthsep.reports.figures._width_figure import width_figure as width_figure
    from depthsep.reports.kit._write import check_kit as check_kit
    from depthsep.reports.kit._write import write_kit as write_kit
    from depthsep.reports.kit._write import write_paper_kit as write_paper_kit
    from depthsep.reports.pages._inspection import write_inspection as write_inspection
    from depthsep.reports.pages._separation import html_report as html_report
    from depthsep.reports.pages._separation import write_report as write_report
    from depthsep.reports.pages._study import write_study as write_study
    from depthsep.reports.pictures._curves import Curve as Curve
    from depthsep.reports.pictures._curves import curve as curve
    from depthsep.reports.pictures._network_figure import (
        network_figure as network_figure,
    )
    from depthsep.reports.tables._rows import print_rows as print_rows
    from depthsep.reports.tables._terminal import print_separation as print_separation
    from depthsep.reports.words._problem import duration as duration
    from depthsep.reports.words._problem import headline as headline
    from depthsep.reports.words._tightness import tightness as tightness

__getattr__, __dir__, __all__ = lazily(__name__, globals())
