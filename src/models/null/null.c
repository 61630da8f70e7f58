/* No physics: cells of known cost, value and fault, to measure and test the sweep itself. */
#include <math.h>

#include "base/clock.h"
#include "models/observer.h"
#include "models/theory.h"

enum { COST, X, Y, FAULT_EVERY, N_PARAMETERS };
enum { FAULT, N_CHOICES };
enum { MODE, VALUE, DIGITS, DIGIT, N_OUTPUTS };
enum { N_DIGITS = 3 };
enum { NONE, SLOW, HANG, NOT_A_NUMBER, LIBRARY, IDLE, N_FAULTS };
enum { LOW = 1, HIGH = 2 };

static const imp_parameter *const parameters[N_PARAMETERS] = {
    [COST] = IMP_PARAMETER(
        "cost", "s", "nominal time of a cell: one multiplication after another, 1e9 per second",
        .low = 0, .high = 1000, .fallback = 0, .example = 1e-7),
    [X] = IMP_PARAMETER("x", "1", "any number", IMP_RANGE_FINITE, .fallback = 0, .example = 1),
    [Y] = IMP_PARAMETER("y", "1", "any number", IMP_RANGE_FINITE, .fallback = 0, .example = 2),
    [FAULT_EVERY] =
        IMP_PARAMETER("fault_every", "1", "cells whose x is a multiple of this number are faulty",
                      IMP_RANGE_POSITIVE, .fallback = 1, .example = 10),
};

static const imp_option *const faults[N_FAULTS] = {
    [NONE] = IMP_OPTION("none", "every cell is solved"),
    [SLOW] = IMP_OPTION("slow", "a faulty cell costs a thousand times as much"),
    [HANG] = IMP_OPTION("hang", "a faulty cell ends only when its budget is spent"),
    [NOT_A_NUMBER] = IMP_OPTION("not_finite", "a faulty cell ends as not_finite"),
    [LIBRARY] = IMP_OPTION("library_error", "a faulty cell ends as library_error"),
    [IDLE] = IMP_OPTION(
        "idle",
        "a faulty cell lasts for its cost and is solved, but leaves the processor to others"),
};

static const imp_choice choices[N_CHOICES] = {
    [FAULT] = IMP_CHOICE("fault", "how a faulty cell fails", faults, NONE),
};

static const imp_mode parities[] = {
    {1, "odd", "an odd digit"},
    {2, "even", "an even digit"},
};

static const imp_output outputs[N_OUTPUTS] = {
    [MODE] = IMP_OUTPUT_MODE,
    [VALUE] = {.name = "value", .unit = "1", .meaning = "a fixed function of x and y, in 0..1"},
    [DIGITS] = {.name = "digits",
                .unit = "1",
                .meaning = "the first decimal digits of the value, up to the first zero",
                .dimension = "digit_number",
                .length = N_DIGITS,
                .exact = true},
    [DIGIT] = {.name = "digit",
               .unit = "1",
               .meaning = "whether each of the first decimal digits is even or odd",
               .kind = IMP_CATEGORY,
               .dimension = "digit_number",
               .length = N_DIGITS,
               .categories = parities,
               .n_categories = IMP_COUNT(parities)},
};

static const imp_mode modes[] = {
    {LOW, "low", "value below one half"},
    {HIGH, "high", "value of one half or more"},
};

/* A chain of dependent multiplications, which no compiler can shorten. */
static uint64_t chain(uint64_t seed, int64_t steps) {
    for (int64_t step = 0; step < steps; step++) {
        seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    }
    return seed;
}

static double value_of(double a, double b) {
    double phase = 12.9898 * a + 78.233 * b;
    double mixed = phase * 0.6180339887498949;
    return mixed - floor(mixed);
}

/* Waits whatever signals come. */
static void wait_for(double seconds) {
    double end = seconds > 0 ? imp_seconds_elapsed() + seconds : 0;
    for (double left = seconds; left > 0; left = end - imp_seconds_elapsed()) {
        imp_pause(left < 0.5 ? left : 0.5);
    }
}

/* Ends only when the budget is spent. */
static imp_outcome hang_for(int64_t budget) {
    for (int64_t spent = 0; spent < budget; spent++) {
        imp_pause(1e-3);
    }
    return IMP_BUDGET;
}

/* Adds to *waiting the seconds that an idle cell has to wait. */
static imp_outcome solve_cell(int fault, int64_t budget, double seconds, bool strikes,
                              double *waiting) {
    static const imp_outcome ends[N_FAULTS] = {
        [NONE] = IMP_SOLVED,           [SLOW] = IMP_SOLVED, [NOT_A_NUMBER] = IMP_NOT_FINITE,
        [LIBRARY] = IMP_LIBRARY_ERROR, [IDLE] = IMP_SOLVED,
    };
    if (strikes && fault == HANG) {
        return hang_for(budget);
    }
    if (strikes && fault == IDLE) {
        *waiting += seconds;
        return IMP_SOLVED;
    }
    volatile uint64_t sink =
        chain(1, (int64_t)(1e9 * seconds * (strikes && fault == SLOW ? 1000 : 1)));
    (void)sink;
    return strikes ? ends[fault] : IMP_SOLVED;
}

