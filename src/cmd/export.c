/* impactsweep export FILE [-o F.csv] [--slice axis=value]... [--fields A,B] [--degrees] [--force] */
#include <stdio.h>
#include <sys/stat.h>

#include "cmd/cmd.h"
#include "cmd/selection.h"
#include "cmd/writers.h"
#include "store/catalog.h"

typedef struct request {
    const char *output; /* NULL: the standard output */
    bool force, degrees;
    imp_overrides slices;
    const char *fields;
} request;

static const imp_switch switches[] = {
    {"output", 'o', "FILE", "the table to write; without it, to the standard output", imp_take_text,
     offsetof(request, output)},
    {"slice", 0, "AXIS=VALUE",
     "only the cells at the point of the axis that is nearest to VALUE: a number, 30deg, the name "
     "of an "
     "option, the number of a row or of a value; may be repeated",
     imp_take_override, offsetof(request, slices)},
    {"fields", 0, "NAME,...", "only these outputs, and the outcome", imp_take_text,
     offsetof(request, fields)},
    {"degrees", 0, NULL, "angles in degrees, which the heads of their columns say", imp_take_flag,
     offsetof(request, degrees)},
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
    imp_selection selection;
    code = imp_exit(imp_catalog_open(argv[1], &catalog));
    if (code == IMP_EXIT_OK) {
        code = imp_selection_read(catalog, &r.slices, r.fields, r.degrees, &selection);
    }
    if (code == IMP_EXIT_OK) {
        code = imp_exit(imp_target_write(&target, &selection));
    }
    imp_catalog_close(&catalog);
    return code;
}

const imp_command imp_command_export = {
    .name = "export",
    .words = "FILE [-o F.csv] [options]",
    .summary = "a map as a long table, one row per cell",
    .example = "export map.h5 -o map.csv\n"
               "export map.h5 --slice friction=0.3 --fields mode,energy_loss --degrees",
    .switches = switches,
    .n_switches = sizeof switches / sizeof *switches,
    .fewest = 1,
    .most = 1,
    .needed = "which map?",
    .run = export,
};
