/* impactsweep explore [THEORY] -o page.html [--force] */
#include "base/text.h"
#include "cmd/cmd.h"
#include "cmd/page.h"
#include "cmd/writers.h"
#include "models/describe.h"

typedef struct request {
    const char *output;
    bool force;
} request;

static const imp_switch switches[] = {
    IMP_SWITCH_OUTPUT("the page to write, a name that ends in .html"),
    IMP_FLAG("force", force, "replace FILE even if explore did not write it"),
};

static int refuse(const char *name) {
    imp_text list = {0};
    for (const imp_theory *theory = NULL; (theory = imp_theory_offered(theory)) != NULL;) {
        imp_text_print(&list, "%s%s", list.length ? ", " : "", theory->name);
    }
    int code = imp_usage_error("explore: no page can solve the theory '%s'; known are: %s", name,
                               imp_text_get(&list));
    imp_text_free(&list);
    return code;
}

static int make_page(const char *first, const imp_target *target) {
    imp_page page;
    imp_page_open("impactsweep: explore", &page);
    imp_models_json_of_all(&page.about, "theories");
    imp_json_string(&page.about, "first", first);
    imp_page_add_presets(&page);
    imp_json_end_object(&page.about);
    imp_err error = imp_target_write(target, &page);
    imp_page_free(&page);
    return imp_exit(error);
}

static int explore(int argc, char **argv) {
    request r = {.output = NULL};
    imp_target target;
    int n;
    int code = imp_read_switches(&imp_command_explore, argc, argv, &r, &n);
    const char *first = code == IMP_EXIT_OK && n > 0 ? argv[1] : "compliant";
    if (code == IMP_EXIT_OK && !r.output) {
        code = imp_usage_error("explore: the page is missing: -o page.html");
    }
    if (code == IMP_EXIT_OK && imp_page_module.length == 0) {
        code = imp_usage_error("explore: this program was built without the module of the solver, "
                               "for which clang-14, lld-14 and wasi-libc are needed");
    }
    const imp_theory *theory = code ? NULL : imp_theory_find(first);
    if (code == IMP_EXIT_OK && (!theory || theory->hidden)) {
        code = refuse(first);
    }
    code = code ? code : imp_target_choose(IMP_EXPLORE, NULL, r.output, r.force, &target);
    return code ? code : make_page(first, &target);
}

const imp_command imp_command_explore = {
    .name = "explore",
    .words = "[THEORY] -o page.html [--force]",
    .summary = "write a page for a browser that solves cells, histories and maps by itself",
    .example = "explore compliant -o explore.html",
    IMP_SWITCHES,
    .fewest = 0,
    .most = 1,
    .needed = "",
    .run = explore,
};
