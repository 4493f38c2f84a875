"""Records as notebooks show them, and as plots; loaded when one is shown."""

from depthsep.reports.displays._bar import notebook_listener as notebook_listener
from depthsep.reports.displays._html import record_html as record_html
from depthsep.reports.displays._html import record_text as record_text
from depthsep.reports.displays._plots import plot_inspection as plot_inspection
from depthsep.reports.displays._plots import plot_network as plot_network
from depthsep.reports.displays._plots import plot_separation as plot_separation
from depthsep.reports.displays._plots import separation_frame as separation_frame
from depthsep.reports.tables._latex import latex_table as latex_table
