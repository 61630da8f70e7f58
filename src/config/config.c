#include "config/config.h"

#include <stdlib.h>
#include <string.h>

#include "config/keys.h"
#include "config/document.h"
#include "config/draft.h"
#include "config/variables.h"
#include "config/words.h"

enum {
    MODEL,
    COMMAND,
    CELL_TIME,
    MEMORY_LIMIT,
    VARIABLES,
    UNCERTAIN,
    SEARCH,
    REFINE,
    CHOOSE,
    AXES,
    FIXED,
    OUTPUTS,
    FIGURE,
    SETTINGS,
    N_KEYS = SETTINGS + IMP_N_SETTINGS
};

/* Reads the pairs of `choose` or `fixed`; *place: where a missing pair belongs. */
static void read_pairs(imp_draft *draft, const imp_field *field, bool is_choice, imp_place *place) {
    if (!field->value) {
        draft->incomplete = draft->incomplete || field->given;
        return;
    }
    if (!imp_document_is(draft->document, field->value, YAML_MAPPING_NODE,
                         is_choice ? "'choose'" : "'fixed'")) {
        draft->incomplete = true;
        return;
    }
    *place = imp_document_place(draft->document, field->value);
    IMP_EACH_PAIR(pair, field->value) {
        const char *name = imp_document_key(draft->document, pair);
        if (name) {
            imp_draft_read_pair(draft, pair, name, !is_choice, is_choice);
        }
    }
}

static void read_output(imp_draft *draft, const yaml_node_t *node) {
    const imp_theory *theory = draft->sweep.theory;
    const char *name = imp_document_text(draft->document, node, "outputs");
    if (!name) {
        return;
    }
    int output = imp_theory_output(theory, name);
    if (output < 0 && draft->searchless) {
        return;
    }
    if (output < 0) {
        const char *names[IMP_MAX_OUTPUTS];
        for (int o = 0; o < theory->n_outputs; o++) {
            names[o] = theory->outputs[o].name;
        }
        imp_report_unknown(draft->report, imp_document_place(draft->document, node), "output", name,
                           "", names, (size_t)theory->n_outputs);
    } else if (draft->is_wanted[output]) {
        imp_document_error(draft->document, node, "the output '%s' is listed twice", name);
    } else {
        draft->is_wanted[output] = true;
        draft->wanted[output] = imp_document_place(draft->document, node);
    }
}

static void read_outputs(imp_draft *draft, const yaml_node_t *list) {
    draft->all_outputs = false;
    int n = imp_document_some(draft->document, list, "'outputs'",
                              "list at least one (or leave the key out for all)");
    for (int i = 0; i < n; i++) {
        read_output(draft, imp_document_item(draft->document, list, i));
    }
}

static void read_setting(imp_draft *draft, int setting, const yaml_node_t *node) {
    const char *text = imp_document_text(draft->document, node, imp_setting_names[setting]);
    if (text) {
        imp_setting_read(draft, setting, imp_document_place(draft->document, node), text);
    }
}

static void read_parts(imp_draft *draft, const imp_loader *loader, const imp_field *field,
                       int64_t replicates) {
    if (!draft->sweep.cases) { /* theirs have been read with them */
        read_pairs(draft, &field[CHOOSE], true, &draft->choices_place);
    }
    if (replicates > 0) {
        imp_place place = imp_document_place(draft->document, field[UNCERTAIN].value);
        const char *name = imp_parameter_replicate.name;
        imp_draft_end_axis(draft, imp_draft_add_numbers(draft, place, name, replicates));
    } else if (field[AXES].value) {
        imp_axes_read(draft, loader, field[AXES].value);
    } else if (field[AXES].given) {
        draft->incomplete = true;
    }
    read_pairs(draft, &field[FIXED], false, &draft->parameters_place);
    if (field[OUTPUTS].value) {
        read_outputs(draft, field[OUTPUTS].value);
    }
    if (field[FIGURE].value) {
        imp_figure_read(draft, field[FIGURE].value);
    }
    for (int k = 0; k < IMP_N_SETTINGS; k++) {
        if (field[SETTINGS + k].value) {
            read_setting(draft, k, field[SETTINGS + k].value);
        }
    }
}

/* The theory under `model`; NULL, and reports an error, if there is none. A guest is added to
 * *owned. */
static const imp_theory *read_model(imp_document *document, const imp_loader *loader,
                                    const yaml_node_t *root, const imp_field *field,
                                    imp_owned **owned) {
    if (!field->given) {
        imp_document_error(document, root, "missing key 'model', the name of a theory");
    }
    const char *name = imp_field_text(document, field);
    return name ? imp_guest_or_theory(document, loader, field->value, name, &field[COMMAND - MODEL],
                                      owned)
                : NULL;
}

