/* The closed form of the linear pendulum (Birlik 2012), one cell after another. usage: closed_form
 * CELLS */
#include "pendulum.h"

static pendulum_result closed_form(double angle, double mu, double eta) {
    double t = tan(angle), k = mu * eta * t;
    double loss = 2 * mu * (1 - k) / ((t + mu) * (1 + k));
    if (k >= 1) {
        return (pendulum_result){"gross_stick", 1};
    }
    if (eta * mu * t * t + (1 + 3 * eta * mu * mu) * t - mu <= 0) {
        return (pendulum_result){"wedge", NAN};
    }
    return (pendulum_result){"slip_stick_slip_reversed", sqrt(1 - loss)};
}

int main(int n, char **words) {
    if (n < 2) {
        return 2;
    }
    cells c = cells_read(words[1]);
    double start = seconds_now();
    for (size_t i = 0; i < c.n; i++) {
        c.result[i] = closed_form(c.angle[i], c.friction[i], c.ratio[i]);
    }
    cells_print(&c, seconds_now() - start);
    return 0;
}
