#include "models/beam/elements.h"

#include <math.h>

double imp_beam_rigid_mode(const imp_beam_mesh *mesh, int number, double position) {
    if (mesh->boundary == IMP_BEAM_FREE) {
        return number == 0 ? 1 : sqrt(12.0) * (position - 0.5);
    }
    double left = mesh->pin, right = 1 - mesh->pin;
    return (position - mesh->pin) / sqrt((left * left * left + right * right * right) / 3);
}

int imp_beam_place_nodes(const imp_beam_mesh *mesh, double *node) {
    int n = mesh->elements;
    int left = (int)(mesh->pin * n + 0.5);
    bool inside = mesh->pin > 0 && mesh->pin < 1;
    left += inside && left == 0;
    left -= inside && left == n;
    if (inside && (left == 0 || mesh->pin * n < 0.01 || (1 - mesh->pin) * n < 0.01)) {
        return -1;
    }
    for (int i = 0; i <= n; i++) {
        node[i] = i < left
                      ? mesh->pin * i / left
                      : mesh->pin + (1 - mesh->pin) * (i - left) / (n - left > 0 ? n - left : 1);
    }
    node[left] = mesh->pin;
    node[n] = 1;
    return left;
}

int imp_beam_list_free(const imp_beam_mesh *mesh, int pinned, int *list) {
    int last = mesh->elements, n = 0;
    for (int i = 0; i <= last; i++) {
        bool end = i == 0 || i == last;
        bool held = (mesh->boundary == IMP_BEAM_PINNED && i == pinned) ||
                    (mesh->boundary == IMP_BEAM_CLAMPED && i == 0) ||
                    (mesh->boundary == IMP_BEAM_PINNED_PINNED && end);
        bool stiff = mesh->boundary == IMP_BEAM_CLAMPED && i == 0;
        if (!held) {
            list[n++] = 2 * i;
        }
        if (!stiff) {
            list[n++] = 2 * i + 1;
        }
    }
    return n;
}

void imp_beam_weights(const imp_beam_mesh *mesh, const double *node, double position, int *first,
                      double weight[4]) {
    int e = 0, end = mesh->elements;
    while (end - e > 1) {
        int middle = (e + end) / 2;
        if (position < node[middle]) {
            end = middle;
        } else {
            e = middle;
        }
    }
    double h = node[e + 1] - node[e], x = (position - node[e]) / h;
    weight[0] = 1 - x * x * (3 - 2 * x);
    weight[1] = h * x * (1 - x) * (1 - x);
    weight[2] = x * x * (3 - 2 * x);
    weight[3] = -h * x * x * (1 - x);
    *first = 2 * e;
}
