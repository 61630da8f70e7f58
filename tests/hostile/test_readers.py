"""Maps of unknown origin are read by a child process with limits, which opens no other file."""
import os
import re
import signal

import h5py
import numpy as np
import pytest
from support import FAILURE, Case, null_config

READERS = {"info": (), "export": (), "query": ("value > 0.5",)}
ZSTANDARD, OPTIONAL = 32015, 1


class Readers(Case):
    def setup_method(self):
        super().setup_method()
        self.run_config(null_config(30000, 0), "map.h5", "--progress", "none")

    def child_of(self, process):
        """The process that reads; it cannot end, as nothing reads what it writes."""
        path = f"/proc/{process.pid}/task/{process.pid}/children"
        found = []

        def there():
            with open(path) as file:
                found[:] = file.read().split()
            return found
        self.wait_for(there, "the child", 60)
        child = int(found[0])

        def waits():
            with open(f"/proc/{child}/wchan") as file:
                return "pipe" in file.read()
        self.wait_for(waits, "the child to wait", 60)
        return child

    def limits(self, child):
        with open(f"/proc/{child}/limits") as file:
            text = file.read()
        return {name: re.search(f"{name} +(\\d+|unlimited)", text)[1]
                for name in ("Max cpu time", "Max address space", "Max core file size")}

    def test_limits(self):
        child = self.child_of(self.start("export", "map.h5"))
        found = self.limits(child)
        size = os.path.getsize(self.path("map.h5"))
        assert found["Max cpu time"] == str(60 + size // 1000000)
        assert found["Max core file size"] == "0"
        if not os.environ.get("IMPACT_SANITIZED"):
            above = int(found["Max address space"]) - 2 * size - (2 << 30)
            assert 0 < above < 1 << 30, above

    def test_texts_without_end(self):
        """An object of size 0 among the texts of a map: HDF5 by itself would look for the next one for ever."""
        with open(self.path("map.h5"), "rb") as file:
            whole = file.read()
        heap = whole.index(b"GCOL")
        size = int.from_bytes(whole[heap + 8:heap + 16], "little")
        ends = set()
        for place in range(heap + 16, heap + size, size // 60):
            with open(self.path("spoilt.h5"), "wb") as file:
                file.write(whole[:place] + bytes(16) + whole[place + 16:])
            result = self.sweep("info", "spoilt.h5", timeout=30)
            assert "takes more than" not in result.stderr, place
            ends.add(result.returncode)
        assert ends == {0, FAILURE}  # what is not asked for may be spoilt

    @pytest.mark.parametrize("number, says", [(signal.SIGXCPU, "map.h5: is damaged: reading it takes more than 61 s"),
                                              (signal.SIGKILL, "map.h5: is damaged: reading it crashed (signal 9)"),
                                              (signal.SIGSEGV, "map.h5: is damaged: reading it crashed (signal 11)")])
    def test_the_parent_reports_the_end_of_its_child(self, number, says):
        process = self.start("export", "map.h5")
        os.kill(self.child_of(process), number)
        _, stderr = process.communicate(timeout=60)
        assert process.returncode == FAILURE, stderr
        assert f"impactsweep: error: {says}" in stderr

    def test_the_child_ends_with_its_parent(self):
        process = self.start("export", "map.h5")
        child = self.child_of(process)
        process.kill()
        process.wait()
        self.wait_for(lambda: not os.path.exists(f"/proc/{child}"), "the end of the child", 60)

    def test_a_signal_to_the_reader_ends_both(self):
        process = self.start("export", "map.h5")
        os.kill(self.child_of(process), signal.SIGTERM)
        process.communicate(timeout=60)
        assert process.returncode == -signal.SIGTERM

    def test_unknown_filters_are_refused(self):
        with h5py.File(self.path("map.h5"), "r+") as file:
            old = file["outcome"]
            values, attributes = old[()], {key: old.attrs[key] for key in old.attrs
                                           if not key.endswith("_LIST")}
            del file["outcome"]
            plan = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
            plan.set_chunk(values.shape)
            plan.set_filter(ZSTANDARD, OPTIONAL, (3,))
            made = h5py.Dataset(h5py.h5d.create(file.id, b"outcome", h5py.h5t.NATIVE_INT8,
                                                h5py.h5s.create_simple(values.shape), plan))
            made[()] = values
            for key, value in attributes.items():
                made.attrs[key] = value
        for name, words in READERS.items():
            result = self.sweep(name, "map.h5", *words)
            assert result.returncode == FAILURE, result.stdout + result.stderr
            assert result.stderr.startswith("impactsweep: error: "), result.stderr

    def test_paths_in_attributes_are_not_opened(self):
        """A pipe without a writer: a program that opened it would wait for ever."""
        os.mkfifo(self.path("pipe"))
        with h5py.File(self.path("map.h5"), "r+") as file:
            texts = [key for key in file.attrs if isinstance(file.attrs[key], (str, bytes, np.bytes_))]
            assert "config_path" in texts
            for key in texts:
                if key not in ("fingerprint", "theory", "Conventions"):
                    file.attrs[key] = np.bytes_(self.path("pipe").encode())
        for name, words in READERS.items():
            self.sweep(name, "map.h5", *words, timeout=60)
