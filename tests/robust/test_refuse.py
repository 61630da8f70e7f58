"""Files that `run --resume` refuses, which then stay as they are."""
import os
import re
import shutil
import signal
import socket

import h5py
import numpy as np
from robust import Case, null_sweep, partial_files, ranks_of
from support import BAD_INPUT, FAILURE, STOPPED, digest_of_bytes, launcher_codes, pendulum

PENDULUM = pendulum(30, 20)
NAMED = re.compile(r"(?m)^  ([\w ]+): the file has ")


class Refusals(Case):
    def setup_method(self):
        super().setup_method()
        self.config = self.write("x.yaml", PENDULUM)
        self.map = self.path("map.h5")

    def make_map(self, *options, code=STOPPED):
        """Makes a map, by default one in which every cell is pending."""
        limit = ("--time-limit", "1e-9") if code == STOPPED else ()
        self.good("run", "x.yaml", "-o", "map.h5", *limit, *options, code=code)

    def refuse(self, *options, config="x.yaml", ranks=0, codes=(FAILURE, BAD_INPUT)):
        """A resume is refused and leaves the map unchanged; returns the message."""
        before, status = digest_of_bytes(self.map), os.stat(self.map)
        result = self.sweep("run", config, "-o", "map.h5", "--resume", *options, ranks=ranks)
        assert result.returncode in codes, result.stderr + result.stdout
        assert result.stdout == ""
        assert digest_of_bytes(self.map) == before
        assert os.stat(self.map).st_ino == status.st_ino
        assert [name for name in self.files() if "partial" in name] == []
        assert "map.h5" in result.stderr
        return result.stderr


class Configurations(Refusals):
    CHANGES = (
        ("to: 89 deg", "to: 88.9999999 deg", {"angle"}),
        ("from: 0.01, to: 1.5, points: 20", "from: 0.01, to: 1.5, points: 21", {"friction"}),
        ("to: 1.5, points: 20", "to: 1.5, points: 20, spacing: log", {"friction"}),
        ("ratio: 1.21", "ratio: 1.2100000001", {"stiffness_ratio"}),
        ("fixed:", "outputs: [mode, energy_loss]\nfixed:", {"outputs"}),
        ("fixed:", "precision: float32\nfixed:", {"precision"}),
        ("fixed:", "cell_budget: 1000\nfixed:", {"cell_budget"}),
        ("fixed: {", "fixed: {normal_speed: 2, ", {"normal_speed"}),
        ("friction, from: 0.01, to: 1.5, points: 20", "friction, values: [0.1, 0.2]", {"friction"}),
    )

    def test_each_differing_key_is_named_and_no_other(self):
        self.make_map()
        for old, new, keys in self.CHANGES:
            assert old in PENDULUM
            self.write("y.yaml", PENDULUM.replace(old, new))
            message = self.refuse(config="y.yaml", codes=(BAD_INPUT,))
            assert "is of another configuration" in message
            assert set(NAMED.findall(message)) == keys, message

    def test_several_keys_at_once(self):
        self.make_map()
        text = PENDULUM.replace("89 deg", "80 deg").replace("1.21", "2")
        self.write("y.yaml", text + "precision: float32\n")
        message = self.refuse(config="y.yaml", codes=(BAD_INPUT,))
        assert set(NAMED.findall(message)) == {"angle", "stiffness_ratio", "precision"}

    def test_the_order_of_the_axes(self):
        self.make_map()
        lines = PENDULUM.splitlines()
        lines[3], lines[4] = lines[4], lines[3]
        self.write("y.yaml", "\n".join(lines) + "\n")
        message = self.refuse(config="y.yaml", codes=(BAD_INPUT,))
        assert NAMED.findall(message) == ["order of axes"]

    def test_another_model_and_another_body(self):
        self.make_map()
        self.write("y.yaml", null_sweep(30, 20))
        assert "model" in NAMED.findall(self.refuse(config="y.yaml"))
        self.write("z.yaml", PENDULUM.replace("pendulum", "rod").replace(
            "1.21", "1.21, velocity_ratio: 1"))
        assert "body" in NAMED.findall(self.refuse(config="z.yaml"))

    def test_settings_of_the_command_line(self):
        self.make_map("--set", "stiffness_ratio=0.5")
        assert NAMED.findall(self.refuse()) == ["stiffness_ratio"]
        self.refuse("--set", "stiffness_ratio=0.6", ranks=2)

    def test_parts(self):
        self.make_map("--part", "1/3")
        assert "part" in NAMED.findall(self.refuse("--part", "2/3"))
        assert "part" in NAMED.findall(self.refuse("--part", "1/2"))
        assert "part" in NAMED.findall(self.refuse())

    def test_another_way_to_write_is_allowed(self):
        self.make_map()
        self.write("y.yaml", PENDULUM + "write: parallel\n")
        self.good("run", "y.yaml", "-o", "map.h5", "--resume", ranks=2)


