/* One request and its answer. All numbers are doubles in the byte order of the machine:
 *     request: number, n, the option of each choice; then each parameter for n cells
 *     answer:  number, n, how many numbers follow; then n outcomes, each output for n cells */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "guest/guest_impl.h"
#include "models/signature.h"
#include "num/alike.h"

enum { HEAD = 3, AUDIT_ONE_OF = 128, AUDIT_FROM = 16 };

/* Cells that are asked for a second time stand behind the others. */
typedef struct request {
    const imp_guest_job *job;
    size_t first, n, repeated; /* cells; those of them that are asked for twice */
    size_t *cell;              /* the repeated ones, counted from `first` */
    size_t values;             /* of one cell in the answer: outcome and outputs */
} request;

static bool reserve(double **memory, size_t *room, size_t wanted) {
    if (*room >= wanted) {
        return true;
    }
    double *more = realloc(*memory, wanted * sizeof *more);
    *memory = more ? more : *memory;
    *room = more ? wanted : *room;
    return more != NULL;
}

/* A cell is audited or not by its own values, whatever it is solved with. */
static bool is_audited(const imp_guest_job *job, size_t i) {
    uint64_t hash = UINT64_C(0x9e3779b97f4a7c15);
    for (int p = 0; p < job->guest->tables->n_parameters; p++) {
        hash ^= job->in[p] ? (uint64_t)imp_bits(job->in[p][i]) : 0;
        hash *= UINT64_C(0xff51afd7ed558ccd);
        hash ^= hash >> 32;
    }
    return hash % AUDIT_ONE_OF == 0;
}

/* A request of several cells has at least one that is asked for twice. */
static void choose_audited(request *r) {
    for (size_t i = 0; i < r->n; i++) {
        if (is_audited(r->job, r->first + i)) {
            r->cell[r->repeated++] = i;
        }
    }
    if (r->repeated == 0 && r->n >= AUDIT_FROM) {
        r->cell[r->repeated++] = r->n / 2;
    }
}

static bool write_request(const request *r, size_t *length) {
    imp_guest *guest = r->job->guest;
    const imp_guest_tables *t = guest->tables;
    size_t all = r->n + r->repeated, choices = (size_t)t->theory.n_choices;
    *length = 2 + choices + all * (size_t)t->n_parameters;
    if (!reserve(&guest->request, &guest->request_room, *length)) {
        return false;
    }
    double *at = guest->request;
    *at++ = ++guest->number;
    *at++ = (double)all;
    for (size_t c = 0; c < choices; c++) {
        *at++ = r->job->instance->chosen[c];
    }
    for (int p = 0; p < t->n_parameters; p++, at += all) {
        const double *values = r->job->in[p] ? r->job->in[p] + r->first : NULL;
        for (size_t i = 0; i < all; i++) {
            size_t cell = i < r->n ? i : r->cell[i - r->n];
            at[i] = values ? values[cell] : (double)NAN;
        }
    }
    return true;
}

/* ---- the answer ---- */

/* Takes the outcomes; false: the guest gave one that does not exist. */
static bool take_outcomes(const request *r, const double *given) {
    bool good = true;
    for (size_t i = 0; i < r->n; i++) {
        bool known = given[i] >= IMP_SOLVED && given[i] <= IMP_LIBRARY_ERROR;
        int outcome = known ? (int)given[i] : 0;
        good = good && known && outcome == given[i];
        r->job->outcome[r->first + i] = (uint8_t)outcome;
    }
    return good;
}

/* The values that are not reals are codes that exist. */
static bool check_codes(const request *r, const imp_output *output, const double *values) {
    const imp_theory *theory = &r->job->guest->tables->theory;
    const uint8_t *outcome = r->job->outcome + r->first;
    size_t length = imp_output_length(output);
    int n;
    bool good = true;
    imp_output_categories(theory, output, &n);
    double most = output->kind == IMP_SEQUENCE ? 9007199254740991.0 : n;
    double least = output->kind == IMP_SEQUENCE ? 0 : 1;
    for (size_t i = 0; i < r->n * length; i++) {
        double value = values[i];
        bool fits = value >= least && value <= most && floor(value) == value;
        good = good && (fits || outcome[i / length] != IMP_SOLVED);
    }
    return good;
}

