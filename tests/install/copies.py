"""Copies of the project that are built as the suite's own build was: where the suite has a cache of compiled files
(`tests/run.sh --all`), it then serves them, because their paths are the same within the copy."""
import os

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# What a build reads.
PARTS = ("CMakeLists.txt", "configs", "include", "jobs", "postprocess", "src")


def linked(folder, top=TOP):
    """A copy of what a build reads of a project, by symbolic links; its path."""
    copy = os.path.join(folder, "project")
    os.mkdir(copy)
    for name in PARTS:
        os.symlink(os.path.join(top, name), os.path.join(copy, name))
    return copy


def to_build(folder, top=TOP):
    """A copy by links, and a folder in it to build in, as deep as the suite's own."""
    copy = linked(folder, top)
    made = os.path.join(copy, "build", "made")
    os.makedirs(made)
    return copy, made


def has_cache():
    return "CMAKE_C_COMPILER_LAUNCHER" in os.environ


def kind():
    """The type of a build: that of the suite, or without a cache the one that compiles fastest. No bit differs."""
    return "Release" if has_cache() else "Debug"


def cache_of(copy):
    """What the environment needs for the cache to serve a copy."""
    given = {name: value for name, value in os.environ.items()
             if name.startswith("CCACHE_") or name == "CMAKE_C_COMPILER_LAUNCHER"}
    return {**given, "CCACHE_BASEDIR": copy} if has_cache() else {}
