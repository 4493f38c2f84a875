"""Settings of the test-suite."""

from hypothesis import settings

# machines differ in speed, and a loaded one is no bug
settings.register_profile("depthsep", deadline=None, max_examples=60)
settings.load_profile("depthsep")
