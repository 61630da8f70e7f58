/* Parameters of other codes into ours, and back. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "config/engine.h"
#include "config/range.h"
#include "config/words.h"
#include "models/theory.h"

enum { MAX_WORDS = 24, LONGEST_WORD = 80 };

/* A conversion in progress. */
typedef struct conversion {
    imp_engine_call call;
    imp_conversion *result;
    bool numbered;
    const char *source; /* the words that others come from; NULL: those here are the user's */
    size_t n;
    const char *const *words;
} conversion;

static imp_place place_of(const conversion *c, size_t word) {
    if (c->source) {
        return (imp_place){.kind = c->numbered ? IMP_FROM_WORDS : IMP_FROM_CALLER,
                           .source = c->source};
    }
    return (imp_place){.kind = c->numbered ? IMP_FROM_ARGUMENT : IMP_FROM_CALLER,
                       .line = c->numbered ? word + 1 : 0};
}

/* ---- the words of a code ---- */

static int input_of(const imp_engine *engine, const char *word, size_t length) {
    for (int i = 0; i < engine->n_inputs; i++) {
        const imp_engine_input *input = &engine->inputs[i];
        if (imp_word_among(word, length, input->parameter.name) ||
            (input->others && imp_word_among(word, length, input->others))) {
            return i;
        }
    }
    return -1;
}

static void unknown(conversion *c, imp_place place, const char *word, size_t length) {
    const imp_engine *engine = c->call.engine;
    const char *names[IMP_MAX_ENGINE_INPUTS + 1];
    int n = 0;
    for (; n < engine->n_inputs; n++) {
        names[n] = engine->inputs[n].parameter.name;
    }
    if (engine->pair) {
        names[n++] = engine->pair;
    }
    char name[LONGEST_WORD];
    snprintf(name, sizeof name, "%.*s", (int)length, word);
    char what[LONGEST_WORD];
    snprintf(what, sizeof what, "parameter of %s", engine->name);
    imp_report_unknown(c->call.report, place, what, name, "", names, (size_t)n);
}

static bool in_range(const imp_parameter *p, double value) {
    bool above = p->low_open ? value > p->low : value >= p->low;
    bool below = p->high_open ? value < p->high : value <= p->high;
    return above && below && (!p->whole || value == floor(value));
}

static void report_range(conversion *c, imp_place place, const imp_parameter *p, const char *text) {
    imp_text range = {0};
    imp_print_ranges(&range, &p, 1);
    imp_report_error(c->call.report, place, "%s is '%s'; it must be in %s", p->name,
                     imp_show(text).text, imp_text_get(&range));
    imp_text_free(&range);
}

/* A number with a unit, or the name of a value; a switch takes no and yes too. */
static bool read_value(conversion *c, imp_place place, const imp_engine_input *input,
                       const char *text, double *value) {
    static const char *const no_yes[] = {"no", "yes", NULL}, *const none[] = {NULL};
    const imp_parameter *p = &input->parameter;
    const char *const *names = p->words ? p->words : p->whole ? no_yes : none;
    for (int w = 0; names[w]; w++) {
        if (strcmp(text, names[w]) == 0) {
            *value = w;
            return true;
        }
    }
    if (input->null && strcmp(text, "NULL") == 0) {
        return false;
    }
    imp_quantity quantity;
    const char *wrong = imp_read_quantity(text, p->unit, &quantity);
    if (wrong) {
        imp_report_error(c->call.report, place, "the value '%s' of %s %s", imp_show(text).text,
                         p->name, wrong);
        return false;
    }
    *value = imp_quantity_si(quantity);
    if (!in_range(p, *value)) {
        report_range(c, place, p, text);
        return false;
    }
    return true;
}

static void take(conversion *c, imp_place place, int input, const char *text) {
    imp_engine_call *call = &c->call;
    if (call->given[input]) {
        imp_report_error(call->report, place, "'%s' is given twice",
                         call->engine->inputs[input].parameter.name);
        return;
    }
    double value = NAN;
    bool read = read_value(c, place, &call->engine->inputs[input], text, &value);
    call->given[input] = true;
    call->in[input] = read ? value : (double)NAN;
}

/* The code takes a 0 that follows a negative number for minus 0. */
static bool is_opposite(const imp_engine *engine, const char *first, const char *second) {
    imp_quantity read;
    const char *unit = engine->inputs[engine->opposite_at + 1].parameter.unit;
    bool zero = !imp_read_quantity(second, unit, &read) && read.value == 0;
    return first[0] == '-' && (second[0] == '-' || zero);
}

