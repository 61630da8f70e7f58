/* {cases: {springs: {model: compliant}, stronge: {model: rigid, law: energetic}}} */
#include "config/axis_impl.h"

/* The cases are read before the axes, because they are the theory of the config; see cases.c. */
static bool read_cases(imp_axis_reader *r) {
    const yaml_node_t *node = r->field[IMP_AXIS_CASES].value;
    const imp_cases *cases = r->draft->sweep.cases;
    if (node && cases) {
        imp_draft_add_numbers(r->draft, imp_document_place(r->document, node), "case",
                              imp_cases_count(cases));
    }
    return cases != NULL;
}

const imp_axis_kind imp_axis_cases = {
    .called = "'cases'",
    .key = IMP_AXIS_CASES,
    .needed = IMP_AXIS_BIT(CASES),
    .read = read_cases,
};
