"""Whether a network has a property: no input of a box fulfils some inequalities."""