/* Two numbers in one word, apart by a blank or a comma. */
static void take_pair(conversion *c, imp_place place, const char *text) {
    const imp_engine *engine = c->call.engine;
    size_t length = strcspn(text, " ,");
    const char *second = text + length + strspn(text + length, " ,");
    char first[LONGEST_WORD], plain[LONGEST_WORD];
    snprintf(first, sizeof first, "%.*s", (int)length, text);
    snprintf(plain, sizeof plain, "%s", second);
    if (length == 0 || *second == 0 || length >= sizeof first || strlen(second) >= sizeof plain) {
        imp_report_error(c->call.report, place, "%s is '%s'; it must be two numbers", engine->pair,
                         imp_show(text).text);
        return;
    }
    bool opposite = is_opposite(engine, first, plain);
    int at = opposite ? engine->opposite_at : engine->pair_at;
    take(c, place, at, first + opposite);
    take(c, place, at + 1, plain + (opposite && plain[0] == '-'));
}

static void read_word(conversion *c, size_t w) {
    const char *word = c->words[w], *equals = strchr(word, '=');
    const imp_engine *engine = c->call.engine;
    imp_place place = place_of(c, w);
    if (!equals || equals == word) {
        imp_report_error(c->call.report, place, "'%s' is not of the form NAME=VALUE",
                         imp_show(word).text);
        return;
    }
    size_t length = (size_t)(equals - word);
    int input = input_of(engine, word, length);
    if (input >= 0) {
        take(c, place, input, equals + 1);
    } else if (engine->pair && imp_word_among(word, length, engine->pair)) {
        take_pair(c, place, equals + 1);
    } else {
        unknown(c, place, word, length);
    }
}

/* ---- our words ---- */

/* A parameter of the contact, and whether its value was assumed. */
typedef struct ours {
    const char *name;
    bool assumed;
    double value;
} ours;

/* A theory with a law: its parameters from a contact, and a contact from its parameters. */
typedef struct form {
    const char *theory, *law;
    int (*write)(const imp_engine_call *call, ours *all);
    void (*take)(conversion *c, const imp_sweep *sweep);
    double (*restitution)(const imp_code_contact *contact);
} form;
static const form *form_of(const conversion *c);

/* Whether a word gives a value of the code on the way back. */
static bool is_theirs(const conversion *c, const char *word) {
    int input = input_of(c->call.engine, word, strcspn(word, "="));
    return input >= 0 && c->call.engine->inputs[input].back;
}

/* Reads words of the theory into a sweep. What is in `defaults` and not given is added. */
static imp_err read_ours(const conversion *c, size_t n, const char *const *words,
                         const char *const *defaults, imp_sweep *sweep, imp_text *messages) {
    imp_place nowhere = {.kind = c->numbered ? IMP_FROM_NOWHERE : IMP_FROM_CALLER};
    imp_draft draft;
    imp_draft_begin(&draft, imp_theory_find(form_of(c)->theory), nowhere, c->call.report);
    for (size_t w = 0; w < n; w++) {
        if (!is_theirs(c, words[w])) {
            imp_word_read(&draft, place_of(c, w), words[w], NULL);
        }
    }
    for (; *defaults; defaults += 2) {
        imp_named named = imp_draft_find(&draft, defaults[0]);
        bool used = imp_draft_slot(&draft, named)->use != IMP_UNUSED;
        if (!used && named.choice >= 0) {
            imp_draft_choose(&draft, named.choice, nowhere, nowhere, defaults[1]);
        } else if (!used) {
            imp_draft_fix(&draft, named.parameter, nowhere, nowhere, defaults[1]);
        }
    }
    imp_draft_resolve(&draft);
    return imp_draft_finish(&draft, sweep, messages);
}

static void add(imp_conversion *result, imp_converted value) {
    if (result->n_values < IMP_MAX_CONVERTED) {
        value.value += 0.0; /* -0 becomes 0 */
        result->values[result->n_values++] = value;
    }
}

static void add_to_line(imp_conversion *result, const char *name, const char *value) {
    size_t length = strlen(result->line);
    snprintf(result->line + length, sizeof result->line - length, " %s=%s", name, value);
}

/* ---- forward ---- */

static bool was_given(const imp_engine_call *call, const char *name) {
    int input = input_of(call->engine, name, strlen(name));
    return input >= 0 && call->given[input];
}

