/* The cells of a guest: requests of a size that takes little time, halved where one fails until the
 * guilty cell is known. */
#include <math.h>

#include "base/clock.h"
#include "guest/guest_impl.h"
#include "models/signature.h"

/* A request should take about this long: then neither the exchange counts, nor does a failure cost
 * much. A cell that fails alone is asked for again, because something else may have ended its
 * guest; one that is too slow is not. */
static const double short_request = 0.025, long_request = 0.1;
enum { FIRST_PIECE = 64, ATTEMPTS = 3, MOST_SAID = 5 };

static void say_cell(const imp_guest_job *job, size_t i, const char *why) {
    imp_guest *guest = job->guest;
    const imp_guest_tables *t = guest->tables;
    guest->failures++;
    if (guest->n_said++ >= MOST_SAID) {
        return;
    }
    imp_text_print(&guest->said, "guest_failed:");
    for (int c = 0; c < t->theory.n_choices; c++) {
        const imp_choice *choice = &t->choices[c];
        imp_text_print(&guest->said, " %s=%s", choice->name,
                       choice->options[job->instance->chosen[c]]->name);
    }
    for (int p = 0; p < t->n_parameters; p++) {
        if (job->in[p]) {
            imp_text_print(&guest->said, " %s=%.17g", t->parameters[p].name, job->in[p][i]);
        }
    }
    imp_text_print(&guest->said, ": the guest %s\n", why);
}

static imp_err settle(const imp_guest_job *job, size_t first, size_t n);

/* Of a request that was answered: says at which cells the guest failed by its own account. Each is
 * asked for alone, so that the last words of the guest are about it. */
static imp_err say_failed(const imp_guest_job *job, size_t first, size_t n) {
    imp_err error = IMP_OK;
    for (size_t i = first; !error && i < first + n; i++) {
        if (job->outcome[i] != IMP_GUEST_FAILED) {
            continue;
        }
        if (n > 1 && job->guest->n_said < MOST_SAID) {
            error = settle(job, i, 1);
            continue;
        }
        imp_text why = {0};
        imp_text_print(&why, "failed at this cell");
        imp_process_last_words(job->guest->process, &why);
        say_cell(job, i, imp_text_get(&why));
        imp_text_free(&why);
    }
    return error;
}

static imp_err settle(const imp_guest_job *job, size_t first, size_t n) {
    bool failed = true, hung = false;
    imp_err error = IMP_OK;
    imp_text why = {0};
    for (int k = 0; !error && failed && !hung && k < (n > 1 ? 1 : ATTEMPTS); k++) {
        imp_text_free(&why);
        error = imp_guest_ask(job, first, n, &failed, &hung, &why);
    }
    if (!error && !failed) {
        error = say_failed(job, first, n);
    } else if (!error && n > 1) {
        size_t half = n / 2;
        error = settle(job, first, half);
        error = error ? error : settle(job, first + half, n - half);
    } else if (!error) {
        job->outcome[first] = IMP_GUEST_FAILED;
        say_cell(job, first, imp_text_get(&why));
    }
    imp_text_free(&why);
    return error;
}

/* The size of the next request. It grows by the least time of a cell, because a busy machine makes
 * requests long that are not. */
static void adapt(imp_guest *guest, size_t asked, double seconds) {
    size_t most = (size_t)guest->tables->theory.batch;
    double each = seconds / (double)asked;
    guest->least_seconds = each < guest->least_seconds ? each : guest->least_seconds;
    if (guest->least_seconds * (double)guest->piece < short_request && asked == guest->piece) {
        guest->piece *= 2;
    } else if (seconds > long_request && guest->piece > 1) {
        guest->piece /= 2;
        guest->least_seconds = each;
    }
    guest->piece = guest->piece > most ? most : guest->piece;
}

imp_err imp_guest_solve(const imp_instance *instance, size_t n, const double *const *in,
                        double *const *out, uint8_t *outcome) {
    /* The tables begin with their outputs. */
    const imp_guest_tables *t = (const imp_guest_tables *)instance->theory->outputs;
    imp_guest_job job = {.guest = t->guest, .instance = instance, .out = out, .outcome = outcome};
    imp_signature signature = imp_signature_of(instance->theory, instance->chosen);
    for (int p = 0; p < t->n_parameters; p++) {
        int place = imp_signature_find(&signature, t->parameters[p].name);
        job.in[p] = place >= 0 ? in[place] : NULL;
    }
    imp_guest *guest = job.guest;
    pthread_mutex_lock(&guest->lock);
    if (guest->piece == 0) {
        guest->piece = FIRST_PIECE;
        guest->least_seconds = INFINITY;
    }
    imp_err error = IMP_OK;
    for (size_t first = 0, asked; !error && first < n; first += asked) {
        asked = n - first < guest->piece ? n - first : guest->piece;
        double start = imp_seconds_elapsed();
        error = settle(&job, first, asked);
        adapt(guest, asked, imp_seconds_elapsed() - start);
    }
    pthread_mutex_unlock(&guest->lock);
    return error;
}

void imp_guest_say(imp_owned *owned, imp_text *text) {
    imp_guest *guest = (imp_guest *)owned;
    imp_text_append(text, imp_text_get(&guest->said), guest->said.length);
    if (guest->failures > MOST_SAID) {
        imp_text_print(text, "guest_failed: %lld cells more\n",
                       (long long)(guest->failures - MOST_SAID));
    }
    if (guest->unlike > 0) {
        imp_text_print(text,
                       "not_repeated: the guest %s gave %lld of %lld cells another answer when it "
                       "was asked again\n",
                       guest->tables->name, (long long)guest->unlike, (long long)guest->audited);
    }
    imp_text_free(&guest->said);
    guest->failures = guest->n_said = 0;
    guest->unlike = guest->audited = 0;
}
