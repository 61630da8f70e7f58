/* Values and marks of a map, without a run: when a mark reaches the file, and what a resume
 * finds. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "solve/block.h"
#include "store/library.h"
#include "store/lock.h"
#include "store/map.h"
#include "support/folder.h"
#include "support/reading.h"
#include "support/suite.h"

enum { CELLS = 12 };
static const char config[] = "model: 'null'\naxes: [{param: x, from: 0, to: 1, points: 12}]\n"
                             "fixed: {y: 0.5}\noutputs: [mode, value]\n";
static const char other_config[] = "model: 'null'\naxes: [{param: x, from: 0, to: 2, points: 12}]\n"
                                   "fixed: {y: 0.5}\noutputs: [mode, value]\n";
static const imp_provenance provenance = {"", "", "", "", "", ""};

/* A sweep and its map in a folder of its own. */
typedef struct trial {
    folder own;
    file_name file;
    reading r;
    imp_map *map;
} trial;

static imp_err open_map(trial *a, const imp_sweep *sweep, imp_map_policy policy, double period) {
    double seconds;
    return imp_map_open(a->file.path, sweep, &provenance, policy, (imp_checkpoint){period}, NULL,
                        &a->map, &seconds);
}

static void expect_open(trial *a, const imp_sweep *sweep, imp_map_policy policy, double period) {
    CHECK(open_map(a, sweep, policy, period) == IMP_OK, "%s", imp_last_error());
}

static trial begin(imp_map_policy policy, double period) {
    trial a = {.own = folder_new(), .r = expect_good(read_text(config))};
    a.file = folder_file(&a.own, "x.h5");
    expect_open(&a, &a.r.sweep, policy, period);
    return a;
}

/* A block of n solved cells of mode 1. The caller frees. */
static void *block_of(const imp_sweep *sweep, size_t n) {
    imp_layout layout = imp_layout_of(sweep);
    char *block = calloc(1, imp_block_size(&layout, n));
    memset(block + imp_block_offset(&layout, n, layout.mode), 1, n);
    memset(block + imp_block_offset(&layout, n, layout.n_outputs), IMP_SOLVED, n);
    return block;
}

static void write_cells(const trial *a, int64_t first, size_t n) {
    void *block = block_of(&a->r.sweep, n);
    CHECK(imp_map_write(a->map, first, n, block) == IMP_OK, "%s", imp_last_error());
    free(block);
}

/* Expects solved cells at first .. first+n-1 and pending ones elsewhere. */
static void expect_solved(imp_map *map, int64_t first, int64_t n) {
    uint8_t outcomes[CELLS];
    int8_t modes[CELLS];
    CHECK(imp_map_read(map, 0, CELLS, outcomes, modes) == IMP_OK, "%s", imp_last_error());
    for (int64_t i = 0; i < CELLS; i++) {
        int expected = i >= first && i < first + n ? IMP_SOLVED : IMP_PENDING;
        CHECK(outcomes[i] == expected, "cell %lld: %d", (long long)i, outcomes[i]);
        CHECK(expected == IMP_PENDING || modes[i] == 1, "cell %lld: mode %d", (long long)i,
              modes[i]);
    }
}

static void close_map(trial *a) {
    CHECK(imp_map_close(&a->map) == IMP_OK && !a->map, "%s", imp_last_error());
}

static void end(trial *a) {
    reading_free(&a->r);
    folder_remove(&a->own);
}

static void marks_wait_for_the_sync_of_their_values(void) {
    trial a = begin(IMP_MAP_NEW, 1e6);
    CHECK(imp_map_is_fresh(a.map) && imp_map_keeps_marks(a.map), "not fresh");
    write_cells(&a, 3, 4);
    expect_solved(a.map, 0, 0);
    CHECK(imp_map_sync(a.map) == IMP_OK, "%s", imp_last_error());
    expect_solved(a.map, 3, 4);
    close_map(&a);
    end(&a);
}

static void a_resume_finds_marks_but_none_that_were_kept(void) {
    trial a = begin(IMP_MAP_RESUME, 1e6);
    write_cells(&a, 0, 5);
    CHECK(imp_map_sync(a.map) == IMP_OK, "%s", imp_last_error());
    write_cells(&a, 5, 5);
    close_map(&a); /* as if the process had been killed */
    expect_open(&a, &a.r.sweep, IMP_MAP_RESUME, 1e6);
    CHECK(!imp_map_is_fresh(a.map), "the map was made anew");
    expect_solved(a.map, 0, 5);
    write_cells(&a, 5, 7);
    CHECK(imp_map_finish(a.map) == IMP_OK, "%s", imp_last_error());
    expect_solved(a.map, 0, CELLS);
    close_map(&a);
    end(&a);
}

