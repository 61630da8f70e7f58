/* impactsweep export FILE [-o F.csv] [--force] */
#include <stdio.h>
#include <sys/stat.h>

#include "cmd/cmd.h"
#include "cmd/writers.h"
#include "store/catalog.h"

typedef struct request {
    const char *output; /* NULL: the standard output */
    bool force;
} request;

static const imp_switch switches[] = {
    {"output", 'o', "FILE", "the table to write; without it, to the standard output", imp_take_text,
     offsetof(request, output)},
    {"force", 0, NULL, "replace FILE even if export did not write it", imp_take_flag,
     offsetof(request, force)},
};

static int refuse_itself(const char *map, const char *output) {
    struct stat from, to;
    bool same = output && stat(map, &from) == 0 && stat(output, &to) == 0 &&
                from.st_dev == to.st_dev && from.st_ino == to.st_ino;
    return same ? imp_usage_error("export: %s is the map itself", output) : IMP_EXIT_OK;
}

static int export(int argc, char **argv) {
    request r = {.output = NULL};
    imp_target target;
    int n;
    int code = imp_read_switches(&imp_command_export, argc, argv, &r, &n);
    code = code ? code : refuse_itself(argv[1], r.output);
    code = code ? code : imp_target_choose(IMP_MAP, r.output, r.force, &target);
    if (code != IMP_EXIT_OK) {
        return code;
    }
    imp_catalog *catalog;
    imp_err error = imp_catalog_open(argv[1], &catalog);
    error = error ? error : imp_target_write(&target, catalog);
    imp_catalog_close(&catalog);
    return imp_exit(error);
}

const imp_command imp_command_export = {
    .name = "export",
    .words = "FILE [-o F.csv] [--force]",
    .summary = "a map as a long table, one row per cell",
    .example = "export map.h5 -o map.csv",
    .switches = switches,
    .n_switches = sizeof switches / sizeof *switches,
    .fewest = 1,
    .most = 1,
    .needed = "which map?",
    .run = export,
};
