#include "support/rods.h"

#include "support/random.h"

void rods_draw(const batch *b) {
    random_source source = {541};
    for (size_t i = 0; i < b->n; i++) {
        batch_in(b, "angle")[i] = random_between(&source, -1.2, 1.2);
        batch_in(b, "velocity_ratio")[i] = i % 6 ? random_between(&source, -1.5, 1.5) : 0;
        batch_in(b, "friction")[i] = random_between(&source, 0, 1);
        batch_in(b, "damping")[i] = i % 3 ? random_between(&source, 0, 3) : 0;
        batch_in(b, "exponent")[i] = i % 4 ? 1 : random_between(&source, 1, 2.5);
        batch_in(b, "mass")[i] = random_log(&source, 0.3, 3);
        batch_in(b, "length")[i] = random_log(&source, 0.7, 2);
        batch_in(b, "normal_stiffness")[i] = random_log(&source, 1e3, 1e5);
    }
}
