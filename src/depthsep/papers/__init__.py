"""Papers: the numbers of their examples, each column with how surely it is known."""

from depthsep.papers._base import PaperRow as PaperRow
from depthsep.papers._base import shown_row as shown_row
from depthsep.papers._daniely import daniely_row as daniely_row
from depthsep.papers._eldan_shamir import eldan_shamir_row as eldan_shamir_row
from depthsep.papers._every_dimension import EveryDimensionRow as EveryDimensionRow
from depthsep.papers._every_dimension import every_dimension_row as every_dimension_row
from depthsep.papers._every_dimension import sample_dims as sample_dims
from depthsep.papers._safran_shamir import safran_shamir_row as safran_shamir_row
