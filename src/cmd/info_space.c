#include "cmd/info.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cmd/cmd.h"
#include "num/distribution.h"
#include "num/exponential.h"
#include "solve/uncertain/uncertain.h"

static const double level = 0.95;

/* What the replicates say about the modes. */
typedef struct space {
    const imp_catalog *catalog;
    const imp_variable *mode, *share, *first_at, *changes;
    char names[16 * IMP_NAME]; /* of the parameters, cut into words */
    const char *parameter[IMP_MAX_UNCERTAIN];
    int n_parameters, n_modes;
    int64_t replicates, draws; /* cells that are done; draws of each */
    double *value;             /* of the output at hand: by replicate and place */
    bool *done;
} space;

/* Cuts the names of the parameters into words. */
static void read_names(space *s, const char *members) {
    snprintf(s->names, sizeof s->names, "%s", members);
    for (char *name = strtok(s->names, " "); name && s->n_parameters < IMP_MAX_UNCERTAIN;
         name = strtok(NULL, " ")) {
        s->parameter[s->n_parameters++] = name;
    }
}

/* The draws of a replicate that count, from the words of the attribute. */
static int64_t read_draws(const imp_catalog *catalog) {
    const char *words = imp_catalog_words(catalog, "uncertain"), *at = strstr(words, " points");
    while (at && at > words && at[-1] >= '0' && at[-1] <= '9') {
        at--;
    }
    int64_t draws = at ? strtoll(at, NULL, 10) : 0;
    /* Of each group the first and the last count. */
    return draws * (at && strstr(at, ", indices") ? 2 : 1);
}

/* Whether the map is one of replicates, with the outputs that are needed. */
static bool find_parts(const imp_contents *c, space *s) {
    const imp_variable *grid = imp_catalog_grid(c->catalog);
    const imp_variable *dimension = imp_catalog_find(c->catalog, "uncertain_parameter");
    *s = (space){.catalog = c->catalog, .mode = c->mode};
    s->share = imp_catalog_find(c->catalog, "mode_share");
    s->first_at = imp_catalog_find(c->catalog, "mode_first_at");
    s->changes = imp_catalog_find(c->catalog, "mode_changes");
    bool good = grid && grid->rank == 1 && strcmp(grid->dimensions[0], "replicate") == 0 &&
                s->mode && s->share && s->first_at && s->changes && dimension;
    if (good) {
        read_names(s, dimension->members);
        s->n_modes = (int)imp_catalog_length(c->catalog, s->share);
        s->draws = read_draws(c->catalog);
        good = s->n_parameters > 0 && s->draws > 0 && s->n_modes <= IMP_MAX_FLAGS &&
               imp_catalog_length(c->catalog, s->changes) == s->n_parameters &&
               imp_catalog_length(c->catalog, s->first_at) == (int64_t)s->n_modes * s->n_parameters;
    }
    return good;
}

/* Reads an output of all replicates. */
static imp_err read(space *s, const imp_variable *variable) {
    return imp_catalog_read(s->catalog, variable, 0, variable->size, s->value);
}

static imp_err begin(space *s) {
    const imp_variable *grid = imp_catalog_grid(s->catalog);
    size_t most = (size_t)grid->size * (size_t)(s->n_modes * s->n_parameters + 1);
    s->value = malloc(most * sizeof *s->value);
    s->done = malloc((size_t)grid->size * sizeof *s->done);
    if (!s->value || !s->done) {
        return imp_out_of_memory();
    }
    imp_err error = read(s, grid);
    for (int64_t r = 0; !error && r < grid->size; r++) {
        s->done[r] = s->value[r] == IMP_SOLVED;
        s->replicates += s->done[r];
    }
    return error;
}

/* Mean and its standard error over the replicates, at place k of an output of `length` places. */
static void mean_at(const space *s, int length, int k, double *mean, double *error) {
    int64_t all = imp_catalog_grid(s->catalog)->size;
    double sum = 0, square = 0, n = (double)s->replicates;
    for (int64_t r = 0; r < all; r++) {
        sum += s->done[r] ? s->value[r * length + k] : 0;
    }
    *mean = sum / n;
    for (int64_t r = 0; r < all; r++) {
        double off = s->value[r * length + k] - *mean;
        square += s->done[r] ? off * off : 0;
    }
    *error = n > 1 ? sqrt(square / (n - 1) / n) : NAN;
}

