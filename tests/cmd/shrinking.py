"""Hypothesis in tests: the same examples in every run, of which none is kept and none is too slow. One that fails is
shrunk to a small one."""
from hypothesis import HealthCheck, settings


def examples(n):
    return settings(max_examples=n, derandomize=True, database=None, deadline=None,
                    suppress_health_check=list(HealthCheck))
