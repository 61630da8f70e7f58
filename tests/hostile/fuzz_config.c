/* Fuzzes the reader of configs. With -fsanitize=fuzzer and -DHOSTILE_FUZZER this is a libFuzzer
 * target, with -DHOSTILE_REPLAY a program that replays the files of its arguments, otherwise only
 * the check for test_corpus.c. */
#include "hostile/config_check.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WORDS = 32, MAX_CELLS_LOG2 = 40, MAX_LINES = 101 };

/* ---- good sweeps ---- */

static bool some_signature_admits(const imp_signature *signatures, int n, const imp_fixed *fixed) {
    for (int s = 0; s < n; s++) {
        int p = imp_signature_find(&signatures[s], fixed->parameter->name);
        if (p >= 0 && imp_parameter_admits(signatures[s].parameter[p], fixed->value)) {
            return true;
        }
    }
    return false;
}

static const char *fault_of_fixed(const imp_sweep *sweep, const imp_signature *signatures, int n) {
    for (int f = 0; f < sweep->n_fixed; f++) {
        const char *name = sweep->fixed[f].parameter->name;
        int axis, column;
        if (!some_signature_admits(signatures, n, &sweep->fixed[f])) {
            return "no signature admits a fixed value";
        }
        if (imp_sweep_find_fixed(sweep, name) != f ||
            imp_grid_find(&sweep->grid, name, &axis, &column)) {
            return "a parameter is given twice";
        }
    }
    return NULL;
}

static bool has_value(const imp_sweep *sweep, const char *name) {
    int axis, column;
    return imp_sweep_find_fixed(sweep, name) >= 0 ||
           imp_grid_find(&sweep->grid, name, &axis, &column);
}

/* The parameter that parameter p stands for, -1 for none. */
static int target_of(const imp_signature *signature, int p) {
    const char *name = signature->parameter[p]->stands_for;
    return name ? imp_signature_find(signature, name) : -1;
}

/* Every parameter that applies has a value, its own or that of one that stands for it. */
static const char *fault_of_signatures(const imp_sweep *sweep, const imp_signature *signatures,
                                       int n) {
    for (int s = 0; s < n; s++) {
        int ways[IMP_MAX_PARAMETERS] = {0};
        for (int p = 0; p < signatures[s].n_parameters; p++) {
            const imp_parameter *parameter = signatures[s].parameter[p];
            int target = target_of(&signatures[s], p);
            bool beside = parameter->beside && has_value(sweep, parameter->stands_for);
            ways[target < 0 ? p : target] += !beside && has_value(sweep, parameter->name);
        }
        for (int p = 0; p < signatures[s].n_parameters; p++) {
            /* One that may stand beside a parameter is left where that one is searched or drawn. */
            bool stands = target_of(&signatures[s], p) >= 0 || signatures[s].parameter[p]->beside;
            if (!stands && ways[p] != 1) {
                return ways[p] ? "a parameter has two values" : "a parameter has no value";
            }
        }
    }
    return NULL;
}

static const char *fault_of_column(const imp_theory *theory, const imp_axis *axis,
                                   const imp_column *column) {
    for (int64_t i = 0; i < axis->size; i++) {
        double value = column->values[i];
        if (!isfinite(value)) {
            return "a value of an axis is not finite";
        }
        if (column->choice >= 0 &&
            !(value >= 0 && value < theory->choices[column->choice].n_options &&
              value == floor(value))) {
            return "a value of an axis is no option";
        }
    }
    return NULL;
}

static const char *fault_of_grid(const imp_sweep *sweep) {
    const char *fault = NULL;
    int64_t cells = imp_grid_cells(&sweep->grid);
    if (cells < 1 || cells > INT64_C(1) << MAX_CELLS_LOG2) {
        return "the number of cells is out of range";
    }
    for (int a = 0; a < sweep->grid.n_axes; a++) {
        const imp_axis *axis = &sweep->grid.axes[a];
        if (axis->size < 1 || axis->n_columns < 1 || !axis->name[0]) {
            return "an axis is incomplete";
        }
        for (int c = 0; !fault && c < axis->n_columns; c++) {
            fault = fault_of_column(sweep->theory, axis, &axis->columns[c]);
        }
    }
    return fault;
}