class Versions(Refusals):
    def replace_in_fingerprint(self, old, new):
        with h5py.File(self.map, "r+") as file:
            text = file.attrs["fingerprint"]
            as_bytes = text if isinstance(text, bytes) else bytes(text, "utf-8")
            changed = re.sub(old, new, as_bytes)
            assert changed != as_bytes
            file.attrs.create("fingerprint", changed, dtype=f"S{len(changed)}")

    def attribute_of(self, marker):
        with h5py.File(self.map, "r") as file:
            return next(name for name in file.attrs if marker in name)

    def test_results_of_another_version(self):
        for complete in (False, True):
            self.make_map("--force", code=0 if complete else STOPPED)
            self.replace_in_fingerprint(rb"(results version\t)\d+", rb"\g<1>99")
            message = self.refuse(codes=(BAD_INPUT,))
            assert NAMED.findall(message) == ["results version"]
            assert "99" in message

    def test_another_format(self):
        self.make_map()
        name = self.attribute_of("format")
        with h5py.File(self.map, "r+") as file:
            file.attrs[name] = 99
        assert "has format 99" in self.refuse(codes=(BAD_INPUT,))


class LiveRuns(Refusals):
    def live(self, ranks=0):
        self.write("x.yaml", null_sweep(1000, 100, 1e-3))  # minutes
        process = self.start("run", "x.yaml", "-o", "map.h5", "--progress", "none", ranks=ranks)
        self.wait_for_file("map.h5")
        return process

    def writer_in(self, *options, ranks=0):
        result = self.sweep("run", "x.yaml", "-o", "map.h5", "--resume", *options, ranks=ranks)
        assert result.returncode == FAILURE, result.stderr
        found = re.search(r"map\.h5: is being written by process (\d+) on (\S+)", result.stderr)
        assert found, result.stderr
        return int(found[1]), found[2]

    def test_the_message_names_the_process_and_the_host(self):
        for ranks in (0, 2):
            process = self.live(ranks)
            for others in (0, 2):
                writer, host = self.writer_in(ranks=others)
                assert writer in (ranks_of(self) if ranks else [process.pid])
                assert host == socket.gethostname()
            process.send_signal(signal.SIGUSR1)
            assert process.wait(timeout=60) in (launcher_codes(STOPPED) if ranks else [STOPPED])
            os.remove(self.map)

    def test_a_dead_process_holds_no_lock(self):
        process = self.live()
        process.kill()
        process.wait()
        self.good("run", "x.yaml", "-o", "map.h5", "--resume", "--time-limit", "0.1", code=STOPPED)

    def test_the_live_run_does_not_notice(self):
        text = null_sweep(600, 100, 6e-5)
        self.run_config(text, "whole.h5")
        process = self.start("run", "x.yaml", "-o", "map.h5", "--progress", "none", ranks=2)
        self.wait_for_file("map.h5")
        self.writer_in()
        assert process.wait(timeout=60) == 0
        assert self.digest("map.h5") == self.digest("whole.h5")

    def test_a_file_that_is_being_made(self):
        # 0.9 GB: the second start comes while the first one fills its file.
        self.write("x.yaml", null_sweep(10000, 10000))
        self.write("y.yaml", null_sweep(100, 10))
        process = self.start("run", "x.yaml", "-o", "map.h5", "--progress", "none")
        self.wait_for(lambda: any(os.path.getsize(name) > 1e6 for name in partial_files(self.map)),
                      "its space")
        second = self.sweep("run", "y.yaml", "-o", "map.h5", "--progress", "none")
        assert second.returncode != 0, "two runs made one file"
        assert "map.h5" in second.stderr
        process.send_signal(signal.SIGUSR1)
        stderr = process.communicate(timeout=120)[1]
        assert process.returncode in (0, STOPPED), stderr
        assert partial_files(self.map) == []
        if os.path.exists(self.map):  # or the stop left nothing
            assert self.info("map.h5")["cells"] == 10**8

    def test_force_does_not_replace_a_file_that_is_being_written(self):
        process = self.live()
        before = os.stat(self.map).st_ino
        result = self.sweep("run", "x.yaml", "-o", "map.h5", "--force", "--time-limit", "0.1")
        assert "is being written by" in result.stderr
        assert result.returncode == FAILURE
        assert os.stat(self.map).st_ino == before
        process.kill()


