"""Points in the mean: the least weighted error of so many pieces, from both sides."""

from depthsep.tables.fits._tables import point_table as point_table
from depthsep.tables.fits._tables import runs_needed as runs_needed