/* A solved cell has finite values where its mode defines the output; otherwise it is not solved.
 * mode: NULL: there are none. */
static void check_reals(const request *r, const imp_output *output, const double *mode,
                        const double *values) {
    uint8_t *outcome = r->job->outcome + r->first;
    size_t length = imp_output_length(output);
    bool may = output->undefined_when || output->dimension;
    for (size_t i = 0; i < r->n * length; i++) {
        if (isfinite(values[i]) || outcome[i / length] != IMP_SOLVED) {
            continue;
        }
        bool undefined = mode && output->undefined_in >> (int)mode[i / length] & 1;
        if (!isnan(values[i]) || !(may || undefined)) {
            outcome[i / length] = IMP_NOT_FINITE;
        }
    }
}

/* Takes the outcomes of the cells and checks their values, codes first, because they say where
 * others are defined. False: a cell has no proper answer. */
static bool judge(const request *r, const double *const *column) {
    const imp_theory *theory = &r->job->guest->tables->theory;
    int place = imp_theory_output(theory, "mode");
    bool good = take_outcomes(r, column[0]);
    for (int o = 0; o < theory->n_outputs; o++) {
        if (theory->outputs[o].kind != IMP_REAL) {
            good = good && check_codes(r, &theory->outputs[o], column[1 + o]);
        }
    }
    for (int o = 0; good && o < theory->n_outputs; o++) {
        if (theory->outputs[o].kind == IMP_REAL) {
            check_reals(r, &theory->outputs[o], place >= 0 ? column[1 + place] : NULL,
                        column[1 + o]);
        }
    }
    return good;
}

/* Whether the second answer about an audited cell has the bits of the first. */
static bool is_repeated(const request *r, const double *const *column, size_t audit) {
    const imp_theory *theory = &r->job->guest->tables->theory;
    size_t one = r->cell[audit], other = r->n + audit;
    bool same = column[0][one] == column[0][other];
    bool compared = same && column[0][one] == IMP_SOLVED;
    for (int o = 0; compared && o < theory->n_outputs; o++) {
        size_t length = imp_output_length(&theory->outputs[o]);
        for (size_t k = 0; k < length; k++) {
            double a = column[1 + o][one * length + k], b = column[1 + o][other * length + k];
            same = same && (imp_bits(a) == imp_bits(b) || (isnan(a) && isnan(b)));
        }
    }
    return same;
}

/* Hands out the answer; false: a cell has no proper one. */
static bool take_answer(const request *r, const double *answer) {
    const imp_guest_job *job = r->job;
    const imp_theory *theory = &job->guest->tables->theory;
    const double *column[IMP_MAX_OUTPUTS + 1] = {answer};
    size_t all = r->n + r->repeated, before = 1;
    for (int o = 0; o < theory->n_outputs; o++) {
        column[1 + o] = answer + before * all;
        before += imp_output_length(&theory->outputs[o]);
    }
    bool good = judge(r, column);
    for (size_t a = 0; good && a < r->repeated; a++) {
        bool same = is_repeated(r, column, a);
        job->guest->audited++;
        job->guest->unlike += !same;
        if (!same) {
            job->outcome[r->first + r->cell[a]] = IMP_NOT_REPEATED;
        }
    }
    for (int o = 0; good && o < theory->n_outputs; o++) {
        size_t length = imp_output_length(&theory->outputs[o]);
        if (job->out[o]) {
            memcpy(job->out[o] + r->first * length, column[1 + o],
                   r->n * length * sizeof *column[0]);
        }
    }
    return good;
}

