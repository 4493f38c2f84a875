"""How surely a number is known, where it comes from, and the records that say so."""

from depthsep.evidence._certificate import Certificate as Certificate
from depthsep.evidence._certificate import json_document as json_document
from depthsep.evidence._enclosure import Enclosure as Enclosure
from depthsep.evidence._enclosure import enclosure as enclosure
from depthsep.evidence._plain_formula import plain_formula as plain_formula
from depthsep.evidence._proof import cited as cited
from depthsep.evidence._proof import computed as computed
from depthsep.evidence._proof import proved as proved
from depthsep.evidence._records import Inapplicable as Inapplicable
from depthsep.evidence._records import log2 as log2
from depthsep.evidence._rigour import Rigour as Rigour
from depthsep.evidence._rigour import weakest as weakest
from depthsep.evidence._source import Source as Source
from depthsep.evidence._source import bibtex_entry as bibtex_entry
from depthsep.evidence._source import reference_text as reference_text
from depthsep.evidence._source import short_reference as short_reference
from depthsep.evidence._statement import LAYERS as LAYERS
from depthsep.evidence._statement import Parameter as Parameter
from depthsep.evidence._statement import Statement as Statement
from depthsep.evidence._statement import Value as Value
