/* One request and its answer. All numbers are doubles in the byte order of the machine:
 *     request: number, n, the option of each choice; then each parameter for n cells
 *     answer:  number, n, how many numbers follow; then n outcomes, each output for n cells
 * Columns stand in the memory that the guest shares, if it does, those of the answer behind those
 * of the request; otherwise they follow over the pipes. */
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "guest/guest_impl.h"
#include "models/signature.h"
#include "num/alike.h"

enum { HEAD = 3, AUDIT_ONE_OF = 128 };

/* Cells that are asked for a second time stand behind the others. */
typedef struct request {
    const imp_guest_job *job;
    size_t first, n, repeated; /* cells; those of them that are asked for twice */
    size_t *cell;              /* the repeated ones, counted from `first` */
    double *shared;            /* memory for the columns; NULL: they follow the heads */
    size_t values;             /* of one cell in the answer: outcome and outputs */
} request;

/* Room for so many numbers; NULL: memory is out. */
static double *reserve(imp_buffer *buffer, size_t numbers) {
    return (void *)imp_buffer_reserve(buffer, numbers * sizeof(double));
}

/* The memory for answers. */
static double *answer_of(const imp_guest *guest) {
    return (void *)guest->answer.bytes;
}

/* Mixes the values of a parameter into the number of each cell. */
static void mix(uint64_t *number, const double *values, size_t n) {
    for (size_t i = 0; i < n; i++) {
        number[i] = (number[i] << 21 | number[i] >> 43) ^ (uint64_t)imp_bits(values[i]);
    }
}

/* A cell is audited or not by its own values, whatever it is solved with; a request of several
 * cells has at least one that is, and never more cells than the guest allows. */
static void choose_audited(request *r) {
    enum { BLOCK = 256 };
    const imp_guest_tables *t = r->job->guest->tables;
    size_t room = (size_t)t->batch - r->n;
    for (size_t start = 0; start < r->n; start += BLOCK) {
        size_t n = r->n - start < BLOCK ? r->n - start : BLOCK;
        uint64_t number[BLOCK] = {0};
        for (int p = 0; p < t->n_parameters; p++) {
            if (r->job->in[p]) {
                mix(number, r->job->in[p] + r->first + start, n);
            }
        }
        for (size_t i = 0; i < n; i++) {
            uint64_t mixed = (number[i] ^ number[i] >> 32) * UINT64_C(0x9e3779b97f4a7c15);
            if (mixed >> 32 < (UINT64_C(1) << 32) / AUDIT_ONE_OF && r->repeated < room) {
                r->cell[r->repeated++] = start + i;
            }
        }
    }
    if (r->repeated == 0 && r->n >= IMP_GUEST_TWICE) {
        r->cell[r->repeated++] = r->n / 2;
    }
}

/* The values of a parameter, those of the repeated cells last; values: NULL: it does not apply. */
static void write_column(const request *r, const double *values, double *column) {
    for (size_t i = 0; i < r->n; i++) {
        column[i] = values ? values[i] : (double)NAN;
    }
    for (size_t a = 0; a < r->repeated; a++) {
        column[r->n + a] = column[r->cell[a]];
    }
}

/* *length: what goes over the pipe. */
static bool write_request(const request *r, size_t *length) {
    imp_guest *guest = r->job->guest;
    const imp_guest_tables *t = guest->tables;
    size_t all = r->n + r->repeated, choices = (size_t)t->theory.n_choices;
    *length = 2 + choices + (r->shared ? 0 : all * (size_t)t->n_parameters);
    double *at = reserve(&guest->request, *length);
    if (!at) {
        return false;
    }
    *at++ = ++guest->number;
    *at++ = (double)all;
    for (size_t c = 0; c < choices; c++) {
        *at++ = r->job->instance->chosen[c];
    }
    double *columns = r->shared ? r->shared : at;
    for (size_t p = 0; p < (size_t)t->n_parameters; p++) {
        write_column(r, r->job->in[p] ? r->job->in[p] + r->first : NULL, columns + p * all);
    }
    return true;
}

/* ---- the answer ---- */

/* Whether all are from least to most: several at a time, where loops that decide about each take
 * most of the time of an answer. */
static bool are_within(const double *values, size_t n, double least, double most) {
    int64_t others = 0;
    for (size_t i = 0; i < n; i++) {
        others |= !(values[i] >= least) | !(values[i] <= most);
    }
    return others == 0;
}

