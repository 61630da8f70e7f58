"""Every allocation of the library under the Python package fails once: each call ends in a MemoryError or its result."""
import os
import subprocess
import sys

import package
from support import BUILD, Case

# Allocations whose caller is libimpact are counted; the one whose number `fail_at` has set fails.
SHIM = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
static long wanted = -1, seen;
void fail_at(long number) { wanted = number; seen = 0; }
long allocations(void) { return seen; }
static int fails(void *caller) {
    Dl_info from;
    if (wanted < 0 || !dladdr(caller, &from) || !from.dli_fname || !strstr(from.dli_fname, "libimpact")) {
        return 0;
    }
    return ++seen == wanted;
}
extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
void *malloc(size_t size) { return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size); }
void *calloc(size_t n, size_t size) {
    return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(n, size);
}
void *realloc(void *old, size_t size) {
    return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(old, size);
}
void *aligned_alloc(size_t alignment, size_t size) {
    return fails(__builtin_return_address(0)) ? NULL : __libc_memalign(alignment, size);
}
char *strdup(const char *text) {
    char *copy = fails(__builtin_return_address(0)) ? NULL : __libc_malloc(strlen(text) + 1);
    return copy ? strcpy(copy, text) : NULL;
}
char *strndup(const char *text, size_t most) {
    size_t length = strnlen(text, most);
    char *copy = fails(__builtin_return_address(0)) ? NULL : __libc_malloc(length + 1);
    if (copy) {
        memcpy(copy, text, length);
        copy[length] = 0;
    }
    return copy;
}
"""
USER = """
import ctypes, sys
import impactsweep, numpy as np
shim = ctypes.CDLL(None)
shim.fail_at.argtypes, shim.allocations.restype = (ctypes.c_long,), ctypes.c_long
pendulum = dict(body="pendulum", friction=0.3, stiffness_ratio=1.21)
calls = {
    "solve": lambda: impactsweep.solve("compliant", **pendulum, angle=[0.3, 0.5]).energy_loss.values.tolist(),
    "units": lambda: impactsweep.solve("compliant", **pendulum, angle=["20 deg", "30 deg"]).energy_loss.values.tolist(),
    "laws": lambda: impactsweep.solve("compliant", **pendulum, angle=0.5, law=["linear", "hertz"]).energy_loss.values.tolist(),
    "continuum": lambda: impactsweep.solve("continuum", body="sphere", velocity_ratio=1, friction=0.3,
                                           stiffness_ratio=1.2).energy_loss.item(),
    "swerve": lambda: impactsweep.solve("swerve", body="sphere3d", law="poisson", friction=0.2, restitution=0.5,
                                        velocity_ratio=1, heading=0.3).energy_loss.item(),
    "trace": lambda: impactsweep.trace("compliant", **pendulum, angle=0.5, points=11).normal_force.tolist(),
    "mistake": lambda: mistake(),
    "describe": lambda: str(impactsweep.describe("rigid")),
}
def mistake():
    try:
        impactsweep.solve("compliant", **pendulum, angle=0.5, frction=0.3)
    except impactsweep.InputError as reason:
        return str(reason)
failed = 0
for name, call in calls.items():
    shim.fail_at(-1)
    wanted, number = call(), 0
    while True:
        number += 1
        shim.fail_at(number)
        try:
            found = call()
        except MemoryError:
            failed += 1
            found = wanted
        reached = shim.allocations() >= number
        shim.fail_at(-1)
        if found != wanted or call() != wanted:
            sys.exit(f"{name}: another result when allocation {number} fails: {found}")
        if not reached:
            break
print(failed)
"""


class Memory(Case):
    def test_every_allocation_of_the_library(self):
        self.write("shim.c", SHIM)
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "shim.c", "-o", "shim.so", "-ldl"], cwd=self.work, check=True)
        done = subprocess.run([sys.executable, "-c", USER], cwd=self.work, text=True, capture_output=True, env={
            **os.environ, "LD_PRELOAD": self.path("shim.so"), "PYTHONPATH": package.POSTPROCESS,
            "IMPACTSWEEP_LIBRARY": os.path.join(BUILD, "libimpact.so.1")})
        assert (done.returncode, done.stderr) == (0, ""), done.stdout
        assert int(done.stdout) > 20
