/* The reader of formulas: one function per rule of the grammar in formula.h. */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "base/number.h"
#include "num/formula_impl.h"

typedef imp_formula_reader reader;
typedef imp_operand operand;

static operand read_condition(reader *r);

/* ---- errors and steps ---- */

void imp_formula_fail(reader *r, const char *at, const char *format, ...) {
    char message[8192];
    if (r->broken) {
        return;
    }
    va_list words;
    va_start(words, format);
    imp_message(message, sizeof message, format, words);
    va_end(words);
    r->names->fail(r->context, (int)(at - r->text) + 1, message);
    r->failed = true;
}

void imp_formula_push(reader *r, imp_step step) {
    r->depth += imp_step_growth(step.kind);
    if (r->to->n == IMP_FORMULA_STEPS || r->depth > IMP_FORMULA_DEPTH) {
        IMP_BREAK(r, "the %s is too long: allowed are %d terms, %d of them pending",
                  r->names->whole, IMP_FORMULA_STEPS, IMP_FORMULA_DEPTH);
    } else if (!r->broken) {
        r->to->steps[r->to->n++] = step;
    }
}

/* Reports an error unless the operand is of the kind. */
static void need(reader *r, const operand *of, imp_operand_kind wanted) {
    if (of->kind == IMP_WORD) {
        r->names->refuse(r, of);
    } else if (of->kind != wanted) {
        imp_formula_fail(r, of->at,
                         wanted == IMP_TRUTH ? "a condition is missing here, such as friction > 0.3"
                         : of->kind == IMP_TRUTH
                             ? "a number is missing here; a condition is not a number"
                             : "a category can only be compared with one of its words");
    }
}

static void push_is(reader *r, const operand *of, const operand *word) {
    r->names->push_is(r, of, word);
}

/* ---- characters ---- */

static void skip(reader *r) {
    r->at += strspn(r->at, " \t\n");
}

static bool is_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

/* Skips the sign or word if it is next; whether it was. */
static bool take(reader *r, const char *expected) {
    skip(r);
    size_t n = strlen(expected);
    bool here = !r->broken && strncmp(r->at, expected, n) == 0 &&
                !(is_word(expected[0]) && is_word(r->at[n]));
    r->at += here ? n : 0;
    return here;
}

static void expect(reader *r, const char *sign) {
    if (!take(r, sign)) {
        IMP_BREAK(r, "'%s' is missing", sign);
    }
}

/* ---- values ---- */

static operand read_number(reader *r) {
    operand read = {.kind = IMP_NUMBER, .at = r->at};
    imp_quantity quantity = {0, IMP_UNIT_NONE};
    const char *end = r->at;
    while (is_word(*end) || *end == '.' ||
           ((*end == '+' || *end == '-') && strchr("eE", end[-1]))) {
        end++;
    }
    const char *unit = end + strspn(end, " ");
    bool angle =
        (strncmp(unit, "deg", 3) == 0 || strncmp(unit, "rad", 3) == 0) && !is_word(unit[3]);
    end = angle ? unit + 3 : end;
    snprintf(read.word, sizeof read.word, "%.*s", (int)(end - r->at), r->at);
    const char *wrong = imp_read_quantity(read.word, "rad", &quantity);
    if (wrong) {
        imp_formula_fail(r, r->at, "'%s' %s; allowed are numbers such as 0.5, 1e-3, 30 deg",
                         read.word, wrong);
    }
    r->at = end;
    imp_formula_push(r, (imp_step){.kind = IMP_STEP_NUMBER, .number = imp_quantity_si(quantity)});
    return read;
}

/* A name or a word, without quotes. */
static operand read_text(reader *r) {
    skip(r);
    operand read = {.kind = IMP_WORD, .at = r->at};
    char quote = *r->at == '\'' || *r->at == '"' ? *r->at : 0;
    r->at += quote != 0;
    size_t n = 0;
    while (quote ? r->at[n] && r->at[n] != quote : is_word(r->at[n])) {
        n++;
    }
    if (quote && !r->at[n]) {
        IMP_BREAK(r, "the closing quotation mark %c is missing", quote);
    } else if (n == 0 || n >= IMP_FORMULA_WORD) {
        IMP_BREAK(r, "%s, a number or a word is missing here", r->names->wanted);
    }
    snprintf(read.word, sizeof read.word, "%.*s", (int)(n < IMP_FORMULA_WORD ? n : 0), r->at);
    r->at += n + (quote && r->at[n]);
    return read;
}

