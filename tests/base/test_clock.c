/* Clocks run forward, and a pause passes without using the processor. */
#include <time.h>

#include "base/clock.h"
#include "support/suite.h"

static void pauses(void) {
    double elapsed = imp_seconds_elapsed(), processor = imp_seconds_processor();
    imp_pause(0.02);
    elapsed = imp_seconds_elapsed() - elapsed;
    processor = imp_seconds_processor() - processor;
    CHECK(elapsed >= 0.02, "a pause of 0.02 s took %g s", elapsed);
    CHECK(processor >= 0 && processor < elapsed, "%g s of the processor in %g s", processor,
          elapsed);
}

static void pauses_grow(void) {
    static const struct {
        double shortest, waited, pause;
    } cases[] = {{20e-6, 0, 20e-6},
                 {20e-6, 1e-3, 20e-6},
                 {20e-6, 0.032, 0.5e-3},
                 {20e-6, 10, 1e-3},
                 {2e-3, 10, 2e-3}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double pause = imp_next_pause(cases[i].shortest, cases[i].waited);
        CHECK(pause == cases[i].pause, "after %g s a pause of %g s, not of %g s", cases[i].waited,
              pause, cases[i].pause);
    }
}

static void calendar(void) {
    double before = (double)time(NULL), now = imp_seconds_utc();
    CHECK(now >= before - 1 && now <= (double)time(NULL) + 1, "%.17g is not now", now);
}

SUITE("clock", pauses, pauses_grow, calendar)
