/* libimpact: impact of a body on a plane with friction, one cell or millions.
 *
 * A theory turns parameters into outputs. It is described by a constant table (imp_theory)
 * and is called through a solver, which is a theory with its choices made:
 *
 *     imp_solver *solver;
 *     imp_err error = imp_open("compliant", "body=pendulum law=linear", &solver);
 *     int angle = imp_input(solver, "angle");
 *     int e = imp_output_index(solver, "kinematic_restitution");
 *     const double *in[IMP_MAX_PARAMETERS] = {0};   // NULL: the parameter's default
 *     double *out[IMP_MAX_OUTPUTS] = {0};           // NULL: not wanted
 *     in[angle] = angles; ... out[e] = restitutions;
 *     imp_solve(solver, n, in, out, outcome);
 *     imp_close(&solver);
 *
 * Axes: n points out of the plane into the body, t lies in the plane. v_t, v_n is the velocity of
 * the body's contact point; approach is v_n < 0. SI units, angles in radians.
 *
 * Thread safety: tables are constant. A solver belongs to one thread at a time. The last error is
 * kept per thread. A thread with a stack of 128 KiB may make any call.
 */
#ifndef IMPACT_H
#define IMPACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this header; imp_version returns the version of the library in use. */
#define IMP_VERSION_MAJOR 1
#define IMP_VERSION_MINOR 0
#define IMP_VERSION_PATCH 0
#define IMP_VERSION "1.0.0"
#define IMP_VERSION_AT_LEAST(major, minor, patch)                                                  \
    (IMP_VERSION_MAJOR * 1000000 + IMP_VERSION_MINOR * 1000 + IMP_VERSION_PATCH >=                 \
     (major)*1000000 + (minor)*1000 + (patch))

#define IMP_MAX_PARAMETERS 64
#define IMP_MAX_CHOICES 4
#define IMP_MAX_OUTPUTS 128
#define IMP_API __attribute__((visibility("default")))

/* The program failed. Returned up the call chain; imp_last_error() says what happened.
 * What happened in a cell is an outcome instead, and never an error. */
typedef enum imp_err {
    IMP_OK = 0,
    IMP_ERR_INPUT,   /* bad input: names, values, a config, a refused resume */
    IMP_ERR_IO,      /* disk, lock, damaged file */
    IMP_ERR_MEMORY,  /* out of memory */
    IMP_ERR_STOPPED, /* stopped before the end; results so far are kept */
    IMP_ERR_LIBRARY  /* a library refused (MPI, HDF5, PETSc) */
} imp_err;

/* What happened in a cell: code, name, meaning. Codes are stored in files and never change. */
#define IMP_OUTCOMES(X)                                                                            \
    X(0, PENDING, pending, "not computed yet")                                                     \
    X(1, SOLVED, solved, "computed; every output that its mode defines is finite")                 \
    X(2, OUTSIDE, outside, "the combination of parameters is outside the domain")                  \
    X(3, NO_CONVERGENCE, no_convergence, "an iteration did not converge")                          \
    X(4, NOT_FINITE, not_finite, "the state became infinite or not a number")                      \
    X(5, BUDGET, budget, "the budget of steps, events or evaluations is spent")                    \
    X(6, LIBRARY_ERROR, library_error, "a numeric library reported an error")                      \
    X(7, GUEST_FAILED, guest_failed, "the guest died, hung or gave no proper answer")              \
    X(8, NOT_REPEATED, not_repeated, "the guest gave two different answers when asked twice")

typedef enum imp_outcome {
#define IMP_OUTCOME_ENUM(code, symbol, name, meaning) IMP_##symbol = code,
    IMP_OUTCOMES(IMP_OUTCOME_ENUM)
#undef IMP_OUTCOME_ENUM
} imp_outcome;

#define IMP_OUTCOME_COUNT 9