/* abs(x), sqrt(x), .., defined(x). */
static bool read_function(reader *r, operand *read) {
    static const struct {
        const char *name;
        imp_step_kind step;
        imp_operand_kind result;
    } functions[] = {
        {"abs", IMP_STEP_ABS, IMP_NUMBER},     {"sqrt", IMP_STEP_SQRT, IMP_NUMBER},
        {"sin", IMP_STEP_SINE, IMP_NUMBER},    {"cos", IMP_STEP_COSINE, IMP_NUMBER},
        {"tan", IMP_STEP_TANGENT, IMP_NUMBER}, {"exp", IMP_STEP_EXP, IMP_NUMBER},
        {"log", IMP_STEP_LOG, IMP_NUMBER},     {"defined", IMP_STEP_DEFINED, IMP_TRUTH}};
    const char *start = r->at;
    for (size_t f = 0; f < sizeof functions / sizeof *functions; f++) {
        if (take(r, functions[f].name) && take(r, "(")) {
            operand of = read_condition(r);
            if (of.kind == IMP_WORD || functions[f].result == IMP_NUMBER) {
                need(r, &of, IMP_NUMBER);
            }
            expect(r, ")");
            imp_formula_push(r, (imp_step){.kind = functions[f].step});
            *read = (operand){.kind = functions[f].result, .at = start};
            return true;
        }
        r->at = start;
    }
    return false;
}

static operand read_brackets(reader *r) {
    enum { NESTED = 64 };
    if (++r->nested > NESTED) {
        IMP_BREAK(r, "nested too deeply: at most %d brackets inside each other are allowed",
                  NESTED);
    }
    operand read = r->broken ? (operand){.kind = IMP_NUMBER} : read_condition(r);
    expect(r, ")");
    r->nested--;
    return read;
}

static operand read_name(reader *r) {
    bool quoted = *r->at == '\'' || *r->at == '"';
    operand read = read_text(r);
    if (!quoted && !r->broken) {
        r->names->resolve(r, &read);
    }
    return read;
}

/* ---- rules ---- */

static operand read_factor(reader *r) {
    skip(r);
    operand read = {.at = r->at};
    bool negative = take(r, "-");
    if (negative || take(r, "+")) {
        read = read_factor(r);
        need(r, &read, IMP_NUMBER);
        if (negative) {
            imp_formula_push(r, (imp_step){.kind = IMP_STEP_NEGATE});
        }
        return read;
    }
    if (take(r, "(")) {
        return read_brackets(r);
    }
    if (isdigit((unsigned char)*r->at) || *r->at == '.') {
        return read_number(r);
    }
    return read_function(r, &read) ? read : read_name(r);
}

/* A rule of the form "part {sign part}". */
typedef struct chain {
    operand (*part)(reader *r);
    struct {
        const char *sign;
        imp_step_kind step;
    } signs[2];
    imp_operand_kind of;
} chain;

static operand read_chain(reader *r, const chain *rule) {
    operand left = rule->part(r);
    for (int s = 0; s < 2 && rule->signs[s].sign; s++) {
        if (take(r, rule->signs[s].sign)) {
            need(r, &left, rule->of);
            operand right = rule->part(r);
            need(r, &right, rule->of);
            imp_formula_push(r, (imp_step){.kind = rule->signs[s].step});
            left.kind = rule->of;
            s = -1;
        }
    }
    return left;
}

static operand read_product(reader *r) {
    static const chain rule = {
        read_factor, {{"*", IMP_STEP_MULTIPLY}, {"/", IMP_STEP_DIVIDE}}, IMP_NUMBER};
    return read_chain(r, &rule);
}

static operand read_sum(reader *r) {
    static const chain rule = {
        read_product, {{"+", IMP_STEP_ADD}, {"-", IMP_STEP_SUBTRACT}}, IMP_NUMBER};
    return read_chain(r, &rule);
}

static bool has_words(const operand *of) {
    return of->kind == IMP_CODE || of->kind == IMP_PHASES;
}

/* "variable in (word, word)": the value is pushed once for each word. */
static void read_list(reader *r, const operand *of) {
    imp_step value = r->to->steps[r->to->n > 0 ? r->to->n - 1 : 0];
    if (!has_words(of)) {
        imp_formula_fail(r, of->at,
                         "only a category can stand before 'in': mode in (wedge, gross_slip)");
    }
    expect(r, "(");
    for (int n = 0; !r->broken && (n == 0 || take(r, ",")); n++) {
        operand word = read_text(r);
        if (n > 0) {
            imp_formula_push(r, value);
        }
        if (has_words(of)) {
            push_is(r, of, &word);
        }
        if (n > 0) {
            imp_formula_push(r, (imp_step){.kind = IMP_STEP_OR});
        }
    }
    expect(r, ")");
}

