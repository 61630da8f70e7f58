/* The readers of the keys of a config, each a file. */
#ifndef IMP_CONFIG_KEYS_H
#define IMP_CONFIG_KEYS_H

#include "config/config.h"
#include "config/document.h"
#include "config/draft.h"
#include "config/guest.h"

/* ---- axes.c ---- */

/* Reads the axes into the draft's grid. Tables are loaded from the folder of the document. */
void imp_axes_read(imp_draft *draft, const imp_loader *loader, const yaml_node_t *node);

/* ---- cases.c: the mapping under the key `cases` of an axis, {NAME: {model: ..., choices and
 * parameters}}. Choices under `choose` belong to every case that knows them and does not make them
 * itself ---- */

/* The value of the key `cases` of the first axis that has it; NULL: none. */
const yaml_node_t *imp_cases_find(imp_document *document, const yaml_node_t *axes);

/* The words of --set. */
typedef struct imp_words {
    const char *const *word;
    int n;
} imp_words;

/* Reads the cases under `axes`, the choices for all of them (choose: the mapping, or NULL), and the
 * words that imp_cases_take; reports every error. If a case has no theory, no name or a choice that
 * is not made, the report says so (lost, unnamed), and the cases only serve to read the rest of the
 * config; NULL: there is none. The caller frees the cases. Guests among the theories are added to
 * *owned. */
imp_cases *imp_cases_read(imp_document *document, const imp_loader *loader, const yaml_node_t *axes,
                          const yaml_node_t *choose, const imp_words *words, imp_owned **owned);

/* Whether a word is read with the cases: it sets something in one of them ("springs.law=hertz"), or
 * it is a choice for all that do not make it themselves ("law=hertz"). */
bool imp_cases_take(const imp_cases *cases, const char *word);

/* ---- figure.c, figure_check.c: the figure of the map. It changes no result; its options are those
 * of postprocess/plot.py, which reads them from the file ---- */

/* Reads the mapping under `figure` into the draft and checks everything that does not need the
 * axes. */
void imp_figure_read(imp_draft *draft, const yaml_node_t *node);

/* Checks names and points against the axes and outputs of the resolved draft, and writes the
 * options into its sweep. Leaves out options for axes that --set removed. */
void imp_figure_resolve(imp_draft *draft);

/* ---- fixed.c ---- */

/* Reads a pair whose name is a parameter or a choice, of those that may stand here. */
void imp_draft_read_pair(imp_draft *draft, const yaml_node_pair_t *pair, const char *name,
                         bool parameters, bool choices);

/* ---- guest_read.c: the model of a config or of a case, a theory or a guest ---- */

/* model: the node of the name. keys[IMP_GUEST_KEYS]: of the mapping that the model stands in. A
 * guest runs in the folder of the document, and is added to *owned. NULL, and reports errors, if
 * there is no such theory. */
const imp_theory *imp_guest_or_theory(imp_document *document, const imp_loader *loader,
                                      const yaml_node_t *model, const char *name,
                                      const imp_field *keys, imp_owned **owned);

/* ---- refine.c: a lattice over the axes that are ranges, refined where outputs change
 *
 *     refine: {base: 64, depth: 12, boundary: 1.5e-5, budget: 5e6, audit: 1000,
 *              on: [mode, {output: energy_loss, level: 0.5}]} ---- */

/* Largest level of the smallest cells; largest number of first cells on all axes together, as a
 * power of 2. */
enum { IMP_MOST_DEPTH = 20, IMP_MOST_BASE_CELLS = 24 };

/* Reads the mapping under `refine`. Called before the axes are read, whose ranges then have no
 * points. */
void imp_refine_read(imp_draft *draft, const yaml_node_t *node);

/* Takes the axes that are ranges into the lattice and gives them the sizes of the flat grid. Called
 * before the draft is resolved. */
void imp_refine_take_axes(imp_draft *draft);

/* Checks that the outputs of the rules are stored, and that there is an axis for the events whose
 * tolerance is given. Called after the draft is resolved. */
void imp_refine_check(imp_draft *draft);

/* ---- search.c ---- */

/* Reads the block and makes its search, which the caller owns; `places` receives the places of its
 * ranges. uncertain: whose theory it is, or NULL. knows_outputs: the theory has all outputs that a
 * search can look at; otherwise the other keys are checked, and no search is made. NULL, and
 * reports errors, if the block is wrong. */
imp_search *imp_search_read(imp_document *document, const yaml_node_t *node,
                            const imp_theory *theory, const imp_uncertain *uncertain,
                            bool knows_outputs, imp_over_places places[IMP_MAX_OVER]);

/* ---- settings.c: keys that are one word: precision, write, cell_budget ---- */

/* The names of the settings. */
extern const char *const imp_setting_names[IMP_N_SETTINGS];

/* Reads the text of a setting into the draft; reports a setting that is wrong or given twice. */
void imp_setting_read(imp_draft *draft, int setting, imp_place place, const char *text);

/* ---- uncertain.c ---- */

/* Reads the uncertain parameters of a theory and reports every error; NULL if there are any. The
 * caller frees the result. by_replicate: the config has no axes, its cells are the replicates;
 * their number is then written to *replicates. */
imp_uncertain *imp_uncertain_read(imp_document *document, const imp_loader *loader,
                                  const yaml_node_t *node, const imp_theory *theory,
                                  bool by_replicate, int64_t *replicates,
                                  imp_uncertain_places *places);

#endif
