/* Vectors of three numbers. */
#ifndef IMP_REFINE_VECTOR_H
#define IMP_REFINE_VECTOR_H

static inline double imp_dot(const double *a, const double *b) {
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

static inline void imp_difference(const double *a, const double *b, double *to) {
    for (int i = 0; i < 3; i++) {
        to[i] = a[i] - b[i];
    }
}

/* The product of the ways from one place to two others: twice the area between them. */
static inline void imp_cross(const double *from, const double *one, const double *other,
                             double *to) {
    double a[3], b[3];
    imp_difference(one, from, a);
    imp_difference(other, from, b);
    to[0] = a[1] * b[2] - a[2] * b[1];
    to[1] = a[2] * b[0] - a[0] * b[2];
    to[2] = a[0] * b[1] - a[1] * b[0];
}

#endif