static double input_value(const imp_engine_call *call, const char *name) {
    return call->in[input_of(call->engine, name, strlen(name))];
}

static void add_ours(conversion *c, const ours *one) {
    const imp_theory *theory = imp_theory_find(form_of(c)->theory);
    const imp_parameter *of = imp_theory_parameter(theory, one->name);
    if (of) {
        const char *word = of->words ? of->words[(int)one->value] : NULL;
        add(c->result, (imp_converted){.name = one->name,
                                       .unit = of->unit,
                                       .word = word,
                                       .value = one->value,
                                       .assumed = one->assumed});
        add_to_line(c->result, one->name, word ? word : imp_code_number(one->value).text);
    }
}

static int write_dashpot(const imp_engine_call *call, ours *all) {
    const imp_code_contact *d = &call->contact;
    bool friction = was_given(call, "mu") || was_given(call, "frictionAngle");
    const ours rows[] = {
        {"mass", !was_given(call, "mass"), d->mass},
        {"normal_stiffness", d->assumed.stiffness, d->stiffness},
        {"stiffness_ratio", d->assumed.stiffness_ratio, d->stiffness_ratio},
        {"normal_damping_ratio", d->assumed.normal_ratio, d->normal_ratio},
        {"tangential_damping_ratio", d->assumed.tangential_ratio, d->tangential_ratio},
        {"friction", !friction, d->friction},
        {"contact_end", false, d->by_elongation},
    };
    memcpy(all, rows, sizeof rows);
    return IMP_COUNT(rows);
}

static int write_rigid(const imp_engine_call *call, ours *all) {
    const imp_code_contact *contact = &call->contact;
    const ours rows[] = {
        {"mass", !was_given(call, "mass"), contact->mass},
        {"restitution", false, contact->restitution},
        {"friction", !was_given(call, "mu"), contact->friction},
    };
    memcpy(all, rows, sizeof rows);
    return IMP_COUNT(rows);
}

static void write_ours(conversion *c) {
    const imp_engine_call *call = &c->call;
    const form *f = form_of(c);
    ours all[MAX_WORDS] = {
        {"velocity_ratio", !was_given(call, "velocity_ratio"), input_value(call, "velocity_ratio")},
        {"normal_speed", !was_given(call, "normal_speed"), input_value(call, "normal_speed")},
    };
    int n = 2 + f->write(call, all + 2);
    snprintf(c->result->line, sizeof c->result->line, "impactsweep cell %s body=sphere law=%s",
             f->theory, f->law);
    add(c->result, (imp_converted){.name = "body", .unit = "1", .word = "sphere"});
    add(c->result, (imp_converted){.name = "law", .unit = "1", .word = f->law});
    for (int i = 0; i < n; i++) {
        add_ours(c, &all[i]);
    }
}

/* Values out of the ranges of the theory are errors here, not in the cell. */
static imp_err check_ours(const conversion *c, imp_text *messages) {
    static const char *const none[] = {NULL};
    char text[MAX_WORDS][2 * LONGEST_WORD];
    const char *words[MAX_WORDS];
    for (int i = 0; i < c->result->n_values; i++) {
        const imp_converted *one = &c->result->values[i];
        snprintf(text[i], sizeof text[i], "%s=%s", one->name,
                 one->word ? one->word : imp_code_number(one->value).text);
        words[i] = text[i];
    }
    imp_text given = {0};
    for (size_t w = 0; w < c->n; w++) {
        imp_text_print(&given, "%s%s", w > 0 ? " " : "", c->words[w]);
    }
    conversion derived = *c;
    derived.source = imp_text_get(&given);
    imp_sweep sweep = {.theory = NULL};
    imp_err error = given.failed ? IMP_ERR_MEMORY
                                 : read_ours(&derived, (size_t)c->result->n_values, words, none,
                                             &sweep, messages);
    imp_sweep_free(&sweep);
    imp_text_free(&given);
    return error;
}

static imp_err forward(conversion *c, imp_text *messages) {
    imp_engine_call *call = &c->call;
    for (int i = 0; i < call->engine->n_inputs; i++) {
        call->in[i] = call->engine->inputs[i].parameter.fallback;
    }
    for (size_t w = 0; w < c->n; w++) {
        read_word(c, w);
    }
    if (call->report->total == 0) {
        call->engine->to(call);
    }
    imp_err error = imp_report_finish(call->report, messages);
    if (!error) {
        write_ours(c);
        error = check_ours(c, messages);
    }
    return error;
}

