"""The processors of x86-64, and which of them this machine has."""

# As /proc/cpuinfo calls what each adds to the one before, but for `abm`: kernels count no leading zeros, and some virtual
# machines hide that instruction.
LEVELS = {"x86-64-v2": {"ssse3", "sse4_1", "sse4_2", "popcnt"},
          "x86-64-v3": {"avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "movbe", "xsave"},
          "x86-64-v4": {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"}}


def flags():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        return next((set(line.split()) for line in file if line.startswith("flags")), set())


def lacking(level):
    """What this machine lacks for programs that are made for a level."""
    names = list(LEVELS)
    return sorted(set().union(*(LEVELS[name] for name in names[:names.index(level) + 1])) - flags())
