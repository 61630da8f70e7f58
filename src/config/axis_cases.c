/* {cases: {springs: {model: compliant}, stronge: {model: rigid, law: energetic}}} */
#include <string.h>

#include "config/axis_impl.h"

/* The cases are read before the axes, because they are the theory of the config; see cases.c. */
static bool read_cases(imp_axis_reader *r) {
    const yaml_node_t *node = r->field[IMP_AXIS_CASES].value;
    const imp_cases *cases = r->draft->sweep.cases;
    imp_named named;
    if (!node || !cases ||
        !imp_draft_add_column(r->draft, imp_document_place(r->document, node), "case", &named)) {
        return cases != NULL;
    }
    r->axis->size = imp_cases_count(cases);
    memcpy(r->axis->name, r->axis->columns[0].name, sizeof r->axis->name);
    bool good = imp_draft_allocate(r->draft, 0, r->axis->size);
    for (int64_t i = 0; good && i < r->axis->size; i++) {
        r->axis->columns[0].values[i] = (double)i;
        imp_draft_next_origins(r->draft)->marks[i] = imp_axis_mark(node);
    }
    return true;
}

const imp_axis_kind imp_axis_cases = {
    .called = "'cases'",
    .key = IMP_AXIS_CASES,
    .allowed = IMP_AXIS_BIT(CASES),
    .needed = IMP_AXIS_BIT(CASES),
    .read = read_cases,
};
