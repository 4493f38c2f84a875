"""Every job, loaded."""

from pathlib import Path

from depthsep.jobs._catalogue import HOMES, job_named

JOBS = tuple(job_named(name, Path()) for name in HOMES)
