"""Feed-forward networks: weights at face value, algebra, evaluation, size."""

from depthsep.networks._affine import Affine as Affine
from depthsep.networks._algebra import add as add
from depthsep.networks._algebra import check_output as check_output
from depthsep.networks._algebra import compose as compose
from depthsep.networks._algebra import deepen as deepen
from depthsep.networks._algebra import joined as joined
from depthsep.networks._algebra import parallel as parallel
from depthsep.networks._algebra import restrict as restrict
from depthsep.networks._algebra import scale as scale
from depthsep.networks._algebra import scaled as scaled
from depthsep.networks._algebra import shift as shift
from depthsep.networks._algebra import single_output as single_output
from depthsep.networks._circuit import Circuit as Circuit
from depthsep.networks._circuit import Wire as Wire
from depthsep.networks._json import network_digest as network_digest
from depthsep.networks._json import network_from_json as network_from_json
from depthsep.networks._json import network_to_json as network_to_json
from depthsep.networks._network import Network as Network
from depthsep.networks._numbers import has_weights as has_weights
from depthsep.networks._prune import prune as prune
from depthsep.networks._series import derivatives as derivatives
from depthsep.networks._size import Size as Size
from depthsep.networks._size import size as size
from depthsep.networks._skips import SkipNetwork as SkipNetwork
from depthsep.networks._skips import layered as layered
from depthsep.networks._with_skips import with_skips as with_skips
from depthsep.networks.activations._activations import RELU as RELU
from depthsep.networks.activations._activations import THRESHOLD as THRESHOLD
from depthsep.networks.activations._activations import Activation as Activation
from depthsep.networks.activations._in_units import in_units as in_units
from depthsep.networks.activations._more_activations import ABS as ABS
from depthsep.networks.activations._more_activations import ACTIVATIONS as ACTIVATIONS
from depthsep.networks.activations._more_activations import COS as COS
from depthsep.networks.activations._more_activations import ERF as ERF
from depthsep.networks.activations._more_activations import EXP as EXP
from depthsep.networks.activations._more_activations import GELU as GELU
from depthsep.networks.activations._more_activations import HARDTANH as HARDTANH
from depthsep.networks.activations._more_activations import RELU6 as RELU6
from depthsep.networks.activations._more_activations import SIGMOID as SIGMOID
from depthsep.networks.activations._more_activations import SIN as SIN
from depthsep.networks.activations._more_activations import SOFTPLUS as SOFTPLUS
from depthsep.networks.activations._more_activations import TANH as TANH
from depthsep.networks.activations._more_activations import (
    activation_named as activation_named,
)
from depthsep.networks.activations._more_activations import clip as clip
from depthsep.networks.activations._more_activations import leaky_relu as leaky_relu
from depthsep.networks.activations._more_activations import leaky_slope as leaky_slope
from depthsep.networks.activations._relu_form import as_relu as as_relu
from depthsep.networks.activations._softmax import Softmax as Softmax