/* One parameter of a theory, of a body or of a law. All strings are static. */
typedef struct imp_parameter {
    const char *name;
    /* SI; "rad" marks an angle, "1" a number; in "N/m^exponent" the power is the value of the
     * parameter `exponent`. Options may have other units for the same name. */
    const char *unit;
    const char *meaning;
    double low, high; /* range; may be infinite */
    bool low_open, high_open;
    double fallback; /* default; NaN: none, the value must be given */
    double example;  /* inside the range; the example cell of every theory solves */
    /* A stand-in is another way to give a parameter: `stands_for` is the name of that parameter,
     * and `converted` turns a value of the stand-in into its value. At most one of a parameter and
     * its stand-ins is given; if none is, the parameter takes its default. A stand-in has no
     * default itself. NULL, NULL: not a stand-in. */
    const char *stands_for;
    double (*converted)(double value);
    bool whole; /* whole numbers only */
    /* Names of the values 0, 1 and so on, which may be given instead; a NULL ends them. NULL: the
     * values have no names. */
    const char *const *words;
    /* Why the range ends where it does, for the error about a value outside, such as "an impact
     * needs an approach". NULL: the range speaks for itself. */
    const char *limits;
    /* A stand-in that may also be given beside the parameter that it stands for: kernels take its
     * values, too, and NULL or NaN where it is not given. `converted` gives one value for all. */
    bool beside;
} imp_parameter;

/* One option of a choice, for instance one body. Its parameters apply only where it is chosen. */
typedef struct imp_option {
    const char *name;
    const char *meaning;
    const imp_parameter *const *parameters;
    int n_parameters;
    /* Of an option that needs PETSc: the name of the one that serves where there is no PETSc, in
     * libimpact and in programs built without. NULL: this option needs none. */
    const char *without_petsc;
} imp_option;

/* A choice, for instance `body`. */
typedef struct imp_choice {
    const char *name;
    const char *meaning;
    const imp_option *const *options;
    int n_options;
    int fallback; /* index of the default option; -1: none, it must be chosen */
} imp_choice;

/* How an output is stored and shown. Kernels return every kind as a double. */
typedef enum imp_kind {
    IMP_REAL,
    IMP_CATEGORY, /* a mode's code, int8 in a file */
    IMP_SEQUENCE  /* contact phases, the first in the lowest bits: 2 bits each (1 stick, 2 slip-,
                     3 slip+), at most IMP_SEQUENCE_PHASES; with the bit IMP_SEQUENCE_WIDE set
                     3 bits each (also 4 partial-, 5 partial+), at most IMP_SEQUENCE_WIDE_PHASES;
                     with the bits IMP_SEQUENCE_OF_POINTS set the points of a body that strike,
                     numbers less 1 in 3 bits each and a bit 1 behind the last, at most
                     IMP_SEQUENCE_POINTS. Exact in a double; uint64 in a file */
} imp_kind;

#define IMP_SEQUENCE_PHASES 26
#define IMP_SEQUENCE_WIDE (UINT64_C(1) << 52)
#define IMP_SEQUENCE_WIDE_PHASES 17
#define IMP_SEQUENCE_OF_POINTS (IMP_SEQUENCE_WIDE | UINT64_C(1) << 51)
#define IMP_SEQUENCE_POINTS 16

/* Codes are stored in files: append-only, and 0 is `none` everywhere (not in the table). */
typedef struct imp_mode {
    int code; /* 1..63 */
    const char *name;
    const char *meaning;
} imp_mode;

/* A mode that means the same as modes of other theories, and their common name. */
typedef struct imp_agreement {
    const char *mode, *common;
} imp_agreement;

