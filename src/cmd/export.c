/* impactsweep export FILE [-o F.csv] [--slice axis=value]... [--fields A,B] [--degrees|--hex]
 * [--force], or --crate */

#include "base/error.h"
#include "cmd/cmd.h"
#include "cmd/crate.h"
#include "cmd/selection.h"
#include "cmd/writers.h"
#include "store/catalog.h"

typedef struct request {
    const char *output; /* NULL: the standard output */
    bool force, degrees, hex;
    bool crate;
    bool wanted[IMP_SUBJECTS]; /* tables of a refined map */
    const char *picture, *licence;
    const char *format; /* NULL: by the ending of the name */
    imp_overrides slices;
    const char *fields;
} request;

static const imp_switch switches[] = {
    IMP_SWITCH_OUTPUT("the file to write; default: the standard output"),
    IMP_SWITCH("slice", "AXIS=VALUE",
               "only the cells at the point of the axis that is nearest to VALUE: a number, 30deg, "
               "the name of an option, the number of a row or of a value; may be repeated",
               imp_take_override, slices),
    IMP_SWITCH("fields", "NAME,...", "only these outputs, and the outcome", imp_take_text, fields),
    IMP_FLAG("boundary", wanted[IMP_BOUNDARY],
             "of a refined map: the boundaries, as CSV with one row per vertex, or as GeoJSON "
             "polylines, each with the labels on its two sides and the bracket of every vertex"),
    IMP_FLAG("junctions", wanted[IMP_JUNCTION],
             "of a refined map: the places where three or more labels meet, as CSV or GeoJSON"),
    IMP_FLAG("filaments", wanted[IMP_FILAMENT],
             "of a refined map: the strips that are narrower than the smallest cells, each with "
             "its label, length, and the width and place of both ends, as CSV"),
    IMP_FLAG("regions", wanted[IMP_REGION],
             "of a refined map: its connected regions, each with its label, its share, a point "
             "well inside and the box around it, as CSV"),
    IMP_FLAG("borders", wanted[IMP_BORDER],
             "of a refined map: which regions border on which, by number, as CSV"),
    IMP_FLAG(
        "events", wanted[IMP_EVENT],
        "of a refined map with a further axis of numbers: between which of its values regions are "
        "born, vanish, merge, split, become neighbours, part or exchange neighbours, as CSV"),
    IMP_FLAG("points", wanted[IMP_POINTS],
             "of a refined map: the points solved so far, as CSV; also while the map is computed"),
    IMP_FLAG("vtk", wanted[IMP_SURFACE],
             "of a refined map: the boundaries, curves or surfaces, as VTK for ParaView"),
    IMP_FLAG("crate", crate,
             "a folder (-o FOLDER, default: FILE.crate) with the map, its config and tables, its "
             "page and where all of it comes from, as a Process Run Crate (RO-Crate 1.1)"),
    IMP_SWITCH("picture", "PICTURE", "a picture of the map for the crate", imp_take_text, picture),
    IMP_SWITCH("licence", "ADDRESS",
               "the licence of the map for the crate, such as https://spdx.org/licenses/CC-BY-4.0",
               imp_take_text, licence),
    IMP_SWITCH("format", "csv|geojson|vtk", "form of the table; default: by the ending of FILE",
               imp_take_text, format),
    IMP_FLAG("degrees", degrees, "angles in degrees; the headers of their columns then have [deg]"),
    IMP_FLAG("hex", hex,
             "exact numbers as hexadecimal floats, with fixed parameters and choices: cells to "
             "test other programs against"),
    IMP_FLAG("force", force, "replace FILE even if export did not write it"),
};

/* How many tables of a refined map are asked for; *subject: the last one, or the map. */
static int tables_of(const request *r, imp_subject *subject) {
    int n = 0;
    *subject = IMP_MAP;
    for (int s = 0; s < IMP_SUBJECTS; s++) {
        *subject = r->wanted[s] ? (imp_subject)s : *subject;
        n += r->wanted[s];
    }
    return n;
}

