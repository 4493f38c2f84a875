"""Networks with few units in a layer, without skip connections: what they cannot do."""