static const char *fault_of_choices(const imp_sweep *sweep) {
    for (int c = 0; c < sweep->theory->n_choices; c++) {
        int axis, column, option = sweep->chosen[c];
        bool swept = imp_grid_find(&sweep->grid, sweep->theory->choices[c].name, &axis, &column);
        if (swept != (option < 0) || option >= sweep->theory->choices[c].n_options) {
            return "a choice is neither made nor swept";
        }
    }
    for (int o = 0; o < sweep->n_outputs; o++) {
        if (sweep->outputs[o] < (o > 0 ? sweep->outputs[o - 1] + 1 : 0) ||
            sweep->outputs[o] >= sweep->theory->n_outputs) {
            return "the outputs are not in the order of the theory";
        }
    }
    return sweep->n_outputs > 0 ? NULL : "there are no outputs";
}

static const char *fault_of_sweep(const imp_sweep *sweep) {
    if (!sweep->theory) {
        return "a good sweep has no theory";
    }
    const char *fault = fault_of_choices(sweep);
    fault = fault ? fault : fault_of_grid(sweep);
    if (fault) {
        return fault;
    }
    int n = 0;
    imp_signature *signatures = imp_sweep_signatures(sweep, &n);
    if (!signatures || n < 1) {
        fault = "there is no signature";
    } else {
        fault = fault_of_fixed(sweep, signatures, n);
        fault = fault ? fault : fault_of_signatures(sweep, signatures, n);
    }
    free(signatures);
    return fault;
}

/* ---- good messages ---- */

static const char *fault_of_line(const char *line, size_t length, bool last) {
    static const char more[] = " more errors are not shown";
    size_t digits = strspn(line, "0123456789");
    for (size_t i = 0; i < length; i++) {
        if ((unsigned char)line[i] < ' ' || line[i] == 0x7F) {
            return "a message has a control character";
        }
    }
    if (last && digits > 0 && strncmp(line + digits, more, sizeof more - 1) == 0) {
        return NULL;
    }
    for (size_t i = 0; i + 7 <= length; i++) {
        if (memcmp(line + i, "error: ", 7) == 0) {
            return NULL;
        }
    }
    return "a line of the messages has no 'error: '";
}

static const char *fault_of_messages(const imp_text *messages) {
    const char *line = imp_text_get(messages), *fault = NULL;
    int lines = 0;
    if (strlen(line) != messages->length) {
        return "the messages contain the character 0";
    }
    for (; !fault && *line; lines++) {
        const char *end = strchr(line, '\n');
        if (!end) {
            return "the last message does not end its line";
        }
        fault = fault_of_line(line, (size_t)(end - line), end[1] == 0);
        line = end + 1;
    }
    return fault || lines <= MAX_LINES ? fault : "there are too many messages";
}

const char *hostile_fault_of_result(imp_err error, const imp_sweep *sweep,
                                    const imp_text *messages) {
    bool empty = !sweep->theory && sweep->grid.n_axes == 0 && sweep->n_fixed == 0;
    if (error != IMP_OK && error != IMP_ERR_INPUT) {
        return "neither good nor bad input";
    }
    if ((error == IMP_OK) != (messages->length == 0)) {
        return error ? "bad input without a message" : "good input with messages";
    }
    if (error) {
        return empty ? fault_of_messages(messages) : "bad input left a sweep";
    }
    return fault_of_sweep(sweep);
}

/* ---- the readers on some bytes ---- */

typedef struct part {
    const char *bytes;
    size_t length;
    bool given;
} part;

typedef struct input {
    part config, table, overrides;
} input;

/* Cuts the first part off the rest. */
static part cut(part *rest) {
    const size_t n = sizeof HOSTILE_SEPARATOR - 1;
    part first = *rest;
    for (size_t i = 0; i + n <= rest->length; i++) {
        if (memcmp(rest->bytes + i, HOSTILE_SEPARATOR, n) == 0) {
            first.length = i + 1; /* with the end of its last line */
            *rest = (part){rest->bytes + i + n, rest->length - i - n, rest->given};
            return first;
        }
    }
    *rest = (part){"", 0, false};
    return first;
}

