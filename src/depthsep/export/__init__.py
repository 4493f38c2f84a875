"""Code that leaves: tables and networks in C, Python, data and models, with a bound."""

from depthsep.exact import Fixed as Fixed
from depthsep.exact import Format as Format
from depthsep.exact import format_of as format_of
from depthsep.export._coded import CodedTable as CodedTable
from depthsep.export._export import FORMS as FORMS
from depthsep.export._export import export_network as export_network
from depthsep.export._export import export_table as export_table
from depthsep.export._export import form_of as form_of
from depthsep.export._networks import CodedNetwork as CodedNetwork
