/* Messages of the virtual world, and what else a rank asks its port. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sched/simulator_impl.h"

void drop_letters(post *letters) {
    while (letters->first) {
        letter *next = letters->first->next;
        free(letters->first);
        letters->first = next;
    }
    *letters = (post){0};
}

/* dies: when the sender dies: what it sent just before may be lost, and then all that follows. */
static double deliver(post *to, int tag, const void *bytes, size_t n, double dies) {
    letter *l = malloc(sizeof *l + n + 1);
    double delay = random_log(&w.random, w.delay / 30, w.delay * 3);
    *l = (letter){.arrives = fmax(to->latest, w.time) + delay, .tag = tag, .size = n};
    if (l->arrives > dies && chance(0.5)) {
        l->arrives = INFINITY;
    }
    to->latest = l->arrives;
    if (n > 0) {
        memcpy(l->bytes, bytes, n);
    }
    l->bytes[n] = 0;
    *(to->first ? to->end : &to->first) = l;
    to->end = &l->next;
    to->n++;
    return l->arrives;
}

/* Takes the first letter with this tag out, if it has arrived; the caller frees it. */
static letter *take(post *from, int tag) {
    for (letter **at = &from->first; *at && (*at)->arrives <= w.time; at = &(*at)->next) {
        letter *l = *at;
        if (l->tag == tag) {
            *at = l->next;
            from->end = from->end == &l->next ? at : from->end;
            from->n--;
            return l;
        }
    }
    return NULL;
}

/* ---- lies, which the simulator has to find ---- */

/* Rank 0 sends an order once more instead of a new one, or none. */
static bool corrupt_order(imp_interval *order) {
    static imp_interval last;
    bool hit = order->count > 0 && last.count > 0 && chance(0.05);
    if (w.mutation == HAND_OUT_TWICE && hit) {
        *order = last;
    }
    last = *order;
    return !(w.mutation == LOSE_ORDER && hit);
}

/* False: the message is lost. */
static bool corrupt_result(imp_result *head, imp_counts *counts) {
    const virtual_rank *r = &w.rank[w.actor];
    bool answers = head->kind == IMP_ANSWER && !head->error;
    if (w.mutation == FORGET_WRITTEN) {
        head->unsynced = 0;
    } else if (w.mutation == COUNT_TWICE && answers && r->map) {
        counts->outcomes[IMP_SOLVED] *= 2;
    } else if (w.mutation == FORGET_RETURNED && answers && !w.stopped) {
        head->returned = 0;
    } else if (w.mutation == LOSE_ANSWER && answers && chance(0.05)) {
        return false;
    } else if (w.mutation == LOSE_DEATH && head->kind == IMP_DEATH) {
        return false;
    }
    return true;
}

/* ---- rank 0 ---- */

/* Whether nothing but its cells can keep a rank from doing its duty. */
static bool is_sound(const virtual_rank *r) {
    return r->dies > w.time && r->stops > w.time && r->stuck_at < 0 && r->slowness <= 1;
}

/* A signal that has come to a rank is heard within two seconds. */
static void check_signals(int rank, imp_interval order) {
    for (int other = 0; order.count > 0 && other < w.ranks; other++) {
        const virtual_rank *r = &w.rank[other];
        if (is_sound(r) && w.time > r->signalled + 2) {
            violated("rank %d has an order, although a signal has come to rank %d", rank, other);
        }
    }
}

static void send_order(void *context, int rank, int tag, imp_buffer *message, size_t n) {
    virtual_rank *r = &w.rank[rank];
    imp_interval order = {0, 0};
    (void)context;
    if (r->forgotten || (r->ended && !r->dead)) {
        violated("a message to rank %d, which is lost or has left", rank);
    }
    if (n > 0) {
        memcpy(&order, message->bytes, sizeof order);
    }
    note("to rank %d: %s %lld + %lld", rank, tag == IMP_TAG_STOP ? "stop" : "order",
         (long long)order.first, (long long)order.count);
    if (r->in.n == IMP_QUEUED + 2 && !r->dead) {
        violated("too many messages to rank %d", rank);
    }
    if (tag == IMP_TAG_WORK && w.mutation != NO_MUTATION) {
        if (!corrupt_order(&order)) {
            return;
        }
        memcpy(message->bytes, &order, sizeof order);
    }
    if (tag == IMP_TAG_WORK) {
        check_signals(rank, order);
        deliver(&r->in, tag, message->bytes, n, INFINITY);
    } else if (w.mutation != LOSE_STOP) {
        r->stop_arrives = deliver(&r->in, tag, message->bytes, n, INFINITY);
    }
    /* Now and then rank 0 is held up, so that an order is answered before the next one is sent. */
    pass(chance(0.02) ? random_log(&w.random, 1e-6, 10 * (w.delay + w.cell_seconds)) : 1e-6);
}

double next_arrival(int rank, double after) {
    double first = INFINITY;
    for (int other = 1; rank == 0 && other < w.ranks; other++) {
        const virtual_rank *r = &w.rank[other];
        first = r->out.first && !r->forgotten ? fmin(first, r->out.first->arrives) : first;
    }
    for (const letter *l = w.rank[rank].in.first; l && first == INFINITY; l = l->next) {
        first = l->arrives > after ? l->arrives : first;
    }
    return first;
}

