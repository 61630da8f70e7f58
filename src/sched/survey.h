/* What a map holds when a run begins. */
#ifndef IMP_SCHED_SURVEY_H
#define IMP_SCHED_SURVEY_H

#include "sched/ledger.h"
#include "sched/tally.h"
#include "store/map.h"

/* Counts the cells that are done, and adds those that are pending to the ledger. IMP_ERR_MEMORY, and
 * errors of reading. */
imp_err imp_survey(imp_map *map, imp_ledger *ledger, imp_tally *tally);

#endif
