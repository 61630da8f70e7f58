"""Kills with signal 9 at random moments, and checks of the map after each of them."""
import contextlib
import os
import random
import signal
import time

import robust
from robust import Case, Watch, marked_processes, opens_with_every_reader, ranks_of
from support import end_marked_processes

# The phases of a run, as seen from outside.
START, CREATION, COMPUTING, FINISHING, COMPRESSION, END = PHASES = (
    "start", "creation", "computing", "finishing", "compression", "end")


class Counts:
    def __init__(self):
        self.kills = dict.fromkeys(PHASES, 0)
        self.cells = self.files = 0
        self.failures = []
        self.unmarked = 0  # maps that a resumed run called complete without marking them so

    def __str__(self):
        phases = ", ".join(f"{n} {phase}" for phase, n in self.kills.items() if n)
        return (f"{sum(self.kills.values())} kills ({phases}), {self.files} files opened by "
                f"4 readers, {self.cells:,} marked cells compared, {len(self.failures)} failures, "
                f"{self.unmarked} resumed maps not marked complete")


class Campaign:
    """Kills runs of one sweep. `case` supplies the folder and the assertions."""

    def __init__(self, case, config, seed, ranks, compress=False, checkpoint="0"):
        self.case, self.ranks, self.counts = case, ranks, Counts()
        self.rng = random.Random(seed)
        case.write("x.yaml", config)
        self.map = case.path("map.h5")
        self.words = ["run", "x.yaml", "-o", "map.h5", "--resume", "--progress", "none",
                      "--checkpoint", checkpoint] + ["--compress"] * compress
        case.good("run", "x.yaml", "-o", "whole.h5")
        self.watch, self.wanted = Watch(case.path("whole.h5")), case.digest("whole.h5")
        self.cells = self.watch.outcome[1]
        self.left = set()
        self.spans = self.learn_phases()

    def learn_phases(self):
        """{phase: (its start, its end)} of an undisturbed run, in seconds since its launch."""
        start = time.monotonic()
        process = self.case.start(*self.words, ranks=self.ranks)
        seen = {}
        while process.poll() is None:
            now = time.monotonic() - start
            seen.setdefault(self.phase(), [now, now])[1] = now
            time.sleep(0.001)
        assert process.wait() == 0
        assert self.case.digest("map.h5") == self.wanted
        os.remove(self.map)
        return seen

    def phase(self):
        exists = os.path.exists(self.map)
        if self.new_partial_files():
            return COMPRESSION if exists else CREATION
        if not exists:
            return START
        if os.path.getsize(self.map) < self.watch.complete:
            return END  # smaller than it was: compressed
        done, complete = self.watch.done(self.map) or (0, False)
        return END if complete else FINISHING if done == self.cells else COMPUTING

    def new_partial_files(self):
        """Partial files without those of runs that were killed before."""
        return set(robust.partial_files(self.map)) - self.left

    def wait_for_moment(self, process, aim):
        """Waits until the run is in this phase and a random part of it has passed. Phases take about as long as in
        the undisturbed run."""
        first, last = self.spans.get(aim, (0, 0.05))
        deadline = time.monotonic() + 60
        while aim != START and self.phase() != aim:
            if process.poll() is not None or time.monotonic() > deadline:
                return
            time.sleep(0.0005)
        time.sleep(self.rng.uniform(0, last - first))

    def victim(self, process):
        """Any rank, or mpirun itself."""
        ranks = ranks_of(self.case) if self.ranks else []
        return self.rng.choice(ranks + [process.pid]) if ranks else process.pid

    def leave_no_rank(self):
        """Waits for the end of all ranks, as a user would before going on, but not for a compressor that outlives
        its program."""
        self.case.wait_for(lambda: not set(marked_processes(self.case.folder).values()) &
                           {robust.PROGRAM_NAME, "mpirun", "orted"}, "the end of all ranks")

    def wait_for_end(self, process, phase, victim):
        try:
            self.case.end_of(process, 120)
        except AssertionError as failure:
            end_marked_processes(self.case.folder)
            process.wait()
            raise AssertionError(f"after a kill of {victim} while {phase} {process.pid} {failure}") from None

    def kill(self, aim):
        """Whether a run was killed; it may have ended before."""
        self.left = set(robust.partial_files(self.map))
        process = self.case.start(*self.words, ranks=self.ranks)
        self.wait_for_moment(process, aim)
        phase, victim = self.phase(), self.victim(process)
        alive = process.poll() is None
        if alive:
            try:
                os.kill(victim, signal.SIGKILL)
            except ProcessLookupError:
                alive = False
        self.wait_for_end(process, phase, victim)
        self.leave_no_rank()
        self.counts.kills[phase] += alive
        return alive

    def check_map(self):
        """After a kill: the file opens with every reader, and each cell marked solved is right."""
        if not os.path.exists(self.map):
            return
        opens_with_every_reader(self.map)
        self.case.good("info", "map.h5")
        self.counts.cells += robust.count_right_cells(self.map)
        self.counts.files += 1

    def complete(self):
        """`run --resume` completes the map that the kills have left."""
        self.case.good(*self.words)
        assert self.case.digest("map.h5") == self.wanted
        assert robust.partial_files(self.map) == [], "left by killed runs"
        self.counts.unmarked += not robust.is_marked_complete(self.map)
        self.counts.cells += robust.count_right_cells(self.map)
        os.remove(self.map)

    def round(self, aims):
        """Kills a run and its resumed runs in a row, then completes the map. A failure is only noted, so that a long
        campaign still prints its figures."""
        try:
            for aim in aims:
                self.kill(aim)
                self.check_map()
            self.complete()
        except (AssertionError, OSError) as failure:
            self.counts.failures.append(f"{' '.join(self.words)}, {self.ranks} ranks, killed "
                                        f"in {aims}: {failure}")
            for name in [self.map] + robust.partial_files(self.map):
                if os.path.exists(name):
                    os.remove(name)


def lane(settings):
    """Runs a campaign in a folder of its own: (config, options of Campaign, rounds of aims)."""
    config, options, rounds = settings
    case = Case()
    with contextlib.ExitStack() as case.ending:
        case.setup_method()
        campaign = Campaign(case, config, **options)
        for aims in rounds:
            campaign.round(aims)
        return campaign.counts


def sum_of(counts):
    total = Counts()
    for one in counts:
        total.cells += one.cells
        total.files += one.files
        total.unmarked += one.unmarked
        total.failures += one.failures
        for phase, n in one.kills.items():
            total.kills[phase] += n
    return total
