/* Configs and words: the meaning of good ones, and the exact messages of bad ones. */
#include <CUnit/Basic.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config/axis_impl.h" /* before bad_configs.h, which also has a macro AXIS */
#include "bad_configs.h"
#include "base/error.h"
#include "config/config.h"
#include "solve/search/search.h"

/* ---- files in memory ---- */

typedef struct file {
    const char *path, *text;
    size_t length; /* 0: that of the text */
} file;

static const file tables[] = {
    {"friction.csv", "friction\n0.1\n0.2\n0.1\n", 0},
    {"stiffness.csv", "stiffness_ratio\n1\n2\n", 0},
    {"empty.csv", "# nothing\n\n", 0},
    {"header.csv", "# remark\nfriction\n\n", 0},
    {"columns.csv",
     "frction, ,angle [grad], mass [g],friction [1] x,\"mass\",angle,body [1]\n1,2,3,4,5,6,7,8\n",
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
    const file *found = context;
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

/* ---- reading ---- */

typedef struct result {
    imp_err error;
    imp_sweep sweep;
    imp_text messages;
} result;

static result read_file(file config, const char *const *overrides, int n) {
    result r = {.messages = {0}};
    imp_loader loader = {load, &config};
    r.error = imp_config_read(&loader, config.path, overrides, n, &r.sweep, &r.messages);
    return r;
}

static result read_text(const char *text) {
    return read_file((file){"x.yaml", text, 0}, NULL, 0);
}

static result read_words(const char *theory, const char *const *words, int n) {
    result r = {.messages = {0}};
    r.error = imp_config_words(theory, words, n, &r.sweep, &r.messages);
    return r;
}

static void free_result(result *r) {
    imp_sweep_free(&r->sweep);
    imp_text_free(&r->messages);
}

/* ---- checks, which print what differs ---- */

static bool is_empty(const imp_sweep *sweep) {
    return !sweep->theory && sweep->grid.n_axes == 0 && sweep->n_fixed == 0;
}

static void list_theories(imp_text *text) {
    for (int t = 0; imp_theory_at(t); t++) {
        if (!imp_theory_at(t)->hidden) {
            imp_text_print(text, "%s%s", text->length ? ", " : "", imp_theory_at(t)->name);
        }
    }
}

static void list_options(imp_text *text, const char *name) {
    const imp_theory *theory = imp_theory_find("compliant");
    const imp_choice *choice = &theory->choices[imp_theory_choice(theory, name)];
    for (int o = 0; o < choice->n_options; o++) {
        imp_text_print(text, "%s%s", o ? ", " : "", choice->options[o]->name);
    }
}

static void list_bodies(imp_text *text) {
    list_options(text, "body");
}

static void list_laws(imp_text *text) {
    list_options(text, "law");
}

static void list_outputs(imp_text *text) {
    const imp_theory *theory = imp_theory_find("compliant");
    for (int o = 0; o < theory->n_outputs; o++) {
        imp_text_print(text, "%s%s", o ? ", " : "", theory->outputs[o].name);
    }
}

static void list_parameters(imp_text *text) {
    const imp_parameter *all[IMP_MAX_PARAMETERS];
    int n = imp_theory_every_parameter(imp_theory_find("compliant"), all);
    for (int p = 0; p < n; p++) {
        imp_text_print(text, "%s%s", p ? ", " : "", all[p]->name);
    }
}

/* "body=sphere, body=rod": every body that has a parameter. */
static void list_bodies_with(imp_text *text, const char *parameter) {
    const imp_theory *theory = imp_theory_find("compliant");
    const imp_choice *bodies = &theory->choices[imp_theory_choice(theory, "body")];
    for (int o = 0; o < bodies->n_options; o++) {
        const imp_option *body = bodies->options[o];
        for (int p = 0; p < body->n_parameters; p++) {
            if (strcmp(body->parameters[p]->name, parameter) == 0) {
                imp_text_print(text, "%sbody=%s", text->length ? ", " : "", body->name);
            }
        }
    }
}

static void list_bodies_with_angle(imp_text *text) {
    list_bodies_with(text, "angle");
}

static void list_bodies_with_velocity(imp_text *text) {
    list_bodies_with(text, "velocity_ratio");
}

static void list_searches(imp_text *text) {
    for (int k = 0; imp_search_kind_at(k); k++) {
        imp_text_print(text, "%s%s", k ? ", " : "", imp_search_kind_at(k)->name);
    }
}

static void list_axis_keys(imp_text *text) {
#define KEY(symbol, name) imp_text_print(text, "%s%s", text->length ? ", " : "", name);
    IMP_AXIS_KEYS(KEY)
#undef KEY
}

/* The expected message, in which lists that grow with the tables are filled in; the caller frees. */
static imp_text expand(const char *expected) {
    static const struct {
        const char *word;
        void (*list)(imp_text *text);
    } lists[] = {{"<theories>", list_theories},
                 {"<bodies>", list_bodies},
                 {"<bodies with angle>", list_bodies_with_angle},
                 {"<bodies with velocity_ratio>", list_bodies_with_velocity},
                 {"<laws>", list_laws},
                 {"<searches>", list_searches},
                 {"<keys of an axis>", list_axis_keys},
                 {"<outputs>", list_outputs},
                 {"<parameters>", list_parameters}};
    imp_text text = {0};
    while (*expected) {
        size_t length = 1;
        imp_text list = {0};
        for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
            if (strncmp(expected, lists[i].word, strlen(lists[i].word)) == 0) {
                lists[i].list(&list);
                length = strlen(lists[i].word);
            }
        }
        imp_text_append(&text, list.length ? imp_text_get(&list) : expected,
                        list.length ? list.length : 1);
        imp_text_free(&list);
        expected += length;
    }
    return text;
}

static void expect_messages(const char *name, result r, const char *pattern) {
    imp_text text = expand(pattern);
    const char *expected = imp_text_get(&text);
    bool same = strcmp(imp_text_get(&r.messages), expected) == 0;
    if (!same) {
        fprintf(stderr, "%s: expected\n%s, but got\n%s\n", name, expected,
                imp_text_get(&r.messages));
    }
    imp_text_free(&text);
    CU_ASSERT(same);
    CU_ASSERT_EQUAL(r.error, IMP_ERR_INPUT);
    CU_ASSERT(is_empty(&r.sweep));
    free_result(&r);
}

/* A good config; the caller frees. */
static result expect_good(result r) {
    if (r.error) {
        fprintf(stderr, "error %d: %s", r.error, imp_text_get(&r.messages));
    }
    CU_ASSERT_EQUAL_FATAL(r.error, IMP_OK);
    CU_ASSERT_EQUAL(r.messages.length, 0);
    return r;
}

static void expect_values(const imp_axis *axis, int column, const double *expected, int n) {
    CU_ASSERT_EQUAL_FATAL(axis->size, n);
    for (int i = 0; i < n; i++) {
        CU_ASSERT_EQUAL(axis->columns[column].values[i], expected[i]);
    }
}

static double fixed_value(const imp_sweep *sweep, const char *name) {
    int index = imp_sweep_find_fixed(sweep, name);
    return index < 0 ? NAN : sweep->fixed[index].value;
}

/* ---- bad input ---- */

static void bad_texts(void) {
    for (size_t i = 0; i < sizeof bad_configs / sizeof *bad_configs; i++) {
        const struct bad *bad = &bad_configs[i];
        file config = {"x.yaml", bad->text, 0};
        expect_messages(bad->name, read_file(config, &bad->override, bad->override != NULL),
                        bad->expected);
    }
}

static void binary_config(void) {
    static const char text[] = "model: compliant\nfixed: \0";
    expect_messages("zero byte", read_file((file){"x.yaml", text, sizeof text - 1}, NULL, 0),
                    "x.yaml:2:8: error: byte 0x00 is not text, UTF-8 text is expected\n");
    static const char wide[] = "\xff\xfem\0o\0";
    expect_messages("UTF-16", read_file((file){"x.yaml", wide, sizeof wide - 1}, NULL, 0),
                    "x.yaml:1:1: error: byte 0xff is not text, UTF-8 text is expected\n");
}

static void missing_config(void) {
    result r = {.messages = {0}};
    file other = {"other.yaml", "", 0};
    imp_loader loader = {load, &other};
    r.error = imp_config_read(&loader, "x.yaml", NULL, 0, &r.sweep, &r.messages);
    expect_messages("missing", r,
                    "x.yaml:1:1: error: cannot read the config: No such file or directory\n");
}

static void huge_config(void) {
    size_t limit = (size_t)64 << 20;
    char *text = malloc(limit + 2);
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    memset(text, ' ', limit + 1);
    text[limit + 1] = 0;
    expect_messages("64 MiB + 1", read_file((file){"x.yaml", text, limit + 1}, NULL, 0),
                    "x.yaml:1:1: error: the file is larger than the 64 MiB that are allowed\n");
    free(text);
}

/* n times a word, after some text; the caller frees. */
static char *repeated(const char *before, const char *word, int n) {
    imp_text text = {0};
    imp_text_print(&text, "%s", before);
    for (int i = 0; i < n; i++) {
        imp_text_print(&text, "%s", word);
    }
    CU_ASSERT_PTR_NOT_NULL_FATAL(text.bytes);
    return text.bytes;
}

static void expect_too_deep(const char *before, const char *word, const char *expected) {
    char *text = repeated(before, word, 100000);
    expect_messages(word, read_text(text), expected);
    free(text);
}

static void deep_configs(void) {
    expect_too_deep("", "[",
                    "x.yaml:1:17: error: nested too deeply, at most 16 levels are allowed\n");
    expect_too_deep(
        "a: ", "{b: ", "x.yaml:1:64: error: nested too deeply, at most 16 levels are allowed\n");
    expect_too_deep("", "- ",
                    "x.yaml:1:33: error: nested too deeply, at most 16 levels are allowed\n");
}

static void many_errors(void) {
    char *text =
        repeated(PENDULUM NO_FRICTION "axes:\n  - {param: friction, values: [", "\n      1x,", 150);
    imp_text whole = {0}, expected = {0};
    imp_text_print(&whole, "%s]}\n", text);
    for (int line = 0; line < 100; line++) {
        imp_text_print(&expected, "x.yaml:%d:7: error: friction: '1x' is not a number\n", line + 6);
    }
    imp_text_print(&expected, "50 more errors are not shown\n");
    expect_messages("many", read_text(imp_text_get(&whole)), imp_text_get(&expected));
    imp_text_free(&whole);
    imp_text_free(&expected);
    free(text);
}

static void two_overrides(void) {
    static const char *const overrides[] = {"friction=1", "friction=2", "precision=float32",
                                            "precision=float64", "body=rod"};
    expect_messages("overrides", read_file((file){"x.yaml", PENDULUM REST, 0}, overrides, 4),
                    "--set friction=2: error: duplicate key 'friction'\n"
                    "--set precision=float64: error: duplicate key 'precision'\n");
    expect_messages("no model", read_file((file){"x.yaml", "model: x\n", 0}, overrides, 5),
                    "x.yaml:1:8: error: unknown theory 'x', allowed: <theories>\n");
}

/* Whether every line of the messages has the promised form. */
static bool is_well_formed(const char *messages) {
    bool good = *messages != 0;
    for (const char *line = messages; good && *line;) {
        int end = 0;
        unsigned row, column;
        good = sscanf(line, "%*[^: ]:%u:%u: error: %*[^\n]%n", &row, &column, &end) == 2 &&
               end > 0 && row > 0 && column > 0;
        line = strchr(line, '\n');
        good = good && line;
        line += good;
    }
    return good;
}

static const char everything[] =
    "# A config with every form\n"
    "model: compliant\n"
    "choose: {law: linear}\n"
    "axes:\n"
    "  - {table: good/cases.csv, name: case}\n"
    "  - {param: stiffness_ratio, from: 0.5, to: 2, points: 3, spacing: log}\n"
    "  - {param: mass, values: [1, 2.5, 4]}\n"
    "fixed: {velocity_ratio: -1}\n"
    "outputs: [residual, mode]\n"
    "precision: float32\n";

/* A damaged config is still good, or has messages; sanitizers find other faults. */
static void expect_sane(const char *text, size_t length, int *n_bad) {
    result r = read_file((file){"x.yaml", text, length}, NULL, 0);
    CU_ASSERT(r.error == IMP_OK || r.error == IMP_ERR_INPUT);
    if (r.error) {
        bool good = is_well_formed(imp_text_get(&r.messages)) && is_empty(&r.sweep);
        if (!good) {
            fprintf(stderr, "damaged config:\n%s\n%s", text, imp_text_get(&r.messages));
        }
        CU_ASSERT(good);
    }
    *n_bad += r.error != IMP_OK;
    free_result(&r);
}

static void damaged_configs(void) {
    static const char bytes[] = "{}[]:,-&*!|>'\"%@`# \n\t0aZ~?\x80\xc3";
    int length = (int)sizeof everything - 1, n_bad = 0;
    char text[sizeof everything];
    for (int cut = 1; cut < length; cut++) {
        memcpy(text, everything, sizeof everything);
        text[cut] = 0;
        expect_sane(text, (size_t)cut, &n_bad);
    }
    uint64_t state = 1;
    for (int i = 0; i < 5000; i++) {
        memcpy(text, everything, sizeof everything);
        for (int k = 0; k <= i % 3; k++) {
            state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            text[(state >> 33) % (unsigned)length] = bytes[(state >> 20) % (sizeof bytes - 1)];
        }
        expect_sane(text, (size_t)length, &n_bad);
    }
    CU_ASSERT(n_bad > 2500);
    CU_ASSERT(n_bad < 5000 + length);
}

/* ---- good configs ---- */

static void fixed_values(void) {
    static const char *const names[] = {"friction", "stiffness_ratio",  "normal_speed",
                                        "mass",     "radius",           "angle",
                                        "length",   "normal_stiffness", "restitution"};
    static const double values[] = {0.3, 1.21, 2.5, 1, 0, 0.5, 1, 1, 1};
    static const bool given[] = {true, true, true, false, false, true, false, false, false};
    result r = expect_good(read_text(
        PENDULUM
        "fixed: {angle: 0.5 rad, normal_speed: 2.5, friction: 0.3, stiffness_ratio: +1.21}\n"));
    const imp_sweep *s = &r.sweep;
    CU_ASSERT_PTR_EQUAL(s->theory, imp_theory_find("compliant"));
    CU_ASSERT_EQUAL(s->chosen[0], 3); /* pendulum in bodies.def */
    CU_ASSERT_EQUAL(s->chosen[1], 0); /* linear, by default */
    CU_ASSERT_EQUAL(imp_grid_cells(&s->grid), 1);
    CU_ASSERT_FALSE(s->single);
    CU_ASSERT_EQUAL_FATAL(s->n_fixed, 9);
    for (int i = 0; i < 9; i++) {
        CU_ASSERT_STRING_EQUAL(s->fixed[i].parameter->name, names[i]);
        CU_ASSERT_EQUAL(s->fixed[i].value, values[i]);
        CU_ASSERT_EQUAL(s->fixed[i].given, given[i]);
    }
    /* The descriptor is that of the pendulum, whose angle excludes 0. */
    CU_ASSERT_EQUAL(s->fixed[4].parameter->low, 0);
    free_result(&r);
}

/* All outputs of the theory but the energy loss and the motion of a free body. */
static void all_outputs(void) {
    const imp_theory *theory = imp_theory_find("compliant");
    static const char *const free_body[] = {"body_energy_loss", "body_velocity_t",
                                            "body_velocity_n", "angular_velocity",
                                            "angular_velocity_2"};
    result r = expect_good(read_text(PENDULUM "axes: []\n" REST));
    CU_ASSERT_EQUAL_FATAL(r.sweep.n_outputs, theory->n_outputs - 5);
    for (int o = 0; o < r.sweep.n_outputs; o++) {
        CU_ASSERT_TRUE(o == 0 || r.sweep.outputs[o] > r.sweep.outputs[o - 1]);
        for (int f = 0; f < 5; f++) {
            CU_ASSERT_NOT_EQUAL(r.sweep.outputs[o], imp_theory_output(theory, free_body[f]));
        }
    }
    free_result(&r);
    r = expect_good(read_text("model: compliant\naxes: [{param: body, values: [pendulum, rod]}]\n"
                              "fixed: {angle: 0.5, friction: 0.3, stiffness_ratio: 1.21, "
                              "velocity_ratio: 1}\n"));
    CU_ASSERT_EQUAL(r.sweep.n_outputs, theory->n_outputs - 1);
    free_result(&r);
}

static void chosen_outputs(void) {
    result r = expect_good(read_text(PENDULUM REST "outputs:\n- residual\n- \"mode\"\n"
                                                   "- kinetic_restitution\nprecision: float32\n"));
    CU_ASSERT_EQUAL_FATAL(r.sweep.n_outputs, 3);
    CU_ASSERT_STRING_EQUAL(r.sweep.theory->outputs[r.sweep.outputs[0]].name, "mode");
    CU_ASSERT_STRING_EQUAL(r.sweep.theory->outputs[r.sweep.outputs[1]].name, "kinetic_restitution");
    CU_ASSERT_STRING_EQUAL(r.sweep.theory->outputs[r.sweep.outputs[2]].name, "residual");
    CU_ASSERT(r.sweep.single);
    free_result(&r);
}

static void linear_axes(void) {
    static const double rising[] = {0, 0.25, 0.5, 0.75, 1}, falling[] = {2, 1.5, 1}, one[] = {7};
    result r =
        expect_good(read_text(PENDULUM "axes:\n  - {param: friction, from: 0, to: 1, points: 5}\n"
                                       "  - {param: stiffness_ratio, from: 2, to: 1, points: 3,\n"
                                       "     spacing: linear}\n"
                                       "  - {param: mass, from: 7, to: 7, points: 1}\n"
                                       "fixed: {angle: 0.5}\n"));
    const imp_grid *grid = &r.sweep.grid;
    CU_ASSERT_EQUAL_FATAL(grid->n_axes, 3);
    CU_ASSERT_STRING_EQUAL(grid->axes[0].name, "friction");
    CU_ASSERT_STRING_EQUAL(grid->axes[1].name, "stiffness_ratio");
    CU_ASSERT_STRING_EQUAL(grid->axes[2].columns[0].name, "mass");
    CU_ASSERT_EQUAL(grid->axes[0].n_columns, 1);
    CU_ASSERT_EQUAL(grid->axes[0].columns[0].choice, -1);
    expect_values(&grid->axes[0], 0, rising, 5);
    expect_values(&grid->axes[1], 0, falling, 3);
    expect_values(&grid->axes[2], 0, one, 1);
    CU_ASSERT_EQUAL(imp_sweep_find_fixed(&r.sweep, "mass"), -1);
    CU_ASSERT_EQUAL(r.sweep.n_fixed, 6); /* angle, and five defaults */
    free_result(&r);
}

static void log_axes(void) {
    result r = expect_good(
        read_text(ROD "axes:\n  - {param: friction, from: 1, to: 100, points: 3, spacing: log}\n"
                      "  - {param: velocity_ratio, from: -8, to: -1, points: 4, spacing: log}\n"
                      "fixed: {angle: 0.5, stiffness_ratio: 1}\n"));
    const double *friction = r.sweep.grid.axes[0].columns[0].values;
    const double *velocity = r.sweep.grid.axes[1].columns[0].values;
    CU_ASSERT_EQUAL_FATAL(r.sweep.grid.axes[0].size, 3);
    CU_ASSERT_EQUAL_FATAL(r.sweep.grid.axes[1].size, 4);
    CU_ASSERT_EQUAL(friction[0], 1);
    CU_ASSERT_DOUBLE_EQUAL(friction[1], 10, 1e-13);
    CU_ASSERT_EQUAL(friction[2], 100);
    CU_ASSERT_DOUBLE_EQUAL(velocity[1], -4, 1e-13);
    CU_ASSERT_DOUBLE_EQUAL(velocity[2], -2, 1e-13);
    CU_ASSERT_EQUAL(velocity[3], -1);
    free_result(&r);
}

static double angle_of_word(const char *word) {
    const char *words[] = {"body=rod", "friction=0", "stiffness_ratio=1", "velocity_ratio=1", word};
    result r = expect_good(read_words("compliant", words, 5));
    double value = fixed_value(&r.sweep, "angle");
    free_result(&r);
    return value;
}

/* An axis in degrees is laid out in degrees: 30 deg on an axis, in a list, in a table and alone have the same
 * bits. */
static void degrees(void) {
    const double pi = 3.14159265358979323846;
    double thirty = angle_of_word("angle=30deg"), ninety = angle_of_word("angle=90 deg");
    CU_ASSERT_DOUBLE_EQUAL(thirty, pi / 6, 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(ninety, pi / 2, 1e-15);
    result r =
        expect_good(read_text(ROD "axes: [{param: angle, from: -90 deg, to: 90deg, points: 181}]\n"
                                  "fixed: {friction: 0, stiffness_ratio: 1, velocity_ratio: 1}\n"));
    const double *values = r.sweep.grid.axes[0].columns[0].values;
    CU_ASSERT_EQUAL(values[0], -ninety);
    CU_ASSERT_EQUAL(values[90], 0);
    CU_ASSERT_EQUAL(values[120], thirty);
    CU_ASSERT_EQUAL(values[180], ninety);
    free_result(&r);
    /* Every whole degree is exact; even steps in radians would miss some of them by a bit. */
    r = expect_good(read_text(PENDULUM "axes: [{param: angle, from: 1deg, to: 65deg, points: 65}]\n"
                                       "fixed: {friction: 0, stiffness_ratio: 1}\n"));
    values = r.sweep.grid.axes[0].columns[0].values;
    for (int i = 0; i < 65; i++) {
        char word[32];
        snprintf(word, sizeof word, "angle=%ddeg", i + 1);
        CU_ASSERT_EQUAL(values[i], angle_of_word(word));
    }
    free_result(&r);
}

static void mixed_units(void) {
    const double ninety = angle_of_word("angle=90deg");
    const double list[] = {0.25, angle_of_word("angle=30deg"), -0.5};
    result r =
        expect_good(read_text(ROD "axes: [{param: angle, from: 0.5, to: 90deg, points: 3}]\n"
                                  "fixed: {friction: 0, stiffness_ratio: 1, velocity_ratio: 1}\n"));
    const double expected[] = {0.5, (0.5 + ninety) / 2, ninety};
    expect_values(&r.sweep.grid.axes[0], 0, expected, 3);
    free_result(&r);
    r = expect_good(read_text(ROD "axes: [{param: angle, values: [0.25, 30 deg, -0.5rad]}]\n"
                                  "fixed: {friction: 0, stiffness_ratio: 1, velocity_ratio: 1}\n"));
    expect_values(&r.sweep.grid.axes[0], 0, list, 3);
    free_result(&r);
}

static void choice_axis(void) {
    static const double bodies[] = {3, 0, 2}; /* in bodies.def: pendulum, sphere, general */
    result r = expect_good(read_text(
        "model: compliant\naxes:\n  - {param: body, values: [pendulum, sphere, general]}\n"
        "fixed: {friction: 0.3, stiffness_ratio: 1.21, angle: -0.5, velocity_ratio: 1,\n"
        "        inertia_coupling: 0.5}\n"));
    const imp_sweep *s = &r.sweep;
    CU_ASSERT_EQUAL(s->chosen[0], -1);
    CU_ASSERT_EQUAL(s->chosen[1], 0);
    CU_ASSERT_STRING_EQUAL(s->grid.axes[0].name, "body");
    CU_ASSERT_EQUAL(s->grid.axes[0].columns[0].choice, 0);
    expect_values(&s->grid.axes[0], 0, bodies, 3);
    /* -0.5 is no angle of a pendulum, but one of a general body. */
    CU_ASSERT_EQUAL(fixed_value(s, "angle"), -0.5);
    free_result(&r);
}

static void table_axis(void) {
    const double thirty = angle_of_word("angle=30deg"), sixty = angle_of_word("angle=60deg");
    const double angles[] = {thirty, sixty, thirty}, frictions[] = {0.25, 0.5, 0.25};
    const double bodies[] = {3, 1, 3};
    result r =
        expect_good(read_file((file){"good/x.yaml",
                                     "model: compliant\naxes:\n  - {table: cases.csv, name: case}\n"
                                     "  - {table: /far/mass.csv, name: mass}\n"
                                     "fixed: {stiffness_ratio: 1.21, velocity_ratio: 1}\n",
                                     0},
                              NULL, 0));
    const imp_axis *axis = &r.sweep.grid.axes[0];
    CU_ASSERT_EQUAL_FATAL(r.sweep.grid.n_axes, 2);
    CU_ASSERT_STRING_EQUAL(axis->name, "case");
    CU_ASSERT_EQUAL_FATAL(axis->n_columns, 3);
    CU_ASSERT_STRING_EQUAL(axis->columns[0].name, "angle");
    CU_ASSERT_STRING_EQUAL(axis->columns[1].name, "friction");
    CU_ASSERT_STRING_EQUAL(axis->columns[2].name, "body");
    CU_ASSERT_EQUAL(axis->columns[1].choice, -1);
    CU_ASSERT_EQUAL(axis->columns[2].choice, 0);
    expect_values(axis, 0, angles, 3);
    expect_values(axis, 1, frictions, 3);
    expect_values(axis, 2, bodies, 3);
    CU_ASSERT_EQUAL(r.sweep.chosen[0], -1);
    CU_ASSERT_STRING_EQUAL(r.sweep.grid.axes[1].name, "mass");
    CU_ASSERT_EQUAL(r.sweep.grid.axes[1].columns[0].values[0], 2);
    free_result(&r);
}

static void table_units(void) {
    const double angles[] = {0.25, angle_of_word("angle=30deg"), 0.25};
    result r = expect_good(read_file(
        (file){"good/x.yaml", PENDULUM "axes: [{table: angles.csv, name: angle}]\n" NO_ANGLE, 0},
        NULL, 0));
    CU_ASSERT_STRING_EQUAL(r.sweep.grid.axes[0].name, "angle");
    expect_values(&r.sweep.grid.axes[0], 0, angles, 3);
    free_result(&r);
}

static void overrides_replace(void) {
    static const char *const overrides[] = {"friction=0.7", "precision=float32", "body=rod",
                                            "mass=3", "velocity_ratio=-1"};
    result r = expect_good(
        read_file((file){"x.yaml", PENDULUM REST "precision: float64\n", 0}, overrides, 5));
    CU_ASSERT_EQUAL(r.sweep.chosen[0], 1);
    CU_ASSERT_EQUAL(fixed_value(&r.sweep, "friction"), 0.7);
    CU_ASSERT_EQUAL(fixed_value(&r.sweep, "mass"), 3);
    CU_ASSERT_EQUAL(fixed_value(&r.sweep, "velocity_ratio"), -1);
    CU_ASSERT_EQUAL(fixed_value(&r.sweep, "angle"), 0.5);
    CU_ASSERT(r.sweep.single);
    free_result(&r);
}

/* The ranges become the lattice and the flat grid; the other axes remain as they are. */
static void refinement(void) {
    static const char *const override = "friction=0.1:1:log";
    result r = expect_good(read_file(
        (file){"x.yaml",
               PENDULUM
               "axes:\n  - {param: angle, from: 1 deg, to: 89 deg}\n"
               "  - {param: stiffness_ratio, values: [1, 0.1]}\n"
               "  - {param: friction, from: 0.2, to: 1.5}\n"
               "refine: {base: 16, depth: 9, boundary: 1e-4, budget: 5e4, audit: 0,\n"
               "  on: [outcome, mode, {output: energy_loss, level: 0.5}, {output: duration, jump: "
               "0.1}]}\n",
               0},
        &override, 1));
    const imp_refine_plan *plan = &r.sweep.refine;
    CU_ASSERT_EQUAL_FATAL(plan->lattice.n_axes, 2);
    CU_ASSERT_EQUAL(r.sweep.refined[0], 0);
    CU_ASSERT_EQUAL(r.sweep.refined[1], 2);
    CU_ASSERT(plan->lattice.axis[0].degrees && !plan->lattice.axis[1].degrees);
    CU_ASSERT(plan->lattice.axis[1].logarithmic && plan->lattice.axis[1].from == 0.1);
    CU_ASSERT(plan->base == 4 && plan->depth == 9 && plan->boundary == 1e-4);
    CU_ASSERT(plan->budget == 50000 && plan->audit == 0);
    CU_ASSERT_EQUAL_FATAL(plan->n_rules, 4);
    CU_ASSERT_EQUAL(plan->rules[0].kind, IMP_RULE_OUTCOME);
    CU_ASSERT_EQUAL(plan->rules[1].output, imp_theory_output(r.sweep.theory, "mode"));
    CU_ASSERT(plan->rules[2].kind == IMP_RULE_LEVEL && plan->rules[2].number == 0.5);
    CU_ASSERT(plan->rules[3].kind == IMP_RULE_JUMP && plan->rules[3].number == 0.1);
    CU_ASSERT_EQUAL(imp_grid_outer_cells(&r.sweep.grid), 2);
    for (int a = 0; a < 2; a++) {
        const imp_axis *axis = &r.sweep.grid.axes[r.sweep.refined[a]];
        CU_ASSERT_EQUAL_FATAL(axis->size, 513);
        CU_ASSERT(axis->refined);
        for (int64_t i = 0; i < axis->size; i++) {
            double node = imp_lattice_value(&plan->lattice, a, (double)(i << (31 - 9)));
            CU_ASSERT_EQUAL(axis->columns[0].values[i], node);
        }
    }
    CU_ASSERT_FALSE(r.sweep.grid.axes[1].refined);
    free_result(&r);
}

static void refinement_by_default(void) {
    static const int bases[] = {0, 0, 6, 5, 3};
    static const char *const ranges = "{param: angle, from: 0.1, to: 1}, {param: friction, from: "
                                      "0.1, to: 1}, {param: stiffness_ratio, from: 0.1, to: 1}, "
                                      "{param: mass, from: 1, to: 2}";
    for (int axes = 2; axes <= 4; axes++) {
        imp_text text = {0};
        int length = 0;
        for (int n = 0; n < axes; n++) {
            length += (int)strcspn(ranges + length, "}") + 1;
            length += n + 1 < axes && ranges[length] == ',';
        }
        imp_text_print(&text, PENDULUM "axes: [%.*s]\nfixed: {%s%s}\nrefine: {boundary: 1e-3}\n",
                       length, ranges, axes < 3 ? "stiffness_ratio: 1, " : "",
                       axes < 4 ? "mass: 1" : "");
        result r = expect_good(read_text(imp_text_get(&text)));
        CU_ASSERT_EQUAL(r.sweep.refine.lattice.n_axes, axes);
        CU_ASSERT_EQUAL(r.sweep.refine.base, bases[axes]);
        CU_ASSERT_EQUAL(r.sweep.refine.depth, bases[axes]);
        CU_ASSERT(r.sweep.refine.budget == 10000000 && r.sweep.refine.audit == 1000);
        CU_ASSERT_EQUAL(r.sweep.refine.rules[0].output, imp_theory_output(r.sweep.theory, "mode"));
        free_result(&r);
        imp_text_free(&text);
    }
}

static void hidden_theory(void) {
    result r = expect_good(read_text("model: null\naxes: [{param: x, from: 1, to: 3, points: 3},\n"
                                     "  {param: fault, values: [none, not_finite]}]\n"));
    CU_ASSERT_STRING_EQUAL(r.sweep.theory->name, "null");
    CU_ASSERT_EQUAL(imp_grid_cells(&r.sweep.grid), 6);
    CU_ASSERT_EQUAL(r.sweep.grid.axes[1].columns[0].values[1], 3);
    CU_ASSERT_EQUAL(r.sweep.n_fixed, 3); /* cost, y, fault_every */
    free_result(&r);
}

/* The limit itself is allowed. */
static void most_cells(void) {
    result r = expect_good(
        read_text(PENDULUM "axes: [{param: friction, from: 0, to: 1, points: 1048576},\n"
                           "  {param: stiffness_ratio, from: 1, to: 2, points: 1048576}]\n"
                           "fixed: {angle: 0.5}\n"));
    CU_ASSERT_EQUAL(imp_grid_cells(&r.sweep.grid), INT64_C(1) << 40);
    free_result(&r);
}

static void every_form(void) {
    result r = expect_good(read_text(everything));
    CU_ASSERT_EQUAL(imp_grid_cells(&r.sweep.grid), 27);
    CU_ASSERT_EQUAL(r.sweep.n_outputs, 2);
    free_result(&r);
}

/* ---- words ---- */

static void good_words(void) {
    static const char *const words[] = {"angle=30deg", "body=pendulum", "friction=0.3",
                                        "law=linear", "stiffness_ratio=1.21"};
    result r = expect_good(read_words("compliant", words, 5));
    CU_ASSERT_EQUAL(r.sweep.grid.n_axes, 0);
    CU_ASSERT_EQUAL(r.sweep.chosen[0], 3);
    CU_ASSERT_EQUAL(fixed_value(&r.sweep, "friction"), 0.3);
    CU_ASSERT_EQUAL(fixed_value(&r.sweep, "normal_speed"), 1);
    CU_ASSERT_EQUAL(r.sweep.n_fixed, 9);
    CU_ASSERT_EQUAL(r.sweep.n_outputs, imp_theory_find("compliant")->n_outputs - 5);
    free_result(&r);
}

static const struct bad_word {
    const char *name, *theory, *words[6], *expected;
} bad_words[] = {
    {"theory",
     "complient",
     {"x=1"},
     "error: unknown theory 'complient' (did you mean 'compliant'?)\n"},
    {"unknown keys",
     "compliant",
     {"body=pendulum", "frction=1", "angle=1", "stiffness_ratio=1", "outputs=mode",
      "precision=float32"},
     "argument 2: error: unknown parameter or choice 'frction' (did you mean 'friction'?)\n"
     "argument 5: error: unknown parameter or choice 'outputs', allowed: body, law, " ALL_PARAMETERS
     "argument 6: error: unknown parameter or choice 'precision', allowed: body, "
     "law, " ALL_PARAMETERS},
    {"form",
     "compliant",
     {"body=pendulum", "friction", "=1", "angle=1", "stiffness_ratio=1"},
     "argument 2: error: 'friction' is not of the form key=value\n"
     "argument 3: error: '=1' is not of the form key=value\n"
     "error: missing parameter 'friction' (range [0, inf), no default)\n"},
    {"duplicates",
     "compliant",
     {"body=pendulum", "friction=1", "angle=1", "body=rod", "stiffness_ratio=1", "friction=1"},
     "argument 4: error: duplicate key 'body'\nargument 6: error: duplicate key 'friction'\n"},
    {"values",
     "compliant",
     {"body=pendulum", "friction=12abc", "angle=0", "stiffness_ratio=", "law=hooke"},
     "argument 2: error: friction: '12abc' is not a number\n"
     "argument 4: error: stiffness_ratio: '' is not a number\n"
     "argument 5: error: unknown option 'hooke' of 'law', allowed: <laws>\n"},
    {"decimal comma",
     "compliant",
     {"body=pendulum", "friction=1,21", "angle=0,5", "stiffness_ratio=1"},
     "argument 2: error: friction: '1,21' is not a number: write a decimal point, not a comma\n"
     "argument 3: error: angle: '0,5' is not a number: write a decimal point, not a comma\n"},
    {"ranges",
     "compliant",
     {"body=pendulum", "friction=-1", "angle=0", "stiffness_ratio=1"},
     "argument 2: error: 'friction' is -1, outside its range [0, inf)\n"
     "argument 3: error: 'angle' is 0 rad (0 deg), outside its range (0, 1.570796) rad = "
     "(0, 90) deg\n"},
    {"does not apply",
     "compliant",
     {"friction=1", "angle=1", "stiffness_ratio=1", "b12=1", "body=pendulum"},
     "argument 4: error: 'b12' does not apply to body=pendulum; it applies to body=matrix\n"},
    {"nothing", "compliant", {NULL}, "error: missing choice 'body', allowed: <bodies>\n"},
    {"two ways to say the same",
     "compliant",
     {"body=pendulum", "friction=1", "poisson_ratio=0.3", "angle=1", "stiffness_ratio=1"},
     "argument 3: error: 'poisson_ratio' and 'stiffness_ratio' set the same value, give one of "
     "them\n"},
    {"missing",
     "compliant",
     {"body=sphere", "friction=1"},
     "error: missing parameter 'stiffness_ratio' (range (0, inf), no default), or 'poisson_ratio' "
     "in "
     "its place (range [0, 0.5])\n"
     "error: missing parameter 'velocity_ratio' (range (-inf, inf), no default)\n"},
};

static void wrong_words(void) {
    for (size_t i = 0; i < sizeof bad_words / sizeof *bad_words; i++) {
        const struct bad_word *bad = &bad_words[i];
        int n = 0;
        while (n < 6 && bad->words[n]) {
            n++;
        }
        expect_messages(bad->name, read_words(bad->theory, bad->words, n), bad->expected);
    }
}

/* ---- the loader of files ---- */

static void files(void) {
    char path[] = "/tmp/test_config_XXXXXX", *bytes = NULL;
    size_t length = 0, size = 200000; /* longer than one read */
    int made = mkstemp(path);
    CU_ASSERT_FATAL(made >= 0);
    char *text = malloc(size);
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    for (size_t i = 0; i < size; i++) {
        text[i] = (char)(i % 251);
    }
    CU_ASSERT_EQUAL(write(made, text, size), (ssize_t)size);
    close(made);
    CU_ASSERT_PTR_NULL(imp_file_loader.load(NULL, path, &bytes, &length));
    CU_ASSERT_EQUAL_FATAL(length, size);
    CU_ASSERT_EQUAL(memcmp(bytes, text, size), 0);
    CU_ASSERT_EQUAL(bytes[size], 0);
    free(bytes);
    free(text);
    unlink(path);
    const char *reason = imp_file_loader.load(NULL, path, &bytes, &length);
    CU_ASSERT_PTR_NOT_NULL_FATAL(reason);
    CU_ASSERT_STRING_EQUAL(reason, "No such file or directory");
    CU_ASSERT_PTR_NULL(bytes);
    reason = imp_file_loader.load(NULL, "/tmp", &bytes, &length);
    CU_ASSERT_PTR_NOT_NULL_FATAL(reason);
    CU_ASSERT_STRING_EQUAL(reason, "Is a directory");
    CU_ASSERT_PTR_NULL(bytes);
}

static void empty_file(void) {
    char *bytes = NULL;
    size_t length = 1;
    CU_ASSERT_PTR_NULL_FATAL(imp_file_loader.load(NULL, "/dev/null", &bytes, &length));
    CU_ASSERT_EQUAL(length, 0);
    CU_ASSERT_EQUAL(bytes[0], 0);
    free(bytes);
}

static const CU_TestInfo tests[] = {
    {"bad configs", bad_texts},
    {"binary configs", binary_config},
    {"missing config", missing_config},
    {"huge config", huge_config},
    {"deep configs", deep_configs},
    {"many errors", many_errors},
    {"two overrides", two_overrides},
    {"damaged configs", damaged_configs},
    {"fixed values", fixed_values},
    {"all outputs", all_outputs},
    {"chosen outputs", chosen_outputs},
    {"linear axes", linear_axes},
    {"log axes", log_axes},
    {"degrees", degrees},
    {"mixed units", mixed_units},
    {"choice axis", choice_axis},
    {"table axis", table_axis},
    {"table units", table_units},
    {"overrides replace", overrides_replace},
    {"refinement", refinement},
    {"refinement by default", refinement_by_default},
    {"hidden theory", hidden_theory},
    {"most cells", most_cells},
    {"every form", every_form},
    {"good words", good_words},
    {"wrong words", wrong_words},
    {"files", files},
    {"empty file", empty_file},
    CU_TEST_INFO_NULL,
};

int main(void) {
    if (CU_initialize_registry() != CUE_SUCCESS) {
        return 2;
    }
    CU_pSuite suite = CU_add_suite("config", NULL, NULL);
    for (const CU_TestInfo *test = tests; suite && test->pName; test++) {
        suite = CU_add_test(suite, test->pName, test->pTestFunc) ? suite : NULL;
    }
    if (!suite) {
        return 2;
    }
    CU_run_all_tests(); /* prints nothing, unlike the basic interface */
    unsigned failures = CU_get_number_of_failures();
    if (failures > 0) {
        CU_basic_show_failures(CU_get_failure_list());
        printf("\n");
    }
    CU_cleanup_registry();
    return failures > 0;
}
