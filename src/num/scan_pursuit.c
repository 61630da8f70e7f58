/* Pursuits of many points at a time. */
#include <math.h>
#include <stdlib.h>

#include "num/scan_impl.h"

static const double golden = 0.61803398874989485;

void imp_scan_add(imp_scan *scan, const imp_pursuit *pursuit) {
    if (scan->n_pursuits == scan->pursuit_room) {
        int room = 2 * scan->pursuit_room + 64;
        imp_pursuit *moved = realloc(scan->pursuit, (size_t)room * sizeof *moved);
        if (!moved) {
            scan->failed = true;
            return;
        }
        scan->pursuit = moved;
        scan->pursuit_room = room;
    }
    scan->pursuit[scan->n_pursuits++] = *pursuit;
}

/* Leads at most IMP_PROBES_AT_ONCE pursuits to their ends, each by one point in a round. */
static void pursue(const imp_scan_interval *interval, bool witnesses, imp_pursuit *pursuit,
                   int count, imp_pursuit_next *next, imp_pursuit_take *take) {
    imp_probe probe[IMP_PROBES_AT_ONCE];
    imp_pursuit *asks[IMP_PROBES_AT_ONCE];
    size_t n;
    do {
        n = 0;
        for (imp_pursuit *p = pursuit; p < pursuit + count; p++) {
            p->ended = p->ended || !next(p);
            if (!p->ended) {
                probe[n] = (imp_probe){.x = p->x, .line = p->line};
                asks[n++] = p;
            }
        }
        if (n > 0) {
            interval->measure(interval->context, witnesses, n, probe);
        }
        for (size_t k = 0; k < n; k++) {
            take(asks[k], &probe[k]);
        }
    } while (n > 0);
}

void imp_scan_pursue(imp_scan *scan, bool witnesses, imp_pursuit_next *next,
                     imp_pursuit_take *take) {
    for (int first = 0; first < scan->n_pursuits; first += IMP_PROBES_AT_ONCE) {
        int left = scan->n_pursuits - first;
        pursue(&scan->interval, witnesses, scan->pursuit + first,
               left < IMP_PROBES_AT_ONCE ? left : IMP_PROBES_AT_ONCE, next, take);
    }
}

bool imp_golden_next(imp_pursuit *p, int steps, bool keep_low) {
    bool opening = p->step < 2;
    if (!opening && (p->b - p->a <= p->tolerance || p->step - 2 >= steps)) {
        return false;
    }
    p->at_low = opening ? p->step == 0 : keep_low;
    if (!opening && keep_low) {
        p->b = p->high.x;
        p->high = p->low;
    } else if (!opening) {
        p->a = p->low.x;
        p->low = p->high;
    }
    p->x = p->at_low ? p->b - golden * (p->b - p->a) : p->a + golden * (p->b - p->a);
    p->step++;
    return true;
}

void imp_golden_take(imp_pursuit *p, const imp_probe *probe) {
    *(p->at_low ? &p->low : &p->high) = *probe;
}

bool imp_narrow_next(imp_pursuit *p) {
    p->x = imp_scan_middle(p->low.x, p->high.x);
    return !p->met && p->step++ < IMP_SCAN_BISECTIONS && p->high.x - p->low.x > p->tolerance &&
           p->x > p->low.x && p->x < p->high.x;
}

static bool is_alike(const imp_probe *one, const imp_probe *other) {
    return one->code == other->code || (one->code < 0 && other->code < 0);
}

void imp_narrow_take(imp_pursuit *p, const imp_probe *probe) {
    bool low = is_alike(probe, &p->low);
    if (low || is_alike(probe, &p->high)) {
        *(low ? &p->low : &p->high) = *probe;
        p->tolerance = probe->dear ? INFINITY : p->tolerance;
    } else {
        p->found = *probe;
        p->met = true;
    }
}
