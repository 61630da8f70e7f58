/* impactsweep report FILE -o page.html [--megabytes N] [--provenance short|full] [--force] */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "cmd/cmd.h"
#include "cmd/info.h"
#include "cmd/page.h"
#include "cmd/selection.h"
#include "cmd/writers.h"
#include "models/describe.h"

typedef struct request {
    const char *output;
    int64_t megabytes;
    bool tells_machine, force;
} request;

static const char *take_provenance(const char *value, void *field) {
    bool full = strcmp(value, "full") == 0;
    *(bool *)field = full;
    return full || strcmp(value, "short") == 0 ? NULL : "is not short or full";
}

static const imp_switch switches[] = {
    IMP_SWITCH_OUTPUT("the page to write, a name that ends in .html"),
    IMP_SWITCH(
        "megabytes", "N",
        "the most megabytes of values in the page, before they are written as text; a larger map "
        "is reduced to one cell of each block, of the rarest mode in it (default 12)",
        imp_take_count, megabytes),
    IMP_SWITCH("provenance", "short|full",
               "whether the page tells of the machine that computed the map: host, paths, "
               "processor, compiler, libraries and sessions (default short: it does not)",
               take_provenance, tells_machine),
    IMP_FLAG("force", force, "replace FILE even if report did not write it"),
};

/* The theories of the cases of a map, whose lines are "NAME: THEORY key=value ...". */
static void add_theories(imp_page *page, const imp_catalog *catalog) {
    const char *lines = imp_catalog_text(catalog, "cases");
    if (!lines) {
        return;
    }
    imp_json_list(&page->about, "theories");
    for (int i = 0; imp_theory_at(i); i++) {
        char word[80];
        snprintf(word, sizeof word, ": %s ", imp_theory_at(i)->name);
        if (strstr(lines, word)) {
            imp_models_json(&page->about, NULL, imp_theory_at(i));
        }
    }
    imp_json_end_list(&page->about);
}

/* What `info` says of the map, and what `models` says of its theory. */
static imp_err add_words(imp_page *page, const char *path, const imp_contents *c,
                         const request *r) {
    /* A page is mailed to strangers. */
    const imp_info_reader reader = {.json = &page->about, .stranger = !r->tells_machine};
    imp_err error = imp_info_facts(c, path, "info", reader);
    const imp_theory *theory = imp_theory_find(imp_catalog_words(c->catalog, "theory"));
    if (theory) {
        imp_models_json(&page->about, "theory", theory);
    }
    add_theories(page, c->catalog);
    return error;
}

static int make_page(const char *path, const request *r, const imp_target *target) {
    imp_contents c;
    imp_page page;
    imp_page_open("impactsweep report", &page);
    imp_err error = imp_contents_open(path, true, &c);
    if (!error && c.is_history) {
        error = imp_fail(IMP_ERR_INPUT, "%s: is a history of one cell, not a map", path);
    }
    error = error ? error : imp_selection_check_grid(c.catalog);
    error = error ? error : add_words(&page, path, &c, r);
    error = error ? error : imp_page_add_map(&page, c.catalog, r->megabytes * 1000000);
    if (!error && imp_catalog_is_refined(c.catalog)) {
        error = imp_page_add_found(&page, c.catalog);
    }
    error = error ? error : imp_catalog_judge(c.catalog);
    imp_json_end_object(&page.about);
    error = error ? error : imp_target_write(target, &page);
    imp_catalog_close(&c.catalog);
    imp_page_free(&page);
    return imp_exit(error);
}

static int report(int argc, char **argv) {
    request r = {.megabytes = 12};
    imp_target target;
    int n;
    int code = imp_read_switches(&imp_command_report, argc, argv, &r, &n);
    if (code == IMP_EXIT_OK && !r.output) {
        code = imp_usage_error("report: the page is missing: -o page.html");
    }
    code = code ? code : imp_refuse_own("report", argv[1], r.output, "is the map itself");
    code = code ? code : imp_target_choose(IMP_REPORT, NULL, r.output, r.force, &target);
    return code ? code : make_page(argv[1], &r, &target);
}

const imp_command imp_command_report = {
    .name = "report",
    .words = "FILE -o page.html [--megabytes N] [--provenance short|full] [--force]",
    .summary = "write a map as one page for a browser, with interactive pictures, which needs no "
               "network",
    .example = "report map.h5 -o map.html",
    IMP_SWITCHES,
    .fewest = 1,
    .most = 1,
    .needed = "the map is missing",
    .reads_map = true,
    .run = report,
};