/* ---- the exchange ---- */

/* The time that a request may take: that of one cell, and ten times as long as its cells took so
 * far in the mean. */
static double time_for(const imp_guest *guest, size_t cells) {
    return guest->order.cell_time + 10 * guest->cell_seconds * (double)cells;
}

/* Reads the answer into guest->answer. NULL, or what is wrong with it, a static text. */
static const char *read_answer(const request *r, size_t request_length, imp_talk *talk) {
    imp_guest *guest = r->job->guest;
    double head[HEAD], seconds = time_for(guest, r->n), start = imp_seconds_elapsed();
    size_t all = r->n + r->repeated, wanted = all * r->values, got;
    *talk = imp_process_exchange(guest->process, guest->request, request_length * sizeof(double),
                                 head, sizeof head, seconds, &got);
    if (*talk) {
        return *talk == IMP_TALK_ENDED ? "ended before it answered"
               : got > 0               ? "answered less than the head of an answer in time"
                                       : "did not answer in time";
    }
    if (head[0] != guest->number || head[1] != (double)all) {
        return "did not begin its answer with the number of the request and of its cells";
    }
    if (head[2] != (double)wanted) {
        return head[2] < (double)wanted ? "answered too little" : "answered too much";
    }
    seconds -= imp_seconds_elapsed() - start;
    *talk = imp_process_exchange(guest->process, NULL, 0, guest->answer, wanted * sizeof(double),
                                 seconds, &got);
    return *talk == IMP_TALK_ENDED ? "ended in the middle of its answer"
           : *talk                 ? "did not finish its answer in time"
                                   : NULL;
}

static void note_time(imp_guest *guest, size_t cells, double seconds) {
    guest->cells += (double)cells;
    guest->cell_seconds += (seconds - guest->cell_seconds * (double)cells) / guest->cells;
}

static imp_err exchange(request *r, bool *failed, bool *hung, imp_text *why) {
    imp_guest *guest = r->job->guest;
    size_t length, answer = (r->n + r->repeated) * r->values;
    if (!reserve(&guest->answer, &guest->answer_room, answer) || !write_request(r, &length)) {
        return imp_fail(IMP_ERR_MEMORY, "out of memory");
    }
    imp_talk talk;
    double start = imp_seconds_elapsed();
    const char *wrong = read_answer(r, length, &talk);
    if (!wrong && !take_answer(r, guest->answer)) {
        wrong = "gave a cell an outcome, or an output a category, that does not exist";
    }
    if (!wrong) {
        note_time(guest, r->n + r->repeated, imp_seconds_elapsed() - start);
        return IMP_OK;
    }
    *failed = true;
    *hung = talk == IMP_TALK_LATE;
    imp_text_print(why, "%s", wrong);
    imp_process_end(&guest->process, talk == IMP_TALK_ENDED ? IMP_CLOSE_GONE : IMP_CLOSE_FORCED,
                    why);
    return talk == IMP_TALK_STOPPED ? IMP_ERR_STOPPED : IMP_OK;
}

imp_err imp_guest_ask(const imp_guest_job *job, size_t first, size_t n, bool *failed, bool *hung,
                      imp_text *why) {
    const imp_theory *theory = &job->guest->tables->theory;
    request r = {.job = job, .first = first, .n = n, .values = 1};
    for (int o = 0; o < theory->n_outputs; o++) {
        r.values += imp_output_length(&theory->outputs[o]);
    }
    *failed = *hung = false;
    imp_err error = imp_guest_wake(job->guest);
    if (error) {
        return error;
    }
    r.cell = calloc(n, sizeof *r.cell);
    if (!r.cell) {
        return imp_fail(IMP_ERR_MEMORY, "out of memory");
    }
    choose_audited(&r);
    error = exchange(&r, failed, hung, why);
    free(r.cell);
    return error;
}
