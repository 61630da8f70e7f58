/* Files that are being made: their names, their locks, and what is left of them. */
#include "store/partial.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "support/folder.h"
#include "support/suite.h"

/* The contents of a file, at most 99 characters; "" if there is none. */
static const char *contents_of(const file_name *file) {
    static char text[100];
    memset(text, 0, sizeof text);
    int descriptor = open(file->path, O_RDONLY);
    ssize_t n = descriptor < 0 ? 0 : read(descriptor, text, sizeof text - 1);
    if (descriptor >= 0) {
        close(descriptor);
    }
    return n < 0 ? "" : text;
}

/* Makes a file with a text, up to its name. */
static imp_err write_file(const char *path, const char *text, bool replace) {
    imp_partial partial;
    imp_err error = imp_partial_create(path, &partial);
    FILE *stream = error ? NULL : imp_partial_stream(&partial);
    if (stream) {
        fputs(text, stream);
        error = imp_partial_finish(&partial, replace);
    }
    if (!error) {
        return imp_partial_close(&partial);
    }
    imp_partial_discard(&partial);
    return error;
}

static void a_file_has_its_name_only_when_it_is_finished(void) {
    folder own = folder_new();
    file_name file = folder_file(&own, "x.csv");
    imp_partial partial;
    CHECK(imp_partial_create(file.path, &partial) == IMP_OK, "%s", imp_last_error());
    CHECK(access(file.path, F_OK) != 0, "the name is there too early");
    CHECK(folder_count(&own, ".partial", NULL) == 1, "no temporary file");
    fputs("whole", imp_partial_stream(&partial));
    CHECK(imp_partial_finish(&partial, false) == IMP_OK, "%s", imp_last_error());
    CHECK(strcmp(contents_of(&file), "whole") == 0, "%s", contents_of(&file));
    CHECK(folder_count(&own, ".partial", NULL) == 0, "the temporary name is left");
    CHECK(imp_partial_close(&partial) == IMP_OK, "%s", imp_last_error());
    folder_remove(&own);
}

static void a_reserved_file_ends_after_the_printed_text(void) {
    folder own = folder_new();
    file_name file = folder_file(&own, "x.csv");
    imp_partial partial;
    CHECK(imp_partial_create(file.path, &partial) == IMP_OK, "%s", imp_last_error());
    CHECK(imp_partial_reserve(&partial, 100000) == IMP_OK, "%s", imp_last_error());
    fputs("short", imp_partial_stream(&partial));
    CHECK(imp_partial_finish(&partial, false) == IMP_OK, "%s", imp_last_error());
    CHECK(lseek(partial.descriptor, 0, SEEK_END) == 5, "the file has another length");
    imp_partial_close(&partial);
    folder_remove(&own);
}

static void an_existing_file_is_replaced_only_if_told_so(void) {
    folder own = folder_new();
    file_name file = folder_file(&own, "x.csv");
    CHECK(write_file(file.path, "first", false) == IMP_OK, "%s", imp_last_error());
    CHECK(write_file(file.path, "second", false) == IMP_ERR_IO, "replaced");
    CHECK(strcmp(contents_of(&file), "first") == 0, "%s", contents_of(&file));
    CHECK(write_file(file.path, "third", true) == IMP_OK, "%s", imp_last_error());
    CHECK(strcmp(contents_of(&file), "third") == 0, "%s", contents_of(&file));
    CHECK(folder_count(&own, "", NULL) == 1, "something is left");
    folder_remove(&own);
}

static void a_discarded_file_leaves_nothing(void) {
    folder own = folder_new();
    file_name file = folder_file(&own, "x.csv");
    imp_partial partial;
    CHECK(imp_partial_create(file.path, &partial) == IMP_OK, "%s", imp_last_error());
    fputs("nothing", imp_partial_stream(&partial));
    imp_partial_discard(&partial);
    CHECK(folder_count(&own, "", NULL) == 0, "something is left");
    CHECK(partial.descriptor == -1, "the file is still open");
    imp_partial_discard(&partial); /* does nothing */
    folder_remove(&own);
}

static void a_long_name_gets_a_short_temporary_one(void) {
    folder own = folder_new();
    char name[241];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = 0;
    file_name file = folder_file(&own, name);
    imp_partial partial;
    CHECK(imp_partial_create(file.path, &partial) == IMP_OK, "%s", imp_last_error());
    CHECK(strlen(partial.name) - strlen(own.path) < 255, "%s", partial.name);
    CHECK(imp_partial_finish(&partial, false) == IMP_OK, "%s", imp_last_error());
    CHECK(access(file.path, F_OK) == 0, "the file has not its name");
    imp_partial_close(&partial);
    folder_remove(&own);
}

/* Runs `work` in a process of its own; returns its exit code. */
static int elsewhere(int (*work)(const file_name *file), const file_name *file) {
    int status = -1;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        _exit(work(file));
    }
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int finds_it_busy(const file_name *file) {
    bool busy = imp_partial_refuse_busy(file->path) == IMP_ERR_IO &&
                strstr(imp_last_error(), "is being written by process");
    imp_partial_remove_stale(file->path); /* must leave it alone */
    return busy;
}

static int leaves_a_file(const file_name *file) {
    imp_partial partial;
    return imp_partial_create(file->path, &partial) != IMP_OK;
}

static void another_process_sees_the_lock(void) {
    folder own = folder_new();
    file_name file = folder_file(&own, "x.csv");
    imp_partial partial;
    CHECK(imp_partial_create(file.path, &partial) == IMP_OK, "%s", imp_last_error());
    CHECK(elsewhere(finds_it_busy, &file) == 1, "it is not busy for another process");
    CHECK(folder_count(&own, ".partial", NULL) == 1, "another process has removed it");
    imp_partial_discard(&partial);
    CHECK(elsewhere(finds_it_busy, &file) == 0, "it is busy for ever");
    folder_remove(&own);
}

static void what_a_dead_process_left_is_removed(void) {
    folder own = folder_new();
    file_name file = folder_file(&own, "x.csv"), other = folder_file(&own, "other.csv");
    CHECK(elsewhere(leaves_a_file, &file) == 0 && elsewhere(leaves_a_file, &other) == 0, "%s",
          imp_last_error());
    CHECK(folder_count(&own, ".partial", NULL) == 2, "nothing is left to remove");
    imp_partial_remove_stale(file.path);
    CHECK(folder_count(&own, ".partial", &file) == 1, "not one file is left");
    CHECK(strstr(file.path, "/other.csv."), "%s is left", file.path);
    CHECK(write_file(other.path, "whole", false) == IMP_OK, "%s", imp_last_error());
    CHECK(folder_count(&own, "", NULL) == 1, "a new file does not remove the old one");
    folder_remove(&own);
}

static void a_folder_that_is_not_there_is_refused(void) {
    imp_partial partial;
    CHECK(imp_partial_create("/nowhere/at/all/x.csv", &partial) == IMP_ERR_INPUT, "no error");
    CHECK(strstr(imp_last_error(), "/nowhere/at/all/x.csv"), "%s", imp_last_error());
}

SUITE("partial", a_file_has_its_name_only_when_it_is_finished,
      a_reserved_file_ends_after_the_printed_text, an_existing_file_is_replaced_only_if_told_so,
      a_discarded_file_leaves_nothing, a_long_name_gets_a_short_temporary_one,
      another_process_sees_the_lock, what_a_dead_process_left_is_removed,
      a_folder_that_is_not_there_is_refused)
