/* impactsweep info FILE [--json] [--digest] */
#include "cmd/cmd.h"
#include "cmd/info.h"

typedef struct request {
    bool json, digest;
} request;

static const imp_switch switches[] = {
    IMP_FLAG("json", json, "print one JSON object"),
    IMP_FLAG(
        "digest", digest,
        "also print the SHA-256 of everything but the sessions: equal maps have equal digests"),
};

static int info(int argc, char **argv) {
    request r = {.json = false};
    int n;
    int code = imp_read_switches(&imp_command_info, argc, argv, &r, &n);
    if (code) {
        return code;
    }
    imp_contents c;
    imp_json json = {.depth = 0};
    imp_err error = imp_contents_open(argv[1], r.digest, &c);
    error =
        error ? error
              : imp_info_facts(&c, argv[1], NULL, (imp_info_reader){.json = r.json ? &json : NULL});
    code = error ? imp_exit(error) : r.json ? imp_print_json(&json) : IMP_EXIT_OK;
    imp_text_free(&json.text);
    if (code == IMP_EXIT_OK) {
        code = imp_exit(imp_catalog_judge(c.catalog));
    }
    imp_catalog_close(&c.catalog);
    return code;
}

const imp_command imp_command_info = {
    .name = "info",
    .words = "FILE [--json] [--digest]",
    .summary = "show the contents and progress of a map, or the contents of a history",
    .example = "info map.h5 --digest",
    IMP_SWITCHES,
    .fewest = 1,
    .most = 1,
    .needed = "the file is missing",
    .reads_map = true,
    .run = info,
};
