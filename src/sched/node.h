/* The ranks of a node: a flag that they share, and news of which of them live. */
#ifndef IMP_SCHED_NODE_H
#define IMP_SCHED_NODE_H

#include <signal.h>
#include <stdbool.h>

/* Collective over all ranks. Returns the flag that the ranks of this node share; NULL if sharing is
 * not possible: then nothing is known about them either. */
volatile sig_atomic_t *imp_node_open(void);

/* Whether the process of this rank lives. True also for ranks that cannot be watched, such as those
 * of other nodes. Takes a microsecond. */
bool imp_node_alive(int rank);

/* Whether this rank can be watched; whether every rank of the job can. */
bool imp_node_watches(int rank);
bool imp_node_is_all(void);

/* The first dead rank; -1: none is known. */
int imp_node_dead(void);

/* The rank after this one among the living ranks of the node, if it has died; each once; otherwise
 * -1. So every death is noticed by a rank of the node, whichever else die. */
int imp_node_dead_neighbour(void);

/* Ends the process of another rank of this node, even if it is stopped or hangs. */
void imp_node_kill(int rank);

#endif
