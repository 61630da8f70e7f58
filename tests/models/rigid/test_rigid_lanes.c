/* The same bits for every width of registers, every number of cells and every place in a block. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "models/rigid/block.h"
#include "models/rigid/laws.h"
#include "num/lanes/gather.h"
#include "num/lanes/width.h"
#include "support/random.h"
#include "support/suite.h"

typedef void solve_block(int law, imp_rigid_block *block, size_t n);
#define DECLARE(lanes) solve_block imp_rigid_solve_##lanes;
IMP_WIDTHS(DECLARE)

/* Now and then at rest, constrained, or without friction. */
static imp_rigid_problem draw(random_source *source) {
    double a = random_log(source, 0.1, 10), lean = random_between(source, -0.99, 0.99);
    double kind = random_between(source, 0, 1);
    imp_rigid_problem p = {.a = a,
                           .c = lean * sqrt(a),
                           .determinant = a * (1 - lean) * (1 + lean),
                           .v_t = kind < 0.1 ? 0 : random_between(source, -3, 3),
                           .e = random_between(source, 0, 1),
                           .friction = kind > 0.95 ? 0 : random_between(source, 0, 2),
                           .weight = {random_between(source, 0, 2), random_between(source, 0, 2)}};
    if (kind > 0.1 && kind < 0.3) {
        p.a = p.c * p.c;
        p.v_t = -p.c;
        p.constrained = true;
    }
    return p;
}

static void enter(imp_rigid_block *b, size_t at, const imp_rigid_problem *p) {
    IMP_STORE_COLUMNS(p, IMP_RIGID_BLOCK, at, &b->problem);
    b->impulse[at] = 1;
}

static bool same(const imp_rigid_block *a, size_t i, const imp_rigid_block *b, size_t k) {
    imp_rigid_result one, other;
    imp_rigid_path path, other_path;
    IMP_LOAD_COLUMNS(&a->result, IMP_RIGID_BLOCK, i, &one);
    IMP_LOAD_COLUMNS(&a->path, IMP_RIGID_BLOCK, i, &path);
    IMP_LOAD_COLUMNS(&b->result, IMP_RIGID_BLOCK, k, &other);
    IMP_LOAD_COLUMNS(&b->path, IMP_RIGID_BLOCK, k, &other_path);
    return memcmp(&one, &other, sizeof one) == 0 && memcmp(&path, &other_path, sizeof path) == 0;
}

/* Solves the last n cells of a block as the first ones of another, by one width. */
static void check_by(solve_block *by, int lanes, int law, const imp_rigid_block *whole,
                     const imp_rigid_problem *p, size_t n) {
    imp_rigid_block part = {.want_path = true};
    size_t first = IMP_RIGID_BLOCK - n;
    for (size_t i = 0; i < n; i++) {
        enter(&part, i, &p[first + i]);
    }
    by(law, &part, n);
    for (size_t i = 0; i < n; i++) {
        CHECK(same(whole, first + i, &part, i), "law %d, %d lanes, cell %zu of %zu", law, lanes, i,
              n);
    }
}

static void check_block(int law, random_source *source) {
    imp_rigid_problem p[IMP_RIGID_BLOCK];
    imp_rigid_block whole = {.want_path = true};
    for (size_t i = 0; i < IMP_RIGID_BLOCK; i++) {
        p[i] = draw(source);
        enter(&whole, i, &p[i]);
    }
    imp_rigid_solve(law, &whole, IMP_RIGID_BLOCK);
    for (size_t n = 1; n <= IMP_RIGID_BLOCK; n += 9) {
#define CHECK_WIDTH(lanes)                                                                         \
    if (lanes <= imp_lane_width()) {                                                               \
        check_by(imp_rigid_solve_##lanes, lanes, law, &whole, p, n);                               \
    }
        IMP_WIDTHS(CHECK_WIDTH)
    }
}

static void widths(void) {
    random_source source = {511};
    for (int k = 0; k < 40; k++) {
        for (int law = 0; law < IMP_RIGID_N_LAWS; law++) {
            check_block(law, &source);
        }
    }
}

SUITE("rigid lanes", widths)
