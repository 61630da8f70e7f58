/* The linear law for one cell, which an observer may watch, and for blocks of cells. */
#include "models/compliant/bilinear_stick_impl.h"
#include "models/compliant/block.h"
#include "num/lanes/width.h"

imp_compliant_result imp_compliant_linear_solve(const imp_compliant_problem *problem,
                                                imp_compliant_memory *memory) {
    linear_contact alone;
    begin_contact(&alone, problem, memory, true);
    run_contacts(&alone, 1);
    return end_contact(&alone);
}

imp_compliant_result imp_compliant_bilinear_solve(const imp_compliant_problem *problem,
                                                  imp_compliant_memory *memory) {
    return solve_bilinear(problem, memory, true);
}

/* ---- blocks ---- */

/* Where a contact that slips at first stands on the way from one that halts at once, 0, to one that
 * never does, 1: by the normal impulse until it halts, over that until the indentation turns. */
static double way_to_halt(const imp_compliant_block *b, size_t i) {
    double mu = b->problem.mu[i], v_t = b->problem.v_t[i];
    double c = v_t < 0 ? -b->problem.c[i] : b->problem.c[i];
    double braking = mu * (b->problem.a[i] - 1) - c * (1 - mu * mu), q = 1 - mu * c;
    double halt = (fabs(v_t) - mu) * q / braking;
    return braking > 0 && q > 0 ? halt / (1 + halt) : 1;
}

/* Lanes wait for the slowest: cells whose keys are near pass through the same phases, mostly, and a
 * free body whose tangential motion is much the faster one takes many steps in stick. */
static double key_of(const imp_compliant_block *b, size_t i) {
    const double most_even = 50;
    double speed = fabs(b->problem.v_t[i]), mu = b->problem.mu[i], a = b->problem.a[i];
    bool constrained = b->problem.constrained[i] != 0, inelastic = b->problem.restitution[i] < 1;
    double uneven = constrained ? 1 : a * a / b->problem.determinant[i];
    double kind = (inelastic ? 4 : 0) + (constrained ? 2 : 0);
    if (b->exists[i] == 0 || uneven > most_even) {
        return b->exists[i] == 0 ? INFINITY : uneven;
    }
    return kind + (speed < mu ? 1 - speed / mu : 1 + way_to_halt(b, i));
}

/* Shell's sort. */
static void sort_by(const double *key, size_t n, size_t *cell) {
    static const size_t gaps[] = {57, 23, 10, 4, 1};
    for (size_t g = 0; g < sizeof gaps / sizeof *gaps; g++) {
        for (size_t i = gaps[g]; i < n; i++) {
            size_t moved = cell[i], to = i;
            for (; to >= gaps[g] && key[cell[to - gaps[g]]] > key[moved]; to -= gaps[g]) {
                cell[to] = cell[to - gaps[g]];
            }
            cell[to] = moved;
        }
    }
}

/* Cells that differ from the one before in friction and in velocity too; in most maps there are
 * none. */
static size_t strangers_of(const imp_compliant_block *b, size_t n) {
    size_t strangers = 0;
    for (size_t i = 1; i < n; i++) {
        strangers += (b->problem.mu[i] != b->problem.mu[i - 1]) &
                     (b->problem.v_t[i] != b->problem.v_t[i - 1]);
    }
    return strangers;
}

/* Only where the keys rise and fall again and again are cells sorted: neighbours of a map are
 * alike. */
static imp_compliant_order order_of(const imp_compliant_block *b, size_t n) {
    imp_compliant_order order = {.apart = false};
    double key[IMP_COMPLIANT_BLOCK];
    size_t changes = 0, many = n / 8;
    bool sorted = strangers_of(b, n) > many;
    for (size_t i = 0; i < IMP_COMPLIANT_BLOCK; i++) {
        order.cell[i] = i;
    }
    for (size_t i = 0; sorted && i < n; i++) {
        key[i] = key_of(b, i);
        changes += i >= 2 && (key[i] > key[i - 1]) != (key[i - 1] > key[i - 2]);
    }
    order.apart = changes > many;
    if (order.apart) {
        sort_by(key, n, order.cell);
    }
    return order;
}

IMP_EACH_WIDTH(imp_compliant_linear_solve_block,
               (imp_compliant_block * block, size_t n, const imp_compliant_order *order),
               imp_lane_width(), (block, n, order))

void imp_compliant_linear_solve_blocks(imp_compliant_block *block, size_t n, void *room) {
    (void)room;
    imp_compliant_order order = order_of(block, n);
    imp_compliant_linear_solve_block(block, n, &order);
}
