/* A worker: computes what rank 0 orders, and answers. */
#ifndef IMP_SCHED_WORKER_H
#define IMP_SCHED_WORKER_H

#include "sched/port.h"
#include "sched/sched.h"

/* imp_run_worker with a port and a map that the caller opens. map: of a rank that writes itself;
 * otherwise NULL. error: an earlier one, which rank 0 is told. */
imp_err imp_work(const imp_sweep *sweep, imp_map *map, imp_err error,
                 const imp_run_options *options, const imp_port *port);

#endif