/* The cases under `axes`, which have their own models; NULL: one of them lacks a theory. */
static imp_cases *read_cases(imp_document *document, const imp_loader *loader,
                             const imp_field *field, const imp_words *words, imp_owned **owned) {
    const yaml_node_t *choose = field[CHOOSE].value;
    for (int k = MODEL; k <= MEMORY_LIMIT; k++) {
        if (field[k].given) {
            imp_document_error(document, field[k].key,
                               "'%s' does not go with cases, each of which has its own",
                               field[k].name);
        }
    }
    if (choose && !imp_document_is(document, choose, YAML_MAPPING_NODE, "'choose'")) {
        choose = NULL;
    }
    return imp_cases_read(document, loader, field[AXES].value, choose, words, owned);
}

/* {tilt: rad} */
static void read_variables(imp_document *document, const yaml_node_t *node,
                           imp_declared *declared) {
    if (!node || !imp_document_is(document, node, YAML_MAPPING_NODE, "'variables'") ||
        !imp_variables_begin(declared)) {
        return;
    }
    IMP_EACH_PAIR(pair, node) {
        const char *name = imp_document_key(document, pair);
        const yaml_node_t *value = imp_document_node(document, pair->value);
        const char *unit = name ? imp_document_text(document, value, name) : NULL;
        if (unit) {
            imp_place place = imp_document_place(document, imp_document_node(document, pair->key));
            imp_variables_add(declared, place, name, imp_document_place(document, value), unit);
        }
    }
    imp_variables_end(declared);
}

/* Whether the config has no axes: of uncertain parameters the replicates are then the cells. */
static bool lacks_axes(const imp_field *field) {
    const yaml_node_t *list = field->value;
    return !field->given || (list && list->type == YAML_SEQUENCE_NODE &&
                             list->data.sequence.items.start == list->data.sequence.items.top);
}

/* Reads the key `uncertain` into *theory; places: of its parameters and outputs; *replicates: the
 * cells of a sweep of replicates, 0 if it has axes. */
static imp_uncertain *read_uncertain(imp_document *document, const imp_loader *loader,
                                     const imp_field fields[N_KEYS], const imp_theory **theory,
                                     imp_uncertain_places *places, int64_t *replicates) {
    bool by_replicate = lacks_axes(&fields[AXES]);
    imp_uncertain *uncertain = imp_uncertain_read(document, loader, fields[UNCERTAIN].value,
                                                  *theory, by_replicate, replicates, places);
    *theory = uncertain ? imp_uncertain_theory(uncertain) : *theory;
    *replicates = uncertain && by_replicate ? *replicates : 0;
    return uncertain;
}

static void take_places(imp_draft *draft, const imp_uncertain_places *places) {
    draft->uncertain = *places;
    for (int p = 0; p < places->n_paths; p++) {
        draft->paths[draft->n_paths++] = places->paths[p];
    }
}

/* Variables, uncertain parameters and a search come first: they determine the names that can be
 * chosen, swept and stored. If one of them is wrong, missing and superfluous names are not
 * reported. A refinement comes before the axes, whose ranges then have no points. */
static void begin(imp_draft *draft, imp_document *document, const imp_loader *loader,
                  const imp_theory *theory, const yaml_node_t *root, const imp_field fields[N_KEYS],
                  int64_t *replicates) {
    imp_over_places places[IMP_MAX_OVER];
    imp_uncertain_places uncertain_places = {.n_paths = 0};
    imp_declared declared = {.report = document->report, .theory = theory};
    const imp_field *field = &fields[SEARCH], *refine = &fields[REFINE];
    read_variables(document, fields[VARIABLES].value, &declared);
    const imp_theory *made = declared.theory;
    imp_uncertain *uncertain =
        fields[UNCERTAIN].value
            ? read_uncertain(document, loader, fields, &made, &uncertain_places, replicates)
            : NULL;
    bool unknown = (fields[UNCERTAIN].given && !uncertain) || document->report->unnamed;
    imp_search *search =
        field->value ? imp_search_read(document, field->value, made, uncertain, !unknown, places)
                     : NULL;
    imp_draft_begin(draft, search ? imp_search_theory(search) : made,
                    imp_document_place(document, root), document->report);
    draft->document = document;
    draft->sweep.search = search;
    draft->sweep.uncertain = uncertain;
    take_places(draft, &uncertain_places);
    imp_variables_own(draft, &declared);
    draft->searchless = unknown || (field->given && !search);
    if (search) {
        memcpy(draft->over, places, sizeof places);
    }
    draft->refining = refine->given;
    if (refine->value) {
        imp_refine_read(draft, refine->value);
    }
}

