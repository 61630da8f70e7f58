/* The description that a guest gives of itself, as the tables of a theory; README.md has its
 * members. */
#ifndef IMP_GUEST_DESCRIPTION_H
#define IMP_GUEST_DESCRIPTION_H

#include "base/first.h"
#include "base/text.h"
#include "base/tree.h"
#include "impact.h"

enum {
    IMP_GUEST_PROTOCOL = 1,
    IMP_GUEST_OPTIONS = 64,  /* of all choices together */
    IMP_GUEST_CODES = 256,   /* of all categories together */
    IMP_GUEST_BATCH = 17408, /* cells of a request at most, unless the description says less:
                                16384, every 16th of them twice */
    IMP_GUEST_TWICE = 16,    /* cells of which at least one is asked for twice, if there are no
                                fewer; the longest request has room for every 16th */
    IMP_GUEST_NAME = 63      /* characters of a name */
};

/* The texts of the tables are those of the tree. */
typedef struct imp_guest_tables {
    imp_output outputs[IMP_MAX_OUTPUTS]; /* callbacks find the guest by the outputs of the
                                            theory, which a copy of the theory has too */
    imp_theory theory;
    struct imp_guest *guest; /* that they describe */
    const char *name, *version;
    imp_parameter parameters[IMP_MAX_PARAMETERS]; /* all, in the order of a request */
    int n_parameters;
    int batch; /* cells of a request at most, those that stand twice among them */
    const imp_parameter *common[IMP_MAX_PARAMETERS]; /* those that apply under every choice */
    imp_choice choices[IMP_MAX_CHOICES];
    imp_option options[IMP_GUEST_OPTIONS];
    const imp_option *option_list[IMP_GUEST_OPTIONS];
    const imp_parameter *of_options[IMP_GUEST_OPTIONS][IMP_MAX_PARAMETERS];
    int n_options;
    imp_mode codes[IMP_GUEST_CODES];
    int n_codes;
    imp_json_tree tree;
} imp_guest_tables;
IMP_FIRST(imp_guest_tables, outputs);

/* Reads a description. Everything that is wrong is appended to `why`, a line each, without an end
 * of line behind the last; the result is then false. The owner calls imp_guest_tables_free in any
 * case. */
bool imp_guest_describe(const char *json, size_t length, imp_guest_tables *tables, imp_text *why);
void imp_guest_tables_free(imp_guest_tables *tables);

#endif