static bool take_comparison(reader *r, imp_step_kind *step) {
    static const struct {
        const char *sign;
        imp_step_kind step;
    } signs[] = {{"==", IMP_STEP_EQUAL},    {"!=", IMP_STEP_UNEQUAL}, {"<=", IMP_STEP_AT_MOST},
                 {">=", IMP_STEP_AT_LEAST}, {"<", IMP_STEP_LESS},     {">", IMP_STEP_GREATER}};
    for (size_t s = 0; s < sizeof signs / sizeof *signs; s++) {
        if (take(r, signs[s].sign)) {
            *step = signs[s].step;
            return true;
        }
    }
    if (take(r, "=")) {
        IMP_BREAK(r, "'=' is not a comparison; write ==");
    }
    return false;
}

static void compare_words(reader *r, imp_step_kind step, const operand *left,
                          const operand *right) {
    const operand *of = has_words(left) ? left : right, *word = of == left ? right : left;
    if (word->kind != IMP_WORD) {
        need(r, of, IMP_NUMBER);
    } else if (step != IMP_STEP_EQUAL && step != IMP_STEP_UNEQUAL) {
        imp_formula_fail(r, of->at, "words have no order: only == and != are allowed");
    } else {
        push_is(r, of, word);
        if (step == IMP_STEP_UNEQUAL) {
            imp_formula_push(r, (imp_step){.kind = IMP_STEP_NOT});
        }
    }
}

static operand read_comparison(reader *r) {
    operand left = read_sum(r);
    imp_step_kind step;
    if (take(r, "in")) {
        read_list(r, &left);
    } else if (take_comparison(r, &step)) {
        operand right = read_sum(r);
        if (has_words(&left) || has_words(&right)) {
            compare_words(r, step, &left, &right);
        } else {
            need(r, &left, IMP_NUMBER);
            need(r, &right, IMP_NUMBER);
            imp_formula_push(r, (imp_step){.kind = step});
        }
        const char *at = r->at;
        if (take_comparison(r, &step)) {
            r->at = at;
            IMP_BREAK(r, "a comparison has two sides; write 0.2 < friction and friction < 0.5");
        }
    } else {
        return left;
    }
    return (operand){.kind = IMP_TRUTH, .at = left.at};
}

static operand read_negated(reader *r) {
    if (!take(r, "not")) {
        return read_comparison(r);
    }
    operand read = read_negated(r);
    need(r, &read, IMP_TRUTH);
    imp_formula_push(r, (imp_step){.kind = IMP_STEP_NOT});
    return read;
}

static operand read_both(reader *r) {
    static const chain rule = {read_negated, {{"and", IMP_STEP_AND}}, IMP_TRUTH};
    return read_chain(r, &rule);
}

static operand read_condition(reader *r) {
    static const chain rule = {read_both, {{"or", IMP_STEP_OR}}, IMP_TRUTH};
    return read_chain(r, &rule);
}

void imp_formula_expand(reader *r, const char *text) {
    enum { NESTED = 16 };
    const char *whole = r->text, *at = r->at;
    if (r->nested > NESTED) {
        IMP_BREAK(r, "formulas follow each other too deeply");
        return;
    }
    r->nested++;
    r->text = r->at = text;
    operand value = read_sum(r);
    need(r, &value, IMP_NUMBER);
    r->nested--;
    r->text = whole;
    r->at = at;
}

bool imp_formula_read(const char *text, const imp_formula_names *names, void *context,
                      imp_operand_kind wanted, imp_formula *formula) {
    reader r = {.to = formula, .names = names, .context = context, .text = text, .at = text};
    formula->n = 0;
    if (strlen(text) > IMP_FORMULA_LENGTH) {
        IMP_BREAK(&r, "the %s is too long: at most %d characters are allowed", names->whole,
                  IMP_FORMULA_LENGTH);
    }
    operand whole = read_condition(&r);
    need(&r, &whole, wanted);
    skip(&r);
    if (*r.at && !r.broken) {
        IMP_BREAK(&r, wanted == IMP_TRUTH
                          ? "unexpected text; allowed here are 'and', 'or', an operator or the end"
                          : "unexpected text; allowed here are + - * / or the end");
    }
    return !r.failed;
}