/* A region of which no draw was met has less than this part of the space, with 95 %. */
static double unseen(const space *s) {
    return -imp_log(1 - level) / ((double)s->replicates * (double)s->draws);
}

static double interval(const space *s, double mean, double error) {
    int freedom = s->replicates < 1 << 20 ? (int)s->replicates - 1 : 1 << 20;
    bool agree = error == 0 || mean == 0 || mean == 1;
    return agree         ? unseen(s)
           : freedom < 1 ? NAN
                         : imp_student_quantile(freedom < 1000 ? freedom : 1000, level) * error;
}

/* ---- output ---- */

/* The name of mode number m; the code 0, `none`, is not among them. */
static const char *name_of(const space *s, int m) {
    int flag = m + (s->mode->n_flags > 0 && s->mode->codes[0] == 0);
    return flag < s->mode->n_flags ? s->mode->flags[flag] : "?";
}

static void say_share(const space *s, imp_json *json, int m, double mean, double width) {
    const char *name = name_of(s, m);
    if (json) {
        imp_json_begin_frame(json, name, false);
        imp_json_number(json, "share", mean);
        imp_json_number(json, "bound", width);
    } else {
        imp_say(stdout, "share          %-26s %15.7g  +- %.2g (95 %%)\n", name, mean, width);
    }
}

/* The first draw with a mode, as words of `impactsweep cell`. */
static void say_example(const space *s, imp_json *json, int m) {
    int64_t all = imp_catalog_grid(s->catalog)->size;
    int length = s->n_modes * s->n_parameters, at = m * s->n_parameters;
    int64_t r = 0;
    while (r < all && !(s->done[r] && !isnan(s->value[r * length + at]))) {
        r++;
    }
    imp_text words = {0};
    for (int k = 0; r < all && k < s->n_parameters; k++) {
        imp_text_print(&words, "%s%s=%.17g", k ? " " : "", s->parameter[k],
                       s->value[r * length + at + k]);
    }
    if (json) {
        imp_json_string(json, "example", imp_text_get(&words));
        imp_json_end_frame(json, false);
    } else if (words.length > 0) {
        imp_say(stdout, "  example      %s\n", imp_text_get(&words));
    }
    imp_text_free(&words);
}

static imp_err say_modes(space *s, imp_json *json) {
    double mean[IMP_MAX_FLAGS], width[IMP_MAX_FLAGS];
    imp_err error = read(s, s->share);
    for (int m = 0; !error && m < s->n_modes; m++) {
        double spread;
        mean_at(s, s->n_modes, m, &mean[m], &spread);
        width[m] = interval(s, mean[m], spread);
    }
    error = error ? error : read(s, s->first_at);
    imp_json_begin_frame(json, "modes", false);
    for (int m = 0; !error && m < s->n_modes; m++) {
        say_share(s, json, m, mean[m], width[m]);
        say_example(s, json, m);
    }
    imp_json_end_frame(json, false);
    return error;
}

static imp_err say_changes(space *s, imp_json *json) {
    imp_err error = read(s, s->changes);
    imp_json_begin_frame(json, "changes", false);
    for (int k = 0; !error && k < s->n_parameters; k++) {
        double mean, spread;
        mean_at(s, s->n_parameters, k, &mean, &spread);
        if (json) {
            imp_json_number(json, s->parameter[k], mean);
        } else if (!isnan(mean)) {
            imp_say(stdout, "across         %-26s %15.4g  changes of mode along its range\n",
                    s->parameter[k], mean);
        }
    }
    imp_json_end_frame(json, false);
    return error;
}

static void say_size(const space *s, imp_json *json) {
    if (json) {
        imp_json_whole(json, "draws", s->replicates * s->draws);
        imp_json_number(json, "unseen", unseen(s));
    } else {
        printf("space          %d uncertain parameters, %s draws; a region of more than %.2g of it "
               "has been met with 95 %%\n",
               s->n_parameters, imp_count(s->replicates * s->draws).text, unseen(s));
    }
}

imp_err imp_info_space(const imp_contents *contents, imp_json *json) {
    space s;
    if (!find_parts(contents, &s)) {
        return IMP_OK;
    }
    imp_err error = begin(&s);
    if (!error && s.replicates > 0) {
        imp_json_begin_frame(json, "space", false);
        say_size(&s, json);
        error = say_modes(&s, json);
        error = error ? error : say_changes(&s, json);
        imp_json_end_frame(json, false);
    }
    free(s.value);
    free(s.done);
    return error;
}
