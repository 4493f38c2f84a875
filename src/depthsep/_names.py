"""Names of parameters in sentences."""


def shown_name(name: str) -> str:
    """In backticks if it is that of a parameter: `step`, but the step of knots."""
    return f"`{name}`" if name.isidentifier() and name != "value" else name