typedef struct imp_output {
    const char *name;
    const char *unit; /* SI, when every one of the theory's unit_parameters is given; else "1" */
    const char *meaning;
    imp_kind kind;
    uint64_t undefined_in; /* bit c set: NaN in a solved cell of mode code c */
    /* Other conditions under which a solved cell has NaN, in words, for instance "restitution is
     * 0". NULL: there are none. */
    const char *undefined_when;
    /* An output may hold a list of values per cell, numbered along a dimension of its own. The
     * dimension's name is no parameter, output or choice; outputs that share a dimension have the
     * same length. NULL, 0: one value. Unused places at the end of a list are NaN (a category:
     * 0). */
    const char *dimension;
    int length;
    /* Categories only: codes of their own. NULL, 0: the codes are the theory's modes. */
    const imp_mode *categories;
    int n_categories;
    const char *label; /* for figures; NULL: the name in words */
    bool exact;        /* float64 in the file whatever precision was asked for */
    bool own_unit;     /* the unit holds whatever parameters are given, as "rad" does */
    bool whole;        /* a count: whole numbers only */
    /* Names of the places along `dimension`, length of them, without blanks. NULL: they are only
     * numbered. Outputs that share a dimension share its names. */
    const char *const *members;
} imp_output;

/* The history of one cell: rows of real columns. Each row has the code of its phase and of the
 * event that it marks, from the two tables; event 0 is a sample without event. */
typedef struct imp_history {
    const imp_output *columns; /* the first never decreases: time or impulse */
    int n_columns;
    const imp_mode *phases;
    int n_phases;
    const imp_mode *events;
    int n_events;
} imp_history;

/* Takes the rows of a history, in order. The caller makes one around its own data. */
typedef struct imp_recorder {
    int samples; /* evenly spaced from first contact to the end, both included; every event has a
                    row of its own in addition */
    void (*record)(struct imp_recorder *recorder, const double *row, int phase, int event);
} imp_recorder;

/* A theory with its choices made, the first argument of every callback of the theory. */
typedef struct imp_instance {
    const struct imp_theory *theory;
    int chosen[IMP_MAX_CHOICES]; /* option of each choice */
    int64_t budget;              /* steps, events or evaluations that a cell may spend */
    void *work; /* the workspace that open made; NULL before open, and for a theory without one */
} imp_instance;

typedef struct imp_theory {
    const char *name;
    const char *title;
    const char *source;
    const char *residual; /* the identity that the output `residual` measures */
    /* Explains letters and short symbols in the meanings: "t: ...; n: ...". NULL: there are
     * none. */
    const char *symbols;
    int results_version; /* raised whenever any result changes by more than rounding */
    bool hidden;         /* not listed by default */
    const imp_parameter *const
        *parameters; /* those that apply under every choice; those of the options follow */
    int n_parameters;
    const imp_choice *choices;
    int n_choices;
    const imp_output *outputs;
    int n_outputs;
    const imp_mode *modes;
    int n_modes;
    /* Parameters that give the outputs their SI units when all of them are given. */
    const char *const *unit_parameters;
    int n_unit_parameters;
    /* Whether the output exists for these options; called before open. NULL: every output does. */
    bool (*has_output)(const imp_instance *instance, int output);
    /* Makes instance->work. NULL, NULL: the theory needs none. */
    imp_err (*open)(imp_instance *instance);
    void (*close)(imp_instance *instance);
    /* Steps or events that a cell may spend by default; INT64_MAX: no limit. A cell that spends its
     * budget ends as IMP_BUDGET. */
    int64_t budget;
    /* Solves n independent cells within a budget. in[p][i]: value of parameter p in cell i, in the
     * order of the signature (the theory's parameters, then those of the option of each choice),
     * inside its range; NULL where p stands for another parameter, whose values are already
     * converted. out[o][i]: output o, or out[o] is NULL when it is not wanted or has_output denies
     * it; an output of several values has value k of cell i at out[o][i * length + k]. outcome[i]
     * is always set. Undefined outputs of a solved cell are set to NaN; outputs of other cells are
     * overwritten by the caller. Pure: a cell's bits do not depend on n, on its place or on what is
     * wanted. IMP_ERR_MEMORY: memory ran out; the cells are as if they had never been tried. */
    imp_err (*solve)(const imp_instance *instance, size_t n, const double *const *in,
                     double *const *out, uint8_t *outcome);
    /* The history of one cell; NULL, NULL: the theory has none. value[p]: one value per parameter,
     * as for solve; NaN where p stands for another parameter. *outcome: the one that solve gives;
     * rows up to a failure are recorded. Error: IMP_ERR_MEMORY. */
    const imp_history *history;
    imp_err (*trace)(const imp_instance *instance, const double *value, imp_recorder *recorder,
                     imp_outcome *outcome);
    /* Says why no cell with these options and values can be solved, and what is allowed; *name is
     * the choice or parameter to blame. value[p]: as for trace, NaN where the value is not known.
     * Returns NULL if nothing is wrong. The member is NULL if the theory refuses nothing. solve
     * does not call refuse: cells that it would refuse end as IMP_OUTSIDE. */
    const char *(*refuse)(const imp_instance *instance, const double *value, const char **name);
    /* Variables of a user's config or words, which only formulas read: the last inputs, after those
     * of the options. Theories of the registry have none. */
    const imp_parameter *const *variables;
    int n_variables;
    /* The most cells of a call of solve, where it pays to solve more than 256 of them together; 0:
     * 256. */
    int batch;
    /* Modes that have other names where several theories meet. */
    const imp_agreement *agreements;
    int n_agreements;
} imp_theory;