/* ---- back ---- */

static double fixed(const imp_sweep *sweep, const char *name) {
    return sweep->fixed[imp_sweep_find_fixed(sweep, name)].value;
}

static void report_choice(conversion *c, const imp_sweep *sweep, const char *name,
                          const char *needed) {
    const imp_theory *theory = sweep->theory;
    for (int i = 0; i < theory->n_choices; i++) {
        const imp_choice *choice = &theory->choices[i];
        const char *chosen = choice->options[sweep->chosen[i]]->name;
        if (strcmp(choice->name, name) == 0 && strcmp(chosen, needed) != 0) {
            imp_call_error(&c->call, "%s is %s; %s has %s alone", name, chosen,
                           c->call.engine->name, needed);
        }
    }
}

/* Stands for a ratio that was not given, until the code's usual one takes its place. */
static const char no_ratio[] = "1";

static bool gives(const conversion *c, const char *name) {
    size_t length = strlen(name);
    for (size_t w = 0; w < c->n; w++) {
        if (strncmp(c->words[w], name, length) == 0 && c->words[w][length] == '=') {
            return true;
        }
    }
    return false;
}

static double stiffness_ratio_of(const conversion *c, const imp_sweep *sweep, bool *given) {
    int poisson = imp_sweep_find_fixed(sweep, "poisson_ratio");
    *given = poisson >= 0 || gives(c, "stiffness_ratio");
    if (poisson >= 0) {
        const imp_fixed *other = &sweep->fixed[poisson];
        return other->parameter->converted(other->value);
    }
    return *given ? fixed(sweep, "stiffness_ratio") : c->call.engine->usual_ratio;
}

static void take_dashpot(conversion *c, const imp_sweep *sweep) {
    bool given;
    double ratio = stiffness_ratio_of(c, sweep, &given);
    c->call.contact = (imp_code_contact){
        .mass = fixed(sweep, "mass"),
        .stiffness = fixed(sweep, "normal_stiffness"),
        .stiffness_ratio = ratio,
        .ratio_given = given,
        .tangential_given =
            sweep->fixed[imp_sweep_find_fixed(sweep, "tangential_damping_ratio")].given,
        .normal_ratio = fixed(sweep, "normal_damping_ratio"),
        .tangential_ratio = fixed(sweep, "tangential_damping_ratio"),
        .friction = fixed(sweep, "friction"),
        .by_elongation = fixed(sweep, "contact_end") > 0,
        .asked = NAN,
        .real_scale = true,
    };
}

static void take_rigid(conversion *c, const imp_sweep *sweep) {
    if (imp_sweep_find_fixed(sweep, "yield_speed") >= 0) {
        imp_call_error(&c->call, "yield_speed is given; %s has one restitution for every speed",
                       c->call.engine->name);
        return;
    }
    c->call.contact = (imp_code_contact){.mass = fixed(sweep, "mass"),
                                         .restitution = fixed(sweep, "restitution"),
                                         .friction = fixed(sweep, "friction"),
                                         .asked = NAN};
}

/* Values that the code cannot take, as their numbers have run out of doubles, are errors. */
static void check_theirs(conversion *c) {
    const imp_engine *engine = c->call.engine;
    for (int i = 0; i < engine->n_inputs; i++) {
        const imp_parameter *p = &engine->inputs[i].parameter;
        double value = c->call.in[i];
        if (!isnan(value) && !in_range(p, value)) {
            imp_text range = {0};
            imp_print_ranges(&range, &p, 1);
            imp_call_error(&c->call, "%s comes out as %s; %s takes values in %s", p->name,
                           imp_code_number(value).text, engine->name, imp_text_get(&range));
            imp_text_free(&range);
        }
    }
}

static void take_ours(conversion *c, const imp_sweep *sweep) {
    report_choice(c, sweep, "body", "sphere");
    report_choice(c, sweep, "law", form_of(c)->law);
    for (int f = 0; f < sweep->n_fixed; f++) {
        if (sweep->fixed[f].formula[0]) {
            imp_call_error(&c->call, "%s is a formula; give its value",
                           sweep->fixed[f].parameter->name);
        }
    }
    if (c->call.report->total == 0) {
        form_of(c)->take(c, sweep);
    }
    if (c->call.report->total == 0) {
        c->call.engine->from(&c->call);
    }
    if (c->call.report->total == 0) {
        check_theirs(c);
    }
}

