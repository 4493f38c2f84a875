"""Studies: one file and one command for a grid of problems or runs, nothing lost."""

from typing import TYPE_CHECKING

from depthsep._lazy import lazily
from depthsep.jobs import Result as Result
from depthsep.studies.files._figure import figure_of as figure_of
from depthsep.studies.files._file import read_study as read_study
from depthsep.studies.files._study import Figure as Figure
from depthsep.studies.files._study import Study as Study
from depthsep.studies.files._study import Trial as Trial
from depthsep.studies.running._estimate import Estimate as Estimate
from depthsep.studies.running._estimate import estimate as estimate
from depthsep.studies.running._run import Progress as Progress
from depthsep.studies.running._run import missing as missing
from depthsep.studies.running._run import run_study as run_study
from depthsep.studies.running._run import store_of as store_of
from depthsep.studies.store._row import Row as Row
from depthsep.studies.store._store import Store as Store
from depthsep.studies.tables._number import number_of as number_of
from depthsep.studies.tables._summary import Slope as Slope
from depthsep.studies.tables._summary import Spread as Spread
from depthsep.studies.tables._summary import check_metric as check_metric
from depthsep.studies.tables._summary import points_of as points_of
from depthsep.studies.tables._summary import pooled as pooled
from depthsep.studies.tables._summary import pooled_words as pooled_words
from depthsep.studies.tables._summary import rigour_words as rigour_words
from depthsep.studies.tables._summary import slope as slope
from depthsep.studies.tables._table import table_of as table_of
from depthsep.studies.tables._table import to_xarray as to_xarray
from depthsep.studies.tables._table import write_table as write_table

if TYPE_CHECKING:
    from depthsep.jobs import JOBS as JOBS

__getattr__, __dir__, __all__ = lazily(__name__, globals())
