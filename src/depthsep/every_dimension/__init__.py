"""Depth separations for every dimension at once, with constants."""

from depthsep.every_dimension._ball import BALL_LOWER as BALL_LOWER
from depthsep.every_dimension._ball import BALL_UPPER as BALL_UPPER
from depthsep.every_dimension._find import bounds_for as bounds_for
from depthsep.every_dimension._find import wave_of as wave_of
from depthsep.every_dimension._for_all import ForAll as ForAll
from depthsep.every_dimension._for_all import Obligation as Obligation
from depthsep.every_dimension._gauss import GAUSS_LOWER as GAUSS_LOWER
from depthsep.every_dimension._gauss import GAUSS_UPPER as GAUSS_UPPER
from depthsep.every_dimension._inner import INNER_LOWER as INNER_LOWER
from depthsep.every_dimension._inner import INNER_UPPER as INNER_UPPER
from depthsep.every_dimension._kinks import JUMP_LOWER as JUMP_LOWER
from depthsep.every_dimension._kinks import JUMP_UPPER as JUMP_UPPER
from depthsep.every_dimension._kinks import KINK_LOWER as KINK_LOWER
from depthsep.every_dimension._kinks import KINK_UPPER as KINK_UPPER
from depthsep.every_dimension._sawtooth import PARITY_LOWER as PARITY_LOWER
from depthsep.every_dimension._sawtooth import PARITY_UPPER as PARITY_UPPER
from depthsep.every_dimension._sawtooth import TEETH_LOWER as TEETH_LOWER
from depthsep.every_dimension._sawtooth import TEETH_UPPER as TEETH_UPPER
from depthsep.every_dimension._shells import SHELLS_LOWER as SHELLS_LOWER
from depthsep.every_dimension._shells import SHELLS_UPPER as SHELLS_UPPER
from depthsep.every_dimension._waves import EVEN_LOWER as EVEN_LOWER
from depthsep.every_dimension._waves import ODD_LOWER as ODD_LOWER
from depthsep.every_dimension._waves import WAVE_UPPER as WAVE_UPPER
from depthsep.every_dimension._waves import Leak as Leak
from depthsep.every_dimension._waves import wave_bounds as wave_bounds

EVERY_DIMENSION = (
    *(INNER_LOWER, INNER_UPPER, BALL_LOWER, BALL_UPPER),
    *(ODD_LOWER, EVEN_LOWER, WAVE_UPPER),
    *(JUMP_LOWER, JUMP_UPPER, KINK_LOWER, KINK_UPPER, GAUSS_LOWER, GAUSS_UPPER),
    *(SHELLS_LOWER, SHELLS_UPPER),
    *(TEETH_LOWER, TEETH_UPPER, PARITY_LOWER, PARITY_UPPER),
)