/* The theory of the model, or of *cases; one that has nothing if it is unknown, which has been
 * reported: it serves to check what does not depend on it. */
static const imp_theory *find_theory(imp_document *document, const imp_loader *loader,
                                     const imp_words *words, const yaml_node_t *root,
                                     const imp_field *field, imp_cases **cases, imp_owned **owned) {
    static const imp_theory nothing = {.name = "unknown"};
    const imp_theory *theory = NULL;
    if (imp_cases_find(document, field[AXES].value)) {
        *cases = read_cases(document, loader, field, words, owned);
        theory = *cases ? imp_cases_theory(*cases) : NULL;
    } else {
        theory = read_model(document, loader, root, field, owned);
    }
    if (!theory) {
        document->report->lost = document->report->unnamed = true;
    }
    return theory ? theory : &nothing;
}

/* Reads the keys of the config. */
static void read_root(imp_document *document, const imp_loader *loader, const imp_words *words,
                      imp_draft *draft) {
    static const char *const names[SETTINGS] = {
        "model",  "command", "cell_time", "memory_limit", "variables", "uncertain", "search",
        "refine", "choose",  "axes",      "fixed",        "outputs",   "figure"};
    imp_field field[N_KEYS];
    for (int k = 0; k < N_KEYS; k++) {
        field[k] = (imp_field){.name = k < SETTINGS ? names[k] : imp_setting_names[k - SETTINGS]};
    }
    const yaml_node_t *root = imp_document_node(document, 1);
    if (!root) {
        imp_report_error(document->report, imp_file_place(document->path, 1, 1),
                         "the config is empty, a mapping with the key 'model' is expected");
        return;
    }
    if (!imp_document_is(document, root, YAML_MAPPING_NODE, "a config")) {
        return;
    }
    imp_document_fields(document, root, "the config", field, N_KEYS);
    size_t before = document->report->total;
    imp_owned *owned = NULL;
    imp_cases *cases = NULL;
    const imp_theory *theory = find_theory(document, loader, words, root, field, &cases, &owned);
    int64_t replicates = 0;
    bool wrong = document->report->lost || (cases && document->report->total > before);
    begin(draft, document, loader, theory, root, field, &replicates);
    draft->sweep.cases = cases;
    draft->sweep.owned = owned;
    draft->incomplete = draft->incomplete || wrong;
    read_parts(draft, loader, field, replicates);
}

static void read_overrides(imp_draft *draft, const imp_words *words) {
    for (int i = 0; i < words->n; i++) {
        imp_place place = {.kind = IMP_FROM_OVERRIDE, .source = words->word[i]};
        if (!draft->sweep.cases || !imp_cases_take(draft->sweep.cases, words->word[i])) {
            imp_word_read(draft, place, words->word[i], imp_override_take);
        }
    }
}

/* Reads the text of a config into a draft. */
static void read_text(const imp_loader *loader, const char *path, const char *bytes, size_t length,
                      const imp_words *words, imp_draft *draft) {
    imp_document document;
    if (imp_document_open(&document, path, bytes, length, draft->report)) {
        read_root(&document, loader, words, draft);
        imp_document_close(&document);
        draft->document = NULL;
    }
}

/* Reads the config and checks it as a whole. */
static void read_config(const imp_loader *loader, const char *path, const imp_words *words,
                        imp_draft *draft) {
    char *bytes = NULL;
    size_t length = 0;
    const char *reason = loader->load(loader->context, path, &bytes, &length);
    if (reason) {
        draft->report->unread = imp_load_failed(reason);
        imp_draft_error(draft, imp_file_place(path, 1, 1), "cannot read the config: %s", reason);
    } else {
        read_text(loader, path, bytes, length, words, draft);
    }
    if (draft->sweep.theory) {
        read_overrides(draft, words);
        imp_refine_take_axes(draft);
        imp_draft_resolve(draft);
        imp_refine_check(draft);
        imp_figure_resolve(draft);
    }
    free(bytes);
}

/* A draft takes 100 kB, too much for a small stack. */
imp_err imp_config_read(const imp_loader *loader, const char *path, const char *const *overrides,
                        int n_overrides, imp_sweep *sweep, imp_text *messages) {
    imp_report report = {.n = 0};
    imp_draft *draft = calloc(1, sizeof *draft);
    *sweep = (imp_sweep){.theory = NULL};
    if (!draft) {
        imp_report_memory(&report);
        return imp_report_finish(&report, messages);
    }
    draft->report = &report;
    read_config(loader, path, &(imp_words){overrides, n_overrides}, draft);
    imp_err error = imp_draft_finish(draft, sweep, messages);
    free(draft);
    return error;
}
