#include "config/keys.h"

#include "config/follow.h"

/* The mapping {equals: FORMULA} in place of a value; NULL, and reports an error, if it is
 * another. */
static const yaml_node_t *formula_of(imp_draft *draft, const yaml_node_t *mapping) {
    imp_field field = {.name = "equals"};
    imp_document_fields(draft->document, mapping, "a fixed parameter", &field, 1);
    return field.value;
}

/* "= q1", in quotation marks or without. */
static bool is_formula(const yaml_node_t *node) {
    return node->type == YAML_SCALAR_NODE &&
           imp_follow_formula((const char *)node->data.scalar.value);
}

static void read_formula(imp_draft *draft, int parameter, imp_place key, const yaml_node_t *node) {
    const char *text = imp_document_text(draft->document, node, "equals");
    imp_place place = imp_document_place(draft->document, node);
    bool quoted = text && node->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
    imp_text formula = {0};
    bool signless = text && !imp_follow_formula(text);
    imp_text_print(&formula, "%s%s", signless ? "=" : "", text ? text : "");
    place.column += quoted;
    place.column -= signless; /* the formula begins before the sign that is added */
    imp_draft_fix(draft, parameter, key, place, text ? imp_text_get(&formula) : NULL);
    imp_text_free(&formula);
}

/* Fixes a parameter at "0.5", "30 deg", "= q1" or {equals: q1}. key: place of its name. */
static void fix(imp_draft *draft, int parameter, imp_place key, const yaml_node_t *value) {
    if (value->type == YAML_MAPPING_NODE) {
        value = formula_of(draft, value);
        if (value) {
            read_formula(draft, parameter, key, value);
        } else {
            imp_draft_mark_meant(draft, (imp_named){parameter, -1});
        }
    } else if (is_formula(value)) {
        read_formula(draft, parameter, key, value);
    } else {
        imp_draft_fix(
            draft, parameter, key, imp_document_place(draft->document, value),
            imp_document_number(draft->document, value, draft->parameter[parameter]->name));
    }
}

/* Checks what can be said of a value under a name that is unknown. */
static void check(imp_draft *draft, const char *name, const yaml_node_t *value) {
    imp_quantity quantity;
    if (value->type == YAML_SCALAR_NODE && value->data.scalar.length == 0) {
        return; /* the name may be half of a number with a decimal comma */
    }
    const yaml_node_t *node = value->type == YAML_MAPPING_NODE ? formula_of(draft, value) : value;
    const char *text = node ? imp_document_text(draft->document, node, name) : NULL;
    if (text && node == value && !is_formula(node)) {
        imp_draft_number(draft, -1, imp_document_place(draft->document, node), text, &quantity);
    }
}

/* Reports a parameter under `choose` or a choice under `fixed`. */
static void report_misplaced(imp_draft *draft, imp_place place, const char *name, imp_named named) {
    bool is_choice = named.choice >= 0;
    imp_draft_error(draft, place, "'%s' is a %s, write it under '%s'", name,
                    is_choice ? "choice" : "parameter", is_choice ? "choose" : "fixed");
    imp_draft_mark_meant(draft, named);
}

void imp_draft_read_pair(imp_draft *draft, const yaml_node_pair_t *pair, const char *name,
                         bool parameters, bool choices) {
    imp_document *document = draft->document;
    const yaml_node_t *value = imp_document_node(document, pair->value);
    imp_place key = imp_document_place(document, imp_document_node(document, pair->key));
    imp_named named = imp_draft_find(draft, name);
    if (named.choice < 0 && named.parameter < 0) {
        imp_draft_unknown(draft, key, name, parameters, choices);
        check(draft, name, value);
    } else if (named.choice >= 0 ? !choices : !parameters) {
        report_misplaced(draft, key, name, named);
    } else if (named.choice >= 0) {
        imp_draft_choose(draft, named.choice, key, imp_document_place(document, value),
                         imp_document_text(document, value, name));
    } else {
        fix(draft, named.parameter, key, value);
    }
}