/* Takes the outcomes; false: the guest gave one that does not exist. */
static bool take_outcomes(const request *r, const double *given) {
    bool good = true;
    if (are_within(given, r->n, IMP_SOLVED, IMP_SOLVED)) {
        memset(r->job->outcome + r->first, IMP_SOLVED, r->n);
        return true;
    }
    for (size_t i = 0; i < r->n; i++) {
        bool known = given[i] >= IMP_SOLVED && given[i] <= IMP_GUEST_FAILED;
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
    if (are_within(values, r->n * length, -DBL_MAX, DBL_MAX)) {
        return;
    }
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

/* Checks the outputs of the cells, codes first, because they say where others are defined. False: a
 * cell has no proper answer. */
static bool judge(const request *r, const double *const *column) {
    const imp_theory *theory = &r->job->guest->tables->theory;
    int place = imp_theory_output(theory, "mode");
    bool good = true;
    for (int o = 0; o < theory->n_outputs; o++) {
        if (theory->outputs[o].kind != IMP_REAL) {
            good = good && check_codes(r, &theory->outputs[o], column[o]);
        }
    }
    for (int o = 0; good && o < theory->n_outputs; o++) {
        if (theory->outputs[o].kind == IMP_REAL) {
            check_reals(r, &theory->outputs[o], place >= 0 ? column[place] : NULL, column[o]);
        }
    }
    return good;
}

/* Whether the second answer about an audited cell, among what the guest gave, has the bits of the
 * first. */
static bool is_repeated(const request *r, const double *given, size_t audit) {
    const imp_theory *theory = &r->job->guest->tables->theory;
    size_t one = r->cell[audit], other = r->n + audit;
    bool same = given[one] == given[other];
    bool compared = same && given[one] == IMP_SOLVED;
    const double *column = given + r->n + r->repeated;
    for (int o = 0; compared && o < theory->n_outputs; o++) {
        size_t length = imp_output_length(&theory->outputs[o]);
        for (size_t k = 0; k < length; k++) {
            double a = column[one * length + k], b = column[other * length + k];
            same = same && (imp_bits(a) == imp_bits(b) || (isnan(a) && isnan(b)));
        }
        column += (r->n + r->repeated) * length;
    }
    return same;
}

/* Hands out the outputs of the cells, or copies them into the guest's memory for answers if nobody
 * wants them. column[o]: where they then are. */
static void hand_out(const request *r, const double *given, const double **column) {
    const imp_guest_job *job = r->job;
    const imp_theory *theory = &job->guest->tables->theory;
    size_t all = r->n + r->repeated, before = all;
    for (int o = 0; o < theory->n_outputs; o++) {
        size_t length = imp_output_length(&theory->outputs[o]);
        double *kept =
            job->out[o] ? job->out[o] + r->first * length : answer_of(job->guest) + before;
        if (kept != given + before) {
            memcpy(kept, given + before, r->n * length * sizeof *kept);
        }
        column[o] = kept;
        before += all * length;
    }
}

/* Hands out the answer; false: a cell has no proper one. Judged is what was handed out, because a
 * guest can still change memory that it shares. */
static bool take_answer(const request *r, const double *given) {
    const imp_guest_job *job = r->job;
    const double *column[IMP_MAX_OUTPUTS];
    hand_out(r, given, column);
    bool good = take_outcomes(r, given) && judge(r, column);
    for (size_t a = 0; good && a < r->repeated; a++) {
        bool same = is_repeated(r, given, a);
        job->guest->audited++;
        job->guest->unlike += !same;
        if (!same) {
            job->outcome[r->first + r->cell[a]] = IMP_NOT_REPEATED;
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

/* Reads the answer, into guest->answer if its columns are not shared. NULL, or what is wrong with
 * it, a static text. */
static const char *read_answer(const request *r, size_t request_length, imp_talk *talk) {
    imp_guest *guest = r->job->guest;
    double head[HEAD], seconds = time_for(guest, r->n), start = imp_seconds_elapsed();
    size_t all = r->n + r->repeated, wanted = all * r->values, got;
    *talk = imp_process_exchange(guest->process, guest->request.bytes,
                                 request_length * sizeof(double), head, sizeof head, seconds, &got);
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
    if (r->shared) {
        return NULL;
    }
    seconds -= imp_seconds_elapsed() - start;
    *talk = imp_process_exchange(guest->process, NULL, 0, guest->answer.bytes,
                                 wanted * sizeof(double), seconds, &got);
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
    const imp_guest_tables *t = guest->tables;
    size_t length, all = r->n + r->repeated;
    size_t most = (size_t)t->batch * ((size_t)t->n_parameters + r->values) * sizeof(double);
    bool shared = imp_process_share(guest->process, most, &r->shared);
    if (!reserve(&guest->answer, all * r->values) || !write_request(r, &length)) {
        return imp_out_of_memory();
    }
    imp_talk talk = IMP_TALK_DONE;
    double start = imp_seconds_elapsed();
    const char *wrong =
        shared ? read_answer(r, length, &talk) : "wants memory that cannot be shared";
    const double *behind = r->shared ? r->shared + all * (size_t)t->n_parameters : answer_of(guest);
    if (!wrong && !take_answer(r, behind)) {
        wrong = "gave a cell an outcome, or an output a category, that does not exist";
    }
    if (!wrong) {
        note_time(guest, all, imp_seconds_elapsed() - start);
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
    r.cell = malloc(n * sizeof *r.cell);
    if (!r.cell) {
        return imp_out_of_memory();
    }
    choose_audited(&r);
    error = exchange(&r, failed, hung, why);
    free(r.cell);
    return error;
}
