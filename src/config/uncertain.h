/* The key `uncertain` of a config. */
#ifndef IMP_CONFIG_UNCERTAIN_H
#define IMP_CONFIG_UNCERTAIN_H

#include "config/config.h"
#include "config/document.h"
#include "config/draft.h"

/* Reads the uncertain parameters of a theory and reports every error; NULL if there are any. The
 * caller frees the result. by_replicate: the config has no axes, its cells are the replicates;
 * their number is then written to *replicates. */
imp_uncertain *imp_uncertain_read(imp_document *document, const imp_loader *loader,
                                  const yaml_node_t *node, const imp_theory *theory,
                                  bool by_replicate, int64_t *replicates,
                                  imp_uncertain_places *places);

/* Adds the axis of the replicates to a draft without axes. */
void imp_uncertain_add_axis(imp_draft *draft, imp_place place, int64_t replicates);

#endif