/* Fills a list only in part at times, as the roots of a search do. */
static void put_digits(double value, double *digits, double *parity) {
    bool ended = false;
    for (int k = 0; k < N_DIGITS; k++) {
        value = 10 * (value - floor(value));
        double digit = floor(value);
        if (digits) {
            digits[k] = ended ? NAN : digit;
        }
        if (parity) {
            parity[k] = ended ? 0 : fmod(digit, 2) == 1 ? 1 : 2;
        }
        ended = ended || digit == 0;
    }
}

static imp_err solve(const imp_instance *instance, size_t n, const double *const *in,
                     double *const *out, uint8_t *outcome) {
    double waiting = 0; /* all at once: a pause is inexact by some 50 us */
    for (size_t i = 0; i < n; i++) {
        bool strikes = instance->chosen[FAULT] != NONE && fmod(in[X][i], in[FAULT_EVERY][i]) == 0;
        double value = value_of(in[X][i], in[Y][i]);
        imp_outcome end =
            solve_cell(instance->chosen[FAULT], instance->budget, in[COST][i], strikes, &waiting);
        outcome[i] = (uint8_t)(end == IMP_SOLVED && !isfinite(value) ? IMP_NOT_FINITE : end);
        if (out[VALUE]) {
            out[VALUE][i] = value;
        }
        if (out[MODE]) {
            out[MODE][i] = value < 0.5 ? LOW : HIGH;
        }
        if (out[DIGITS] || out[DIGIT]) {
            put_digits(value, out[DIGITS] ? out[DIGITS] + i * N_DIGITS : NULL,
                       out[DIGIT] ? out[DIGIT] + i * N_DIGITS : NULL);
        }
    }
    wait_for(waiting);
    return IMP_OK;
}

/* ---- the history: a throw that takes one second ---- */

enum { TIME, POSITION, N_COLUMNS };
enum { RISING = 1, FALLING = 2 };
enum { NO_EVENT, START, TURN, END };

static const imp_output columns[N_COLUMNS] = {
    [TIME] = {.name = "time", .unit = "s", .meaning = "time since the start"},
    [POSITION] = {.name = "position", .unit = "1", .meaning = "x + y (time - time^2)"},
};

static const imp_mode phases[] = {
    {RISING, "rising", "first half"},
    {FALLING, "falling", "second half"},
};

static const imp_mode events[] = {
    {START, "start", "time 0"},
    {TURN, "turn", "time one half"},
    {END, "end", "time 1"},
};

static const imp_history history = IMP_HISTORY_OF(columns, phases, events);

static void put_row(imp_recorder *recorder, const double *value, double time, int event) {
    double row[N_COLUMNS] = {[TIME] = time, [POSITION] = value[X] + value[Y] * time * (1 - time)};
    recorder->record(recorder, row, time < 0.5 ? RISING : FALLING, event);
}

/* A faulty cell fails after three quarters. */
static imp_err trace(const imp_instance *instance, const double *value, imp_recorder *recorder,
                     imp_outcome *outcome) {
    static const double at[] = {[START] = 0, [TURN] = 0.5, [END] = 1};
    bool strikes = instance->chosen[FAULT] != NONE && fmod(value[X], value[FAULT_EVERY]) == 0;
    double waiting = 0;
    *outcome =
        solve_cell(instance->chosen[FAULT], instance->budget, value[COST], strikes, &waiting);
    wait_for(waiting);
    double last = *outcome == IMP_SOLVED ? 1 : 0.75;
    imp_sampler sampler = imp_sampler_open(recorder, 1);
    sampler.within = recorder->samples; /* the last one is at time 1 exactly */
    for (int event = START; event <= END && at[event] <= last; event++) {
        for (; imp_sampler_next(&sampler) < at[event]; sampler.next++) {
            put_row(recorder, value, imp_sampler_next(&sampler), NO_EVENT);
        }
        put_row(recorder, value, at[event], event);
    }
    for (; imp_sampler_next(&sampler) <= last; sampler.next++) {
        put_row(recorder, value, imp_sampler_next(&sampler), NO_EVENT);
    }
    return IMP_OK;
}

const imp_theory imp_theory_null = {
    .name = "null",
    .title = "no physics: cells of known cost and fault",
    .source = "this program",
    .residual = "none",
    .results_version = 1,
    .budget = INT64_MAX,
    .hidden = true,
    IMP_THEORY_TABLES(parameters, choices, outputs, modes),
    .solve = solve,
    .history = &history,
    .trace = trace,
};