static void without_a_period_marks_are_written_at_once(void) {
    trial a = begin(IMP_MAP_NEW, 0);
    CHECK(!imp_map_keeps_marks(a.map), "marks are kept");
    write_cells(&a, 7, 5);
    expect_solved(a.map, 7, 5);
    close_map(&a);
    end(&a);
}

static void values_come_without_marks_and_marks_without_values(void) {
    trial a = begin(IMP_MAP_NEW, 0);
    imp_layout layout = imp_layout_of(&a.r.sweep);
    void *block = block_of(&a.r.sweep, 2);
    CHECK(imp_map_write_values(a.map, 4, 2, block) == IMP_OK, "%s", imp_last_error());
    expect_solved(a.map, 0, 0);
    const uint8_t *outcomes = imp_block_outcomes(&layout, 2, block);
    CHECK(imp_map_mark(a.map, 4, 2, outcomes) == IMP_OK, "%s", imp_last_error());
    expect_solved(a.map, 4, 2);
    close_map(&a);
    free(block);
    end(&a);
}

static void another_sweep_and_an_existing_file_are_refused(void) {
    trial a = begin(IMP_MAP_NEW, 0);
    reading other = expect_good(read_text(other_config));
    write_cells(&a, 0, 2);
    close_map(&a);
    CHECK(open_map(&a, &a.r.sweep, IMP_MAP_NEW, 0) == IMP_ERR_INPUT && !a.map, "no error");
    CHECK(open_map(&a, &other.sweep, IMP_MAP_RESUME, 0) == IMP_ERR_INPUT && !a.map,
          "another sweep goes on");
    CHECK(strstr(imp_last_error(), "x: the file has "), "%s", imp_last_error());
    expect_open(&a, &other.sweep, IMP_MAP_REPLACE, 0);
    expect_solved(a.map, 0, 0);
    close_map(&a);
    reading_free(&other);
    end(&a);
}

/* In another process: whether the map is refused as locked by its parent. */
static bool is_refused_elsewhere(const trial *of) {
    int status = -1;
    fflush(NULL);
    pid_t parent = getpid(), child = fork();
    if (child == 0) {
        trial other = *of;
        char number[32];
        snprintf(number, sizeof number, "process %ld", (long)parent);
        bool refused = open_map(&other, &of->r.sweep, IMP_MAP_RESUME, 0) == IMP_ERR_IO &&
                       strstr(imp_last_error(), number);
        _exit(refused);
    }
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 1;
}

static void one_process_at_a_time_writes(void) {
    trial a = begin(IMP_MAP_NEW, 0);
    CHECK(is_refused_elsewhere(&a), "two processes write");
    close_map(&a);
    CHECK(!is_refused_elsewhere(&a), "the lock outlives its map");
    end(&a);
}

static void a_map_that_was_removed_or_replaced_is_noticed(void) {
    trial a = begin(IMP_MAP_NEW, 0);
    file_name away = folder_file(&a.own, "away.h5");
    CHECK(imp_map_check_path(a.map) == IMP_OK, "%s", imp_last_error());
    CHECK(rename(a.file.path, away.path) == 0, "not renamed");
    CHECK(imp_map_check_path(a.map) == IMP_ERR_IO, "a map that is gone is good");
    CHECK(rename(away.path, a.file.path) == 0 && truncate(a.file.path, 2000) == 0, "not cut");
    CHECK(imp_map_check_path(a.map) == IMP_ERR_IO, "a map that was cut short is good");
    close_map(&a);
    end(&a);
}

int main(void) {
    return imp_h5_start() ? 1
                          : SUITE_RUN("marks", marks_wait_for_the_sync_of_their_values,
                                      a_resume_finds_marks_but_none_that_were_kept,
                                      without_a_period_marks_are_written_at_once,
                                      values_come_without_marks_and_marks_without_values,
                                      another_sweep_and_an_existing_file_are_refused,
                                      one_process_at_a_time_writes,
                                      a_map_that_was_removed_or_replaced_is_noticed);
}