/* The subject of the export; if the options name more than one, prints an error and returns
 * IMP_SUBJECTS. */
static imp_subject subject_of(const request *r) {
    imp_subject subject;
    if (tables_of(r, &subject) > 1) {
        imp_usage_error("export: --boundary, --junctions, --filaments, --regions, --borders, "
                        "--events, --points and --vtk exclude each other");
        return IMP_SUBJECTS;
    }
    if (r->hex && r->degrees) {
        imp_usage_error("export: --hex writes numbers as they are, in SI units: not with "
                        "--degrees");
        return IMP_SUBJECTS;
    }
    if (subject != IMP_MAP && (r->slices.n > 0 || r->fields || r->hex)) {
        imp_usage_error("export: --slice, --fields and --hex are about cells of the grid, not what "
                        "a refined map found");
        return IMP_SUBJECTS;
    }
    return subject;
}

/* The map as a folder. */
static int export_crate(const char *path, const request *r) {
    imp_text folder = {0};
    imp_subject subject;
    if (tables_of(r, &subject) > 0 || r->hex || r->degrees || r->force || r->format || r->fields ||
        r->slices.n > 0) {
        return imp_usage_error("export: --crate is about the whole map: it goes with -o, --picture "
                               "and --licence alone");
    }
    imp_text_print(&folder, r->output ? "%s" : "%s.crate", r->output ? r->output : path);
    int code = folder.failed ? imp_exit(imp_memory_check())
                             : imp_crate_make(path, imp_text_get(&folder), r->picture, r->licence);
    imp_text_free(&folder);
    return code;
}

static int export(int argc, char **argv) {
    request r = {.output = NULL};
    imp_target target;
    int n;
    int code = imp_read_switches(&imp_command_export, argc, argv, &r, &n);
    if (code == IMP_EXIT_OK && r.crate) {
        return export_crate(argv[1], &r);
    }
    if (code == IMP_EXIT_OK && (r.picture || r.licence)) {
        return imp_usage_error("export: --picture and --licence go with --crate");
    }
    code = code ? code : imp_refuse_own("export", argv[1], r.output, "is the map itself");
    imp_subject subject = code ? IMP_MAP : subject_of(&r);
    code = subject == IMP_SUBJECTS ? IMP_EXIT_INPUT : code;
    code = code ? code : imp_target_choose(subject, r.format, r.output, r.force, &target);
    if (code != IMP_EXIT_OK) {
        return code;
    }
    imp_catalog *catalog;
    imp_selection selection;
    code = imp_exit(imp_catalog_open(argv[1], &catalog));
    if (code == IMP_EXIT_OK && subject == IMP_MAP) {
        code = imp_exit(imp_selection_check_grid(catalog));
    }
    if (code == IMP_EXIT_OK) {
        code = imp_selection_read("export", catalog, &r.slices, r.fields, r.degrees, &selection);
    }
    if (code == IMP_EXIT_OK) {
        selection.hex = r.hex;
        selection.group = imp_subject_group(subject);
        code = imp_exit(imp_target_write(&target, &selection));
    }
    imp_catalog_close(&catalog);
    return code;
}

const imp_command imp_command_export = {
    .name = "export",
    .words = "FILE [-o F.csv] [options]",
    .summary =
        "write a map as a table with one row per cell, the boundaries, junctions or points of "
        "a refined map, or a map with all its provenance as a folder",
    .example = "export map.h5 -o map.csv\n"
               "export map.h5 --slice friction=0.3 --fields mode,energy_loss --degrees\n"
               "export map.h5 --hex -o vectors.csv\n"
               "run configs/pendulum-refined.yaml -o refined.h5\n"
               "export refined.h5 --boundary -o boundary.geojson\n"
               "export refined.h5 --crate",
    IMP_SWITCHES,
    .fewest = 1,
    .most = 1,
    .needed = "the map is missing",
    .reads_map = true,
    .run = export,
};
