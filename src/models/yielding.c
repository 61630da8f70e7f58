/* C. Thornton, Coefficient of restitution for collinear collisions of elastic-perfectly plastic
 * spheres, J. Appl. Mech. 64 (1997) 383: Hertz's force up to yield, then a linear force of constant
 * pressure, then unloading by Hertz's law with the flattened radius. */
#include "models/yielding.h"

#include <math.h>

#include "num/larger.h"

double imp_yielding(double speed, double yield_speed) {
    const double least = 1e-300; /* a restitution above 0 stays above 0 */
    double y = yield_speed / speed;
    if (!(y < 1)) {
        return 1;
    }
    y = imp_larger(y, least);
    double scale = sqrt(6 * sqrt(3) / 5), square = y * y;
    double flat = y / (y + 2 * sqrt(1.2 - square / 5));
    return scale * sqrt(1 - square / 6) * sqrt(sqrt(flat));
}

void imp_yield(double *restitution, const double *speed, const double *yield_speed, size_t n) {
    for (size_t i = 0; yield_speed && i < n; i++) {
        restitution[i] *= imp_yielding(speed[i], yield_speed[i]);
    }
}