/* Version of the library, "major.minor.patch". */
IMP_API const char *imp_version(void);

/* What went wrong in the last call of this thread that returned an error; "" before the first. */
IMP_API const char *imp_last_error(void);

/* The registry. imp_theory_at returns NULL past the end; imp_theory_find NULL if unknown. */
IMP_API const imp_theory *imp_theory_at(int index);
IMP_API const imp_theory *imp_theory_find(const char *name);

/* The theory of a guest, a program of the user, from its command, such as "octave-cli law.m": the
 * program is started, describes itself, and is asked for cells as long as this process lives. The
 * same command gives the same theory, unless a file that it names has changed. imp_open_words takes
 * it by the name "guest:octave-cli law.m", which starts it too. Errors: IMP_ERR_INPUT,
 * IMP_ERR_MEMORY. */
IMP_API imp_err imp_guest_theory(const char *command, const imp_theory **theory);

IMP_API const char *imp_outcome_name(int outcome);    /* NULL if there is no such code */
IMP_API const char *imp_outcome_meaning(int outcome); /* NULL if there is no such code */

/* Name of a mode's code: "none" for 0, NULL if there is no such code. */
IMP_API const char *imp_mode_name(const imp_theory *theory, int code);

/* Text of a sequence, such as "slip- stick slip+"; a full one ends in "...". Returns the length
 * without the final 0; at most size-1 characters are written. 256 characters always suffice. */
IMP_API size_t imp_sequence_text(uint64_t sequence, size_t size, char *text);

typedef struct imp_solver imp_solver;

/* A theory with its choices made. `choices`: "name=option" separated by blanks; a choice with a
 * default may be left out. On success the caller owns *solver and ends it with imp_close, which
 * accepts NULL and sets *solver to NULL. On IMP_ERR_INPUT, IMP_ERR_MEMORY: *solver is NULL. */
IMP_API imp_err imp_open(const char *theory, const char *choices, imp_solver **solver);
IMP_API void imp_close(imp_solver **solver);

/* Opens a solver from n words as on the command line of `impactsweep cell`, such as "body=pendulum"
 * and "angle=30deg", and checks them in the same way. A parameter's name alone, such as "friction",
 * announces that its values come with imp_solve. "variables=tilt:rad" declares inputs that only
 * formulas read, such as "offset_t==0.5 * sin(tilt)". value[imp_input_count], with room for
 * IMP_MAX_PARAMETERS: for each input the value of its word or its default; NaN for an announced
 * input, and for one that is given through its stand-in. Ownership as for imp_open. Errors:
 * IMP_ERR_INPUT (each error is a line of imp_last_error), IMP_ERR_MEMORY. */