class Strangers(Refusals):
    def test_files_that_are_no_maps(self):
        with h5py.File(self.map, "w") as file:
            file["outcome"] = [0, 1]
        assert "is not a map of impactsweep" in self.refuse()
        for content in (b"", b"no map", os.urandom(100000), b"\x89HDF\r\n\x1a\n" + bytes(100)):
            with open(self.map, "wb") as file:
                file.write(content)
            assert self.refuse() != ""

    def test_a_folder_and_a_device(self):
        os.mkdir(self.map)
        for words in ((), ("--resume",), ("--force",)):
            self.bad("run", "x.yaml", "-o", "map.h5", *words, says="map.h5")
        os.rmdir(self.map)
        os.mkfifo(self.map)
        self.bad("run", "x.yaml", "-o", "map.h5", "--resume", says="is not a regular file")


class Damages(Refusals):
    def test_a_truncated_file(self):
        self.make_map()
        whole = os.path.getsize(self.map)
        shutil.copy(self.map, self.path("whole.h5"))
        for size in (whole - 1, whole // 2, 5000, 512, 100, 1):
            shutil.copy(self.path("whole.h5"), self.map)
            os.truncate(self.map, size)
            message = self.refuse()
            assert re.search("damaged|truncated|cut short|no HDF5|not an? HDF5|HDF5", message)

    def break_dataset(self, change):
        self.make_map("--force")
        with h5py.File(self.map, "r+") as file:
            change(file)
        return self.refuse()

    def test_a_dataset_is_missing(self):
        def without(name):
            def change(file):
                del file[name]
            return change
        for name in ("energy_loss", "mode", "outcome", "run/start", "run/complete", "run/writer"):
            message = self.break_dataset(without(name))
            assert "damaged" in message
            assert f"'{name}'" in message or name == "outcome", message

    def test_a_dataset_of_the_wrong_type_or_shape(self):
        def instead(name, data, **options):
            def change(file):
                del file[name]
                file.create_dataset(name, data=data, **options)
            return change
        for name, data, options in (
                ("energy_loss", np.zeros((30, 20), "f4"), {}),
                ("energy_loss", np.zeros((30, 19)), {}),
                ("energy_loss", np.zeros((30, 20)), {"chunks": (5, 5)}),
                ("outcome", np.zeros((30, 20), "i4"), {}),
                ("outcome", np.zeros(()), {}),
                ("mode", np.zeros((30, 20)), {}),
                ("run/start", np.zeros(3), {})):
            message = self.break_dataset(instead(name, data, **options))
            assert re.search(f"'{name}'|damaged", message)

    def test_values_that_no_run_has_written(self):
        def change(name, index, value):
            def now(file):
                file[name][index] = value
            return now
        for name, index, value, says in (
                ("angle", 3, 0.1, "value 3 of 'angle' is 0.1"),
                ("stiffness_ratio", (), 2, "value 0 of 'stiffness_ratio' is 2, not 1.21"),
                ("body", (), 1, "value 0 of 'body' is 1"),
                ("outcome", (2, 5), 99, "cell 45 has outcome code 99, which is not defined"),
                ("outcome", (0, 1), -1, "cell 1 has outcome code 255, which is not defined"),
                ("mode", (1, 0), 77, "cell 20 has mode code 77, which is not defined")):
            message = self.break_dataset(change(name, index, value))
            assert "is damaged: " + says in message

    def test_results_of_another_version_by_the_attribute_alone(self):
        def change(file):
            file.attrs["results_version"] = 99
        assert "results version: the file has 99" in self.break_dataset(change)

    def test_the_attributes_are_gone(self):
        for name in ("format", "fingerprint"):
            self.make_map("--force")
            with h5py.File(self.map, "r+") as file:
                found = [key for key in file.attrs if name in key]
                for key in found:
                    del file.attrs[key]
            assert found
            assert "is not a map of impactsweep" in self.refuse()
