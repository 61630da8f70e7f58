#include "support/reading.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const text_file tables[] = {
    {"friction.csv", "friction\n0.1\n0.2\n0.1\n", 0},
    {"stiffness.csv", "stiffness_ratio\n1\n2\n", 0},
    {"empty.csv", "# nothing\n\n", 0},
    {"header.csv", "# remark\nfriction\n\n", 0},
    {"columns.csv",
     "frction, ,angle [grad], mass [s],friction [1] x,\"mass\",angle,body [1]\n1,2,3,4,5,6,7,8\n",
     0},
    {"values.csv", "friction , angle [deg]\n# remark\n\n1, x\n,3deg\n1,2\n1\n1,2,3\n1deg, \"2\"\n",
     0},
    {"options.csv", "body\nrod\nrodd\n", 0},
    {"ranges.csv", "friction, angle\n0, 30deg\n\t -1, 45deg\n0.5,   90 deg\n", 0},
    {"binary.csv", "friction\n0.\x02", 0},
    /* The mark that some programs put before UTF-8, and line ends of two characters. */
    {"good/cases.csv",
     "\xEF\xBB\xBF# angle and friction measured together\r\n"
     "angle [deg] ,friction, body\r\n\r\n30, 0.25 ,pendulum\r\n  # again\r\n60,0.5,rod\r\n"
     "30,0.25,pendulum",
     0},
    {"good/angles.csv", "angle\n0.25\n30deg\n0.25 rad\n", 0},
    {"/far/mass.csv", "mass [kg]\n2\n", 0},
};

/* The loader's context is the config; tables come from the list. */
static const char *load(void *context, const char *path, char **bytes, size_t *length) {
    const text_file *found = context;
    *bytes = NULL;
    if (strcmp(found->path, path) != 0) {
        found = NULL;
    }
    for (size_t i = 0; !found && i < sizeof tables / sizeof *tables; i++) {
        found = strcmp(tables[i].path, path) == 0 ? &tables[i] : NULL;
    }
    if (!found) {
        return "No such file or directory";
    }
    *length = found->length ? found->length : strlen(found->text);
    *bytes = malloc(*length + 1);
    memcpy(*bytes, found->text, *length);
    (*bytes)[*length] = 0;
    return NULL;
}

reading read_path(const char *path, text_file config, const char *const *overrides, int n) {
    reading r = {.messages = {0}};
    imp_loader loader = {.load = load, .context = &config};
    r.error = imp_config_read(&loader, path, overrides, n, &r.sweep, &r.messages);
    return r;
}

reading read_file(text_file config, const char *const *overrides, int n) {
    return read_path(config.path, config, overrides, n);
}

reading read_text(const char *text) {
    return read_file((text_file){"x.yaml", text, 0}, NULL, 0);
}

reading read_words(const char *theory, const char *const *words, int n) {
    reading r = {.messages = {0}};
    r.error = imp_config_words(theory, words, n, &r.sweep, &r.messages);
    return r;
}

void reading_free(reading *r) {
    imp_sweep_free(&r->sweep);
    imp_text_free(&r->messages);
}

bool reading_is_empty(const imp_sweep *sweep) {
    return !sweep->theory && sweep->grid.n_axes == 0 && sweep->n_fixed == 0;
}

reading expect_good(reading r) {
    if (r.error) {
        fprintf(stderr, "error %d: %s", r.error, imp_text_get(&r.messages));
    }
    CU_ASSERT_EQUAL_FATAL(r.error, IMP_OK);
    CU_ASSERT_EQUAL(r.messages.length, 0);
    return r;
}