IMP_API imp_err imp_open_words(const char *theory, size_t n, const char *const *words,
                               imp_solver **solver, double *value);

/* Steps or events that a cell may spend from now on, at least 1; 0: the theory's own. */
IMP_API void imp_set_budget(imp_solver *solver, int64_t budget);

IMP_API const imp_theory *imp_solver_theory(const imp_solver *solver);

/* The parameters that apply, in the order of `in`; the index of a parameter in `in` and of an
 * output in `out` (-1: unknown, or does not apply to these choices). */
IMP_API int imp_input_count(const imp_solver *solver);
IMP_API const imp_parameter *imp_input_at(const imp_solver *solver, int index);
IMP_API int imp_input(const imp_solver *solver, const char *name);
IMP_API int imp_output_index(const imp_solver *solver, const char *name);

/* Solves n cells. in[imp_input_count]: arrays of n values, or NULL for the default (an error if
 * there is none) and for a parameter that is given through its stand-in. out[theory->n_outputs]:
 * arrays of n values (n * length, cell by cell, for an output of several values), or NULL. outcome:
 * n codes. A value outside its parameter's range makes a cell `outside`. Outputs of cells that are
 * not solved, and undefined outputs of solved ones, are NaN; a category is 0 there, a sequence 0.
 * Errors: IMP_ERR_INPUT (a NULL input without default; a parameter and its stand-in both given),
 * IMP_ERR_MEMORY. */
IMP_API imp_err imp_solve(imp_solver *solver, size_t n, const double *const *in, double *const *out,
                          uint8_t *outcome);

/* The history of one cell, value[imp_input_count]; NaN asks for the default. Errors: IMP_ERR_INPUT
 * (a value without default is NaN, one is outside its range, one is given twice; the theory has no
 * history), IMP_ERR_MEMORY. */
IMP_API imp_err imp_trace(imp_solver *solver, const double *value, imp_recorder *recorder,
                          imp_outcome *outcome);

/* ---- parameters of other codes ---- */

#define IMP_MAX_CONVERTED 24
#define IMP_MAX_REMARKS 12
#define IMP_LONGEST_REMARK 400
#define IMP_LONGEST_LINE 800

/* One value of a conversion: a number, or a word (an option of a choice, the name of a value). */
typedef struct imp_converted {
    const char *name, *unit;
    const char *word; /* NULL: a number */
    double value;     /* SI */
    bool assumed;     /* the input that decides it was not given */
} imp_converted;

typedef struct imp_conversion {
    imp_converted values[IMP_MAX_CONVERTED];
    int n_values;
    double asked;       /* restitution of a normal impact that the code was asked for; NaN: none */
    double restitution; /* the one that such an impact has */
    char line[IMP_LONGEST_LINE]; /* the command `impactsweep cell ...`, or the code's own words */
    /* Where the code does something else than its parameters seem to say. */
    char remarks[IMP_MAX_REMARKS][IMP_LONGEST_REMARK];
    int n_remarks;
} imp_conversion;

/* Parameters of another code (lammps, yade, mujoco, ode, bullet ...; configs/conversions.md) as
 * those of `compliant body=sphere law=dashpot` or, for a coefficient of restitution, `rigid
 * body=sphere`; with `back` ours as the code's. words: n of the form NAME=VALUE. Errors:
 * IMP_ERR_INPUT (each error is a line of imp_last_error), IMP_ERR_MEMORY. */
IMP_API imp_err imp_convert(const char *code, bool back, size_t n, const char *const *words,
                            imp_conversion *result);

#ifdef __cplusplus
}
#endif
#endif
