"""Feed-forward networks: weights at face value, algebra, evaluation, size."""

from depthsep.networks._activations import RELU as RELU
from depthsep.networks._activations import THRESHOLD as THRESHOLD
from depthsep.networks._activations import Activation as Activation
from depthsep.networks._activations import activation_named as activation_named
from depthsep.networks._affine import Affine as Affine
from depthsep.networks._algebra import add as add
from depthsep.networks._algebra import compose as compose
from depthsep.networks._algebra import deepen as deepen
from depthsep.networks._algebra import joined as joined
from depthsep.networks._algebra import parallel as parallel
from depthsep.networks._algebra import restrict as restrict
from depthsep.networks._algebra import scale as scale
from depthsep.networks._algebra import shift as shift
from depthsep.networks._json import network_digest as network_digest
from depthsep.networks._json import network_from_json as network_from_json
from depthsep.networks._json import network_to_json as network_to_json
from depthsep.networks._network import Network as Network
from depthsep.networks._prune import prune as prune
from depthsep.networks._size import Size as Size
from depthsep.networks._size import size as size