/* A copy in memory of exactly its size, so that a sanitizer sees every read beyond it. */
static char *copy_of(part from) {
    char *bytes = malloc(from.length + 1);
    if (!bytes) {
        abort();
    }
    memcpy(bytes, from.bytes, from.length);
    bytes[from.length] = 0;
    return bytes;
}

static const char *load(void *context, const char *path, char **bytes, size_t *length) {
    const input *in = context;
    part from = strcmp(path, "x/y.yaml") == 0 ? in->config : in->table;
    *bytes = NULL;
    if (!from.given) {
        return "No such file or directory";
    }
    *bytes = copy_of(from);
    *length = from.length;
    return NULL;
}

/* Cuts text into its words, in place. A word ends where one of the `ends` stands. */
static int split(char *text, const char *ends, const char **words) {
    int n = 0;
    for (char *at = text + strspn(text, ends); *at && n < MAX_WORDS; n++) {
        words[n] = at;
        at += strcspn(at, ends);
        if (*at) {
            *at++ = 0;
            at += strspn(at, ends);
        }
    }
    return n;
}

static const char *fault_of_config(input *in) {
    const char *overrides[MAX_WORDS];
    char *lines = copy_of(in->overrides);
    imp_loader loader = {.load = load, .context = in};
    imp_text messages = {0};
    imp_sweep sweep;
    int n = in->overrides.given ? split(lines, "\n", overrides) : 0;
    imp_err error = imp_config_read(&loader, "x/y.yaml", overrides, n, &sweep, &messages);
    const char *fault = hostile_fault_of_result(error, &sweep, &messages);
    imp_sweep_free(&sweep);
    imp_text_free(&messages);
    free(lines);
    return fault;
}

static const char *fault_of_words(part all) {
    const char *words[MAX_WORDS];
    char *text = copy_of(all);
    imp_text messages = {0};
    imp_sweep sweep;
    int n = split(text, " \n", words);
    bool named = n > 0 && imp_theory_find(words[0]);
    imp_err error = imp_config_words(named ? words[0] : "compliant", words + named, n - named,
                                     &sweep, &messages);
    const char *fault = hostile_fault_of_result(error, &sweep, &messages);
    fault = fault || sweep.grid.n_axes == 0 ? fault : "words made an axis";
    imp_sweep_free(&sweep);
    imp_text_free(&messages);
    free(text);
    return fault;
}

const char *hostile_fault_of_input(const unsigned char *bytes, size_t length) {
    part all = {(const char *)bytes, length, true}, rest = all;
    input in = {.config = cut(&rest)};
    in.table = cut(&rest);
    in.overrides = cut(&rest);
    const char *fault = fault_of_config(&in);
    return fault ? fault : fault_of_words(all);
}

/* ---- points ---- */

bool hostile_is_large(const unsigned char *bytes, size_t length) {
    static const char key[] = "points";
    const size_t n = sizeof key - 1;
    for (size_t i = 0; i + n <= length; i++) {
        size_t at = i + n, digits = 0;
        if (memcmp(bytes + i, key, n) != 0) {
            continue;
        }
        while (at < length && !isdigit(bytes[at]) && bytes[at] != ',') {
            at++;
        }
        for (; at < length && isdigit(bytes[at]); at++) {
            digits += digits > 0 || bytes[at] != '0';
        }
        if (digits > 6) {
            return true;
        }
    }
    return false;
}

#ifdef HOSTILE_FUZZER
int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t length);

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t length) {
    const char *fault =
        hostile_is_large(bytes, length) ? NULL : hostile_fault_of_input(bytes, length);
    if (fault) {
        fprintf(stderr, "fault: %s\n", fault);
        abort();
    }
    return 0;
}
#endif

#ifdef HOSTILE_REPLAY
int main(int argc, char **argv) {
    int failed = 0;
    for (int i = 1; i < argc; i++) {
        char *bytes;
        size_t length;
        const char *fault = imp_file_loader.load(NULL, argv[i], &bytes, &length);
        fault = fault ? fault : hostile_fault_of_input((const unsigned char *)bytes, length);
        free(bytes);
        if (fault) {
            printf("%s: %s\n", argv[i], fault);
            failed = 1;
        }
    }
    return failed;
}
#endif
