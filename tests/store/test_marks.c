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

static imp_err open_map(const file_name *file, const imp_sweep *sweep, imp_map_policy policy,
                        double period, imp_map **map) {
    double seconds;
    return imp_map_open(file->path, sweep, &provenance, policy, (imp_checkpoint){period}, NULL, map,
                        &seconds);
}

/* A block of n solved cells of mode 1. The caller frees. */
static void *block_of(const imp_sweep *sweep, size_t n) {
    imp_layout layout = imp_layout_of(sweep);
    char *block = calloc(1, imp_block_size(&layout, n));
    memset(block + imp_block_offset(&layout, n, layout.mode), 1, n);
    memset(block + imp_block_offset(&layout, n, layout.n_outputs), IMP_SOLVED, n);
    return block;
}

static void write_cells(imp_map *map, const imp_sweep *sweep, int64_t first, size_t n) {
    void *block = block_of(sweep, n);
    CHECK(imp_map_write(map, first, n, block) == IMP_OK, "%s", imp_last_error());
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

static void close_map(imp_map **map) {
    CHECK(imp_map_close(map) == IMP_OK && !*map, "%s", imp_last_error());
}

static void marks_wait_for_the_sync_of_their_values(void) {
    folder own = folder_new();
    file_name file = folder_file(&own, "x.h5");
    reading r = expect_good(read_text(config));
    imp_map *map;
    CHECK(open_map(&file, &r.sweep, IMP_MAP_NEW, 1e6, &map) == IMP_OK, "%s", imp_last_error());
    CHECK(imp_map_is_fresh(map) && imp_map_keeps_marks(map), "not fresh");
    write_cells(map, &r.sweep, 3, 4);
    expect_solved(map, 0, 0);
    CHECK(imp_map_sync(map) == IMP_OK, "%s", imp_last_error());
    expect_solved(map, 3, 4);
    close_map(&map);
    reading_free(&r);
    folder_remove(&own);
}

static void a_resume_finds_marks_but_none_that_were_kept(void) {
    folder own = folder_new();
    file_name file = folder_file(&own, "x.h5");
    reading r = expect_good(read_text(config));
    imp_map *map;
    CHECK(open_map(&file, &r.sweep, IMP_MAP_RESUME, 1e6, &map) == IMP_OK, "%s", imp_last_error());
    write_cells(map, &r.sweep, 0, 5);
    CHECK(imp_map_sync(map) == IMP_OK, "%s", imp_last_error());
    write_cells(map, &r.sweep, 5, 5);
    close_map(&map); /* as if the process had been killed */
    CHECK(open_map(&file, &r.sweep, IMP_MAP_RESUME, 1e6, &map) == IMP_OK, "%s", imp_last_error());
    CHECK(!imp_map_is_fresh(map), "the map was made anew");
    expect_solved(map, 0, 5);
    write_cells(map, &r.sweep, 5, 7);
    CHECK(imp_map_finish(map) == IMP_OK, "%s", imp_last_error());
    expect_solved(map, 0, CELLS);
    close_map(&map);
    reading_free(&r);
    folder_remove(&own);
}

static void without_a_period_marks_are_written_at_once(void) {
    folder own = folder_new();
    file_name file = folder_file(&own, "x.h5");
    reading r = expect_good(read_text(config));
    imp_map *map;
    CHECK(open_map(&file, &r.sweep, IMP_MAP_NEW, 0, &map) == IMP_OK, "%s", imp_last_error());
    CHECK(!imp_map_keeps_marks(map), "marks are kept");
    write_cells(map, &r.sweep, 7, 5);
    expect_solved(map, 7, 5);
    close_map(&map);
    reading_free(&r);
    folder_remove(&own);
}

static void values_come_without_marks_and_marks_without_values(void) {
    folder own = folder_new();
    file_name file = folder_file(&own, "x.h5");
    reading r = expect_good(read_text(config));
    imp_layout layout = imp_layout_of(&r.sweep);
    void *block = block_of(&r.sweep, 2);
    imp_map *map;
    CHECK(open_map(&file, &r.sweep, IMP_MAP_NEW, 0, &map) == IMP_OK, "%s", imp_last_error());
    CHECK(imp_map_write_values(map, 4, 2, block) == IMP_OK, "%s", imp_last_error());
    expect_solved(map, 0, 0);
    const uint8_t *outcomes = imp_block_outcomes(&layout, 2, block);
    CHECK(imp_map_mark(map, 4, 2, outcomes) == IMP_OK, "%s", imp_last_error());
    expect_solved(map, 4, 2);
    close_map(&map);
    free(block);
    reading_free(&r);
    folder_remove(&own);
}

static void another_sweep_and_an_existing_file_are_refused(void) {
    folder own = folder_new();
    file_name file = folder_file(&own, "x.h5");
    reading r = expect_good(read_text(config)), other = expect_good(read_text(other_config));
    imp_map *map;
    CHECK(open_map(&file, &r.sweep, IMP_MAP_NEW, 0, &map) == IMP_OK, "%s", imp_last_error());
    write_cells(map, &r.sweep, 0, 2);
    close_map(&map);
    CHECK(open_map(&file, &r.sweep, IMP_MAP_NEW, 0, &map) == IMP_ERR_INPUT && !map, "no error");
    CHECK(open_map(&file, &other.sweep, IMP_MAP_RESUME, 0, &map) == IMP_ERR_INPUT && !map,
          "another sweep goes on");
    CHECK(strstr(imp_last_error(), "x: the file has "), "%s", imp_last_error());
    CHECK(open_map(&file, &other.sweep, IMP_MAP_REPLACE, 0, &map) == IMP_OK, "%s",
          imp_last_error());
    expect_solved(map, 0, 0);
    close_map(&map);
    reading_free(&r);
    reading_free(&other);
    folder_remove(&own);
}

/* In another process: whether the map is refused as locked by its parent. */
static bool is_refused_elsewhere(const file_name *file, const imp_sweep *sweep) {
    int status = -1;
    fflush(NULL);
    pid_t parent = getpid(), child = fork();
    if (child == 0) {
        imp_map *map;
        char number[32];
        snprintf(number, sizeof number, "process %ld", (long)parent);
        bool refused = open_map(file, sweep, IMP_MAP_RESUME, 0, &map) == IMP_ERR_IO &&
                       strstr(imp_last_error(), number);
        _exit(refused);
    }
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 1;
}

static void one_process_at_a_time_writes(void) {
    folder own = folder_new();
    file_name file = folder_file(&own, "x.h5");
    reading r = expect_good(read_text(config));
    imp_map *map;
    CHECK(open_map(&file, &r.sweep, IMP_MAP_NEW, 0, &map) == IMP_OK, "%s", imp_last_error());
    CHECK(is_refused_elsewhere(&file, &r.sweep), "two processes write");
    close_map(&map);
    CHECK(!is_refused_elsewhere(&file, &r.sweep), "the lock outlives its map");
    reading_free(&r);
    folder_remove(&own);
}

static void a_map_that_was_removed_or_replaced_is_noticed(void) {
    folder own = folder_new();
    file_name file = folder_file(&own, "x.h5"), away = folder_file(&own, "away.h5");
    reading r = expect_good(read_text(config));
    imp_map *map;
    CHECK(open_map(&file, &r.sweep, IMP_MAP_NEW, 0, &map) == IMP_OK, "%s", imp_last_error());
    CHECK(imp_map_check_path(map) == IMP_OK, "%s", imp_last_error());
    CHECK(rename(file.path, away.path) == 0, "not renamed");
    CHECK(imp_map_check_path(map) == IMP_ERR_IO, "a map that is gone is good");
    CHECK(rename(away.path, file.path) == 0 && truncate(file.path, 2000) == 0, "not cut");
    CHECK(imp_map_check_path(map) == IMP_ERR_IO, "a map that was cut short is good");
    close_map(&map);
    reading_free(&r);
    folder_remove(&own);
}

int main(void) {
    static const suite_test tests[] = {
        SUITE_TEST(marks_wait_for_the_sync_of_their_values),
        SUITE_TEST(a_resume_finds_marks_but_none_that_were_kept),
        SUITE_TEST(without_a_period_marks_are_written_at_once),
        SUITE_TEST(values_come_without_marks_and_marks_without_values),
        SUITE_TEST(another_sweep_and_an_existing_file_are_refused),
        SUITE_TEST(one_process_at_a_time_writes),
        SUITE_TEST(a_map_that_was_removed_or_replaced_is_noticed)};
    return imp_h5_start() ? 1 : suite_run("marks", tests, SUITE_COUNT(tests));
}
