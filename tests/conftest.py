"""Settings for all tests: property tests are repeatable and have no time limit per example."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "kiebitz", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
settings.load_profile("kiebitz")
