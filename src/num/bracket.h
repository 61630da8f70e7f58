/* An interval that contains a root and shrinks point by point; every search for a root between two
 * ends uses one. The caller evaluates the function, often a state after a step, and decides when
 * the root is found; the bracket decides where to look next. */
#ifndef IMP_NUM_BRACKET_H
#define IMP_NUM_BRACKET_H

#include <stdbool.h>

typedef struct imp_bracket {
    double low, high;
} imp_bracket;

static inline double imp_bracket_middle(const imp_bracket *b) {
    return (b->low + b->high) / 2;
}

/* Whether x lies strictly inside. Where the ends are neighbouring doubles no x does. */
static inline bool imp_bracket_holds(const imp_bracket *b, double x) {
    return x > b->low && x < b->high;
}

/* x becomes an end: the low one if the root lies above x, otherwise the high one. */
static inline void imp_bracket_cut(imp_bracket *b, double x, bool root_above) {
    if (root_above) {
        b->low = x;
    } else {
        b->high = x;
    }
}

/* A guess, for example by Newton's method, if it is inside; otherwise the middle. */
static inline double imp_bracket_next(const imp_bracket *b, double guess) {
    return imp_bracket_holds(b, guess) ? guess : imp_bracket_middle(b);
}

/* False position by the Illinois rule: the value of an end that stays a second time is halved. The
 * value is positive at the low end and not at the high one. Source: M. Dowell and P. Jarratt, BIT
 * 11 (1971) 168. */
typedef struct imp_chord {
    imp_bracket ends;
    double low_value, high_value;
    int stays; /* 1: the last point became the low end, -1: the high end; 0: no point yet */
} imp_chord;

/* The zero of the chord through both ends; because of rounding not always inside. */
static inline double imp_chord_next(const imp_chord *c) {
    double width = c->ends.high - c->ends.low;
    return c->ends.high - c->high_value * width / (c->high_value - c->low_value);
}

static inline void imp_chord_cut(imp_chord *c, double x, double value) {
    bool above = value > 0;
    imp_bracket_cut(&c->ends, x, above);
    if (above) {
        c->low_value = value;
        c->high_value /= c->stays > 0 ? 2 : 1;
    } else {
        c->high_value = value;
        c->low_value /= c->stays < 0 ? 2 : 1;
    }
    c->stays = above ? 1 : -1;
}

#endif
