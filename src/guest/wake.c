/* The start of a guest, and the next ones. */
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/stop.h"
#include "guest/guest_impl.h"

/* A description may load libraries; it is at most a megabyte. */
static const double start_seconds = 120;
enum { MOST_BYTES = 1 << 20, ATTEMPTS = 6 };

/* Starts the process and reads its description. False: the reason is appended to `why`; *stopped:
 * because the run is to stop; *killed: because a signal ended the process. */
static bool start(imp_guest *guest, imp_text *line, imp_text *why, bool *stopped, bool *killed) {
    guest->process = imp_process_start(&guest->order.process, why);
    if (!guest->process) {
        return false;
    }
    guest->starts++;
    guest->number = 0;
    imp_talk talk = imp_process_line(guest->process, MOST_BYTES, line, start_seconds);
    if (talk == IMP_TALK_DONE) {
        return true;
    }
    *stopped = talk == IMP_TALK_STOPPED;
    imp_text_print(why,
                   talk == IMP_TALK_LATE ? "was silent for %.0f s"
                                         : "did not describe itself by a line of JSON",
                   start_seconds);
    *killed = imp_process_end(&guest->process,
                              talk == IMP_TALK_ENDED ? IMP_CLOSE_GONE : IMP_CLOSE_FORCED, why);
    return false;
}

static void wait_for_attempt(int k) {
    imp_pause(k ? 0.05 * (1 << k) / 2 : 0);
}

bool imp_guest_begin(imp_guest *guest, imp_text *why, bool *stopped) {
    bool good = false, killed = true;
    for (int k = 0; !good && killed && !*stopped && k < ATTEMPTS; k++) {
        imp_text_free(why);
        imp_text_free(&guest->description);
        killed = false;
        wait_for_attempt(k);
        good = start(guest, &guest->description, why, stopped, &killed);
    }
    return good;
}

/* One attempt to start it again. */
static bool restart(imp_guest *guest, imp_text *why, bool *stopped) {
    imp_text line = {0};
    bool killed, good = start(guest, &line, why, stopped, &killed);
    bool same = good && line.length == guest->description.length &&
                memcmp(imp_text_get(&line), imp_text_get(&guest->description), line.length) == 0;
    if (good && !same) {
        imp_text_print(why, "described itself in another way than at its first start");
        imp_process_end(&guest->process, IMP_CLOSE_FORCED, NULL);
    }
    imp_text_free(&line);
    return same;
}

imp_err imp_guest_wake(imp_guest *guest) {
    bool stopped = false;
    imp_text why = {0};
    for (int k = 0; !guest->process && !stopped && k < ATTEMPTS; k++) {
        imp_text_free(&why);
        wait_for_attempt(k);
        if (!restart(guest, &why, &stopped)) {
            stopped = stopped || imp_stop_wanted();
        }
    }
    imp_err error = guest->process ? IMP_OK
                    : stopped      ? IMP_ERR_STOPPED
                              : imp_fail(IMP_ERR_LIBRARY, "the guest %s %s", guest->tables->name,
                                         imp_text_get(&why));
    imp_text_free(&why);
    return error;
}
