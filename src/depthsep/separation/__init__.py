"""The main job: proven lower and certified upper bounds, side by side."""

from depthsep.separation._beat import narrower_than as narrower_than
from depthsep.separation._build import Built as Built
from depthsep.separation._build import build as build
from depthsep.separation._build import certificate_of as certificate_of
from depthsep.separation._catalogue import STATEMENTS as STATEMENTS
from depthsep.separation._catalogue import bound as bound
from depthsep.separation._catalogue import results as results
from depthsep.separation._catalogue import statement_named as statement_named
from depthsep.separation._separate import check_sandwich as check_sandwich
from depthsep.separation._separate import separate as separate
from depthsep.separation._separate import table_rows as table_rows
from depthsep.separation._table import Row as Row
from depthsep.separation._table import Separation as Separation
from depthsep.separation._upper import best_lower as best_lower
from depthsep.separation._upper import best_upper as best_upper
