"""Studies: one file and one command for a grid of problems or runs, nothing lost."""

from depthsep.studies._estimate import Estimate as Estimate
from depthsep.studies._estimate import estimate as estimate
from depthsep.studies._file import figure_of as figure_of
from depthsep.studies._file import read_study as read_study
from depthsep.studies._file import study_from_text as study_from_text
from depthsep.studies._run import Progress as Progress
from depthsep.studies._run import run_study as run_study
from depthsep.studies._run import store_of as store_of
from depthsep.studies._store import Row as Row
from depthsep.studies._store import Store as Store
from depthsep.studies._study import Figure as Figure
from depthsep.studies._study import Study as Study
from depthsep.studies._study import Trial as Trial
from depthsep.studies._summary import Point as Point
from depthsep.studies._summary import Slope as Slope
from depthsep.studies._summary import Spread as Spread
from depthsep.studies._summary import check_metric as check_metric
from depthsep.studies._summary import points_of as points_of
from depthsep.studies._summary import slope as slope
from depthsep.studies._table import Table as Table
from depthsep.studies._table import table_of as table_of
from depthsep.studies._table import to_xarray as to_xarray
from depthsep.studies._table import write_table as write_table
from depthsep.studies.jobs import JOBS as JOBS
from depthsep.studies.jobs import Result as Result
