/* Reads a distribution of a parameter, as of samples and of uncertain parameters:
 * {distribution: uniform, from: 1, to: 2}, {distribution: normal, mean: 0.3, sd: 0.1, from: 0}. */
#ifndef IMP_CONFIG_DISTRIBUTION_H
#define IMP_CONFIG_DISTRIBUTION_H

#include "config/document.h"
#include "config/draft.h"
#include "num/distribution.h"

enum {
    IMP_SPREAD_DISTRIBUTION,
    IMP_SPREAD_FROM,
    IMP_SPREAD_TO,
    IMP_SPREAD_MEAN,
    IMP_SPREAD_SD,
    IMP_SPREAD_FIELDS
};

/* The fields of a mapping that describe a distribution, for imp_document_fields. */
void imp_distribution_fields(imp_field field[IMP_SPREAD_FIELDS]);

/* A distribution that is being read. node: the mapping, the place of errors about missing keys;
 * parameter: index in the draft, -1 where its name is unknown; plain: the numbers have no unit,
 * because they are relative; range: it is uniform without saying so, {from: 1, to: 2}. */
typedef struct imp_distribution_reader {
    imp_document *document;
    imp_draft *draft;
    const yaml_node_t *node;
    const imp_field *field;
    int parameter;
    bool plain, range;
} imp_distribution_reader;

/* Returns whether the distribution is complete and right; otherwise reports each error. */
bool imp_distribution_read(const imp_distribution_reader *reader, imp_distribution *distribution);

/* Appends "normal, mean 6.83e+10 Pa, standard deviation 7e+08 Pa, from 6e+10 Pa"; "uniform, 1 kg to
 * 2 kg". parameter: of the unit; NULL: plain numbers. */
void imp_distribution_print(const imp_distribution *distribution, const imp_parameter *parameter,
                            imp_text *text);

#endif