static void write_theirs(conversion *c) {
    const imp_engine_call *call = &c->call;
    for (int i = 0; i < call->engine->n_inputs; i++) {
        const imp_parameter *p = &call->engine->inputs[i].parameter;
        bool known = !isnan(call->in[i]);
        if (known) {
            const char *word = p->words ? p->words[(int)call->in[i]] : NULL;
            add(c->result, (imp_converted){.name = p->name,
                                           .unit = p->unit,
                                           .word = word,
                                           .value = call->in[i],
                                           .assumed = false});
        }
    }
    call->engine->line(call, sizeof c->result->line, c->result->line);
}

static imp_err back(conversion *c, imp_text *messages) {
    /* stiffness_ratio ends the list where it is no parameter, or poisson_ratio is in its place. */
    bool has_ratio = c->call.engine->form == IMP_DASHPOT && !gives(c, "poisson_ratio");
    const char *ratio = has_ratio ? "stiffness_ratio" : NULL;
    const char *const defaults[] = {"body", "sphere",   "law", form_of(c)->law, "velocity_ratio",
                                    "0",    "friction", "0",   ratio,           no_ratio,
                                    NULL};
    imp_sweep sweep = {.theory = NULL};
    for (int i = 0; i < c->call.engine->n_inputs; i++) {
        c->call.in[i] = NAN;
    }
    for (size_t w = 0; w < c->n; w++) {
        if (is_theirs(c, c->words[w])) {
            read_word(c, w);
        }
    }
    imp_err error = read_ours(c, c->n, c->words, defaults, &sweep, messages);
    if (!error) {
        take_ours(c, &sweep);
        error = imp_report_finish(c->call.report, messages);
    }
    imp_sweep_free(&sweep);
    if (!error) {
        write_theirs(c);
    }
    return error;
}

/* ---- the forms ---- */

static double dashpot_restitution(const imp_code_contact *d) {
    return imp_dashpot_restitution(d->normal_ratio, d->by_elongation);
}

static double rigid_restitution(const imp_code_contact *contact) {
    return contact->restitution;
}

static const form forms[] = {
    [IMP_DASHPOT] = {"compliant", "dashpot", write_dashpot, take_dashpot, dashpot_restitution},
    [IMP_NEWTON] = {"rigid", "newton", write_rigid, take_rigid, rigid_restitution},
    [IMP_POISSON] = {"rigid", "poisson", write_rigid, take_rigid, rigid_restitution},
};

static const form *form_of(const conversion *c) {
    return &forms[c->call.engine->form];
}

/* ---- the function ---- */

static const imp_engine *find(conversion *c, const char *code) {
    const char *names[MAX_WORDS];
    size_t n = 0;
    for (; imp_engine_at((int)n); n++) {
        names[n] = imp_engine_at((int)n)->name;
        if (imp_code_among(names[n], code)) {
            return imp_engine_at((int)n);
        }
    }
    imp_place place = {.kind = c->numbered ? IMP_FROM_NOWHERE : IMP_FROM_CALLER};
    imp_report_unknown(c->call.report, place, "code", code, "", names, n);
    return NULL;
}

imp_err imp_convert_words(const char *code, bool reverse, size_t n, const char *const *words,
                          bool numbered, imp_conversion *result, imp_text *messages) {
    imp_report report = {.n = 0};
    *result = (imp_conversion){.asked = NAN};
    conversion c = {.result = result, .numbered = numbered, .n = n, .words = words};
    c.call.report = &report;
    c.call.contact.asked = NAN;
    c.call.place = (imp_place){.kind = numbered ? IMP_FROM_NOWHERE : IMP_FROM_CALLER};
    c.call.engine = find(&c, code);
    if (!c.call.engine) {
        return imp_report_finish(&report, messages);
    }
    imp_err error = reverse ? back(&c, messages) : forward(&c, messages);
    if (!error) {
        result->asked = c.call.contact.asked;
        result->restitution = form_of(&c)->restitution(&c.call.contact) + 0.0;
        imp_engine_remark(&c.call, result);
    }
    return error;
}

imp_err imp_convert(const char *code, bool reverse, size_t n, const char *const *words,
                    imp_conversion *result) {
    imp_text messages = {0};
    imp_err error = imp_convert_words(code, reverse, n, words, false, result, &messages);
    return imp_words_note(error, &messages);
}