static const unsigned char *receive_result(void *context, int tag, int *rank, size_t *n) {
    virtual_rank *own = &w.rank[0], *from = NULL;
    (void)context;
    pass(1e-6);
    for (int other = 1; other < w.ranks; other++) {
        virtual_rank *r = &w.rank[other];
        const letter *l = r->forgotten ? NULL : r->out.first;
        if (l && l->arrives <= w.time && (!from || l->arrives < from->out.first->arrives)) {
            from = r;
        }
    }
    letter *l = from ? take(&from->out, tag) : NULL;
    if (!l) {
        return NULL;
    }
    free(own->opened);
    own->opened = (unsigned char *)l;
    *rank = (int)(from - w.rank);
    *n = l->size;
    return l->bytes;
}

static bool alive(void *context, int rank) {
    (void)context;
    return !w.rank[rank].watched || !w.rank[rank].ended;
}

/* Only ranks that are dead, stopped, stuck or slow keep rank 0 waiting for so long. */
static void forget(void *context, int rank, imp_loss why) {
    virtual_rank *r = &w.rank[rank];
    (void)context;
    note("rank %d is lost", rank);
    if (why == IMP_GIVEN_UP && is_sound(r)) {
        violated("rank %d is given up without a reason", rank);
    }
    if (why == IMP_ABANDONED && w.options.give_up == 0 && w.time >= TIME_LIMIT && r->dead &&
        r->dies < w.first_left) {
        violated("nobody has told that rank %d is dead", rank);
    }
    r->forgotten = true;
    w.stopped |= why == IMP_ABANDONED;
    w.result.given_up += why != IMP_DIED;
}

static void expect(void *context, double seconds, const char *text) {
    (void)context, (void)seconds, (void)text;
}

/* ---- the other ranks ---- */

static void send_result(void *context, int rank, int tag, imp_buffer *message, size_t n) {
    virtual_rank *r = &w.rank[w.actor];
    imp_result head;
    (void)context, (void)rank;
    while (!w.eager && r->out.n >= IMP_QUEUED && !r->forgotten && !is_outside()) {
        wait_for_lead();
    }
    if (is_outside()) {
        return;
    }
    memcpy(&head, message->bytes, sizeof head);
    if (head.kind == IMP_STOP_HEARD && r->tells) {
        violated("rank %d tells of its signal again", w.actor);
    }
    r->tells |= head.kind == IMP_STOP_HEARD;
    w.result.divided += head.kind == IMP_ANSWER && !head.error && head.returned > 0 && !w.stopped;
    note("from rank %d: kind %d, %lld + %lld, %lld left, %lld returned", w.actor, (int)head.kind,
         (long long)head.first, (long long)head.count, (long long)head.left,
         (long long)head.returned);
    if (corrupt_result(&head, (imp_counts *)(message->bytes + sizeof head))) {
        memcpy(message->bytes, &head, sizeof head);
        deliver(&r->out, tag, message->bytes, n, r->dies);
    }
}

/* A rank that has ended is told whatever ends its code. */
static const unsigned char *receive_order(void *context, int tag, int *rank, size_t *n) {
    static const imp_interval nothing;
    virtual_rank *r = &w.rank[w.actor];
    (void)context;
    *rank = 0;
    if (is_outside()) {
        *n = sizeof nothing;
        return (const unsigned char *)&nothing;
    }
    letter *l = take(&r->in, tag);
    if (!l) {
        r->looked = w.time;
        return NULL;
    }
    free(r->opened);
    r->opened = (unsigned char *)l;
    *n = l->size;
    return l->bytes;
}

/* A rank on a node without rank 0 learns of a death there; if it dies itself, another does. */
static int dead_neighbour(void *context) {
    (void)context;
    for (int rank = 1; !w.rank[w.actor].watched && !is_outside() && rank < w.ranks; rank++) {
        virtual_rank *r = &w.rank[rank];
        if (r->dead && !r->watched && (r->told_by == 0 || w.rank[r->told_by].dead)) {
            r->told_by = w.actor;
            return rank;
        }
    }
    return -1;
}

/* ---- both ---- */

static void rest(void *context, double seconds) {
    (void)context;
    doze(seconds);
}

static bool stop_wanted(void *context) {
    bool wanted = w.time >= w.rank[w.actor].signalled;
    (void)context;
    w.stopped |= wanted && !is_outside();
    return wanted || is_outside();
}

imp_port virtual_port(int rank) {
    return (imp_port){.rank = rank,
                      /* With other shares than rank 0 knows. */
                      .ranks = w.ranks + (w.mutation == DEAL_TWICE && rank > 0),
                      .rest = rest,
                      .send = rank == 0 ? send_order : send_result,
                      .receive = rank == 0 ? receive_result : receive_order,
                      .alive = alive,
                      .dead_neighbour = dead_neighbour,
                      .forget = forget,
                      .stop_wanted = stop_wanted,
                      .expect = expect};
}
