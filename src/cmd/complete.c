/* impactsweep complete -- WORD...: one candidate for the last word per line, and after a tab its
 * meaning. Used by the completions of bash and zsh (completion.bash, completion.zsh). */
#include <stdarg.h>
#include <string.h>

#include "cmd/cmd.h"
#include "config/config.h"
#include "config/engine.h"
#include "models/signature.h"

/* The words of an unfinished call. */
typedef struct call {
    const imp_command *command;
    const imp_switch *wants_value; /* the option whose value is the last word */
    char **plain;                  /* words before the last, without options */
    int n_plain;
    bool ended;       /* after "--": no more options */
    const char *last; /* may be empty or incomplete */
} call;

static void offer(const call *c, const char *meaning, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void offer(const call *c, const char *meaning, const char *format, ...) {
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (strncmp(text, c->last, strlen(c->last)) == 0) {
        printf("%s\t%s\n", text, meaning);
    }
}

static void offer_files(const call *c) {
    (void)c;
    printf(":files\t\n");
}

static void offer_commands(const call *c) {
    for (int i = 0; imp_command_at(i); i++) {
        offer(c, imp_command_at(i)->summary, "%s", imp_command_at(i)->name);
    }
}

static void offer_theories(const call *c) {
    for (const imp_theory *theory = NULL; (theory = imp_theory_offered(theory)) != NULL;) {
        offer(c, theory->title, "%s", theory->name);
    }
}

/* ---- key=value ---- */

/* The value of the word "name=value" before the last word; NULL if there is none. */
static const char *given(const call *c, const char *name) {
    size_t length = strlen(name);
    for (int i = 0; i < c->n_plain; i++) {
        if (strncmp(c->plain[i], name, length) == 0 && c->plain[i][length] == '=') {
            return c->plain[i] + length + 1;
        }
    }
    return NULL;
}

static void offer_options(const call *c, const imp_choice *choice) {
    for (int o = 0; o < choice->n_options; o++) {
        offer(c, choice->options[o]->meaning, "%s=%s", choice->name, choice->options[o]->name);
    }
}

static void offer_parameters(const call *c, const imp_parameter *const *parameters, int n) {
    for (int p = 0; p < n; p++) {
        const imp_parameter *parameter = parameters[p];
        if (!given(c, parameter->name) && !given(c, imp_parameter_target(parameter))) {
            offer(c, parameter->meaning, "%s=", parameter->name);
        }
    }
}

/* Offers choices without a value, and the parameters of the chosen or default options. */
static void offer_keys(const call *c, const imp_theory *theory) {
    offer_parameters(c, theory->parameters, theory->n_parameters);
    for (int i = 0; i < theory->n_choices; i++) {
        const imp_choice *choice = &theory->choices[i];
        const char *name = given(c, choice->name);
        int chosen = name ? imp_choice_option(choice, name) : choice->fallback;
        if (strchr(c->last, '=')) {
            offer_options(c, choice);
        } else if (!name) {
            offer(c, choice->meaning, "%s=", choice->name);
        }
        if (chosen >= 0) {
            offer_parameters(c, choice->options[chosen]->parameters,
                             choice->options[chosen]->n_parameters);
        }
    }
}

static void offer_cell(const call *c) {
    const imp_theory *theory = imp_theory_find(c->plain[0]);
    if (theory) {
        offer_keys(c, theory);
    }
}

/* ---- other codes, for convert ---- */

static void offer_codes(const call *c) {
    for (int i = 0; imp_engine_at(i); i++) {
        offer(c, imp_engine_at(i)->title, "%s", imp_engine_at(i)->name);
    }
}

static void offer_inputs(const call *c) {
    for (int i = 0; imp_engine_at(i); i++) {
        const imp_engine *engine = imp_engine_at(i);
        for (int k = 0; strcmp(engine->name, c->plain[0]) == 0 && k < engine->n_inputs; k++) {
            const imp_parameter *input = &engine->inputs[k].parameter;
            if (!given(c, input->name)) {
                offer(c, input->meaning, "%s=", input->name);
            }
        }
    }
}

/* For --set: offers all choices and parameters of the theory of a config. */
static void offer_overrides(const call *c) {
    const imp_parameter *all[IMP_MAX_PARAMETERS];
    imp_sweep sweep = {.theory = NULL};
    imp_text messages = {0};
    imp_loader quiet = imp_file_loader; /* a key that is pressed starts no program */
    quiet.no_guests = true;
    if (c->n_plain > 0 && !imp_config_read(&quiet, c->plain[0], NULL, 0, &sweep, &messages)) {
        offer_parameters(c, all, imp_theory_every_parameter(sweep.theory, all));
        for (int i = 0; i < sweep.theory->n_choices; i++) {
            if (strchr(c->last, '=')) {
                offer_options(c, &sweep.theory->choices[i]);
            } else {
                offer(c, sweep.theory->choices[i].meaning, "%s=", sweep.theory->choices[i].name);
            }
        }
        imp_sweep_free(&sweep);
    }
    imp_text_free(&messages);
}

/* ---- the call ---- */

/* The value of an option, from its argument: FILE, key=value, or the words in small letters of
 * "SECONDS|bar|none". */
static void offer_value(const call *c) {
    static const char small[] = "abcdefghijklmnopqrstuvwxyz";
    const char *names = c->wants_value->argument;
    if (strcmp(names, "FILE") == 0) {
        offer_files(c);
    } else if (strcmp(names, "key=value") == 0) {
        offer_overrides(c);
    }
    for (; *names; names += strspn(names, "|")) {
        size_t length = strcspn(names, "|");
        if (strspn(names, small) == length) {
            offer(c, "", "%.*s", (int)length, names);
        }
        names += length;
    }
}

static void offer_switches(const call *c) {
    for (int s = 0; s < c->command->n_switches; s++) {
        offer(c, c->command->switches[s].meaning, "--%s", c->command->switches[s].name);
    }
    offer(c, "these options and an example", "--help");
}

/* Offers the next plain word, from the usage of the command: "THEORY", "key=value...",
 * "[SUBCOMMAND]". */
static void offer_word(const call *c) {
    static const struct {
        const char *name;
        void (*offer)(const call *c);
    } kinds[] = {{"THEORY", offer_theories},     {"key=value", offer_cell},
                 {"SUBCOMMAND", offer_commands}, {"FILE", offer_files},
                 {"CONFIG", offer_files},        {"PART", offer_files},
                 {"CODE", offer_codes},          {"NAME=VALUE", offer_inputs}};
    const char *word = c->command->words;
    for (int i = 0; i < c->n_plain; i++) {
        size_t length = strcspn(word, " ");
        bool repeats = length > 3 && strncmp(word + length - 3, "...", 3) == 0;
        word += repeats ? 0 : length + strspn(word + length, " ");
    }
    word += *word == '[';
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        if (strncmp(word, kinds[k].name, strlen(kinds[k].name)) == 0) {
            kinds[k].offer(c);
        }
    }
}

/* Separates the n words between the command and the last word into options and others. */
static void read_words(call *c, int n, char **words) {
    c->plain = words;
    for (int i = 0; i < n; i++) {
        const char *value;
        if (c->ended || words[i][0] != '-') {
            c->plain[c->n_plain++] = words[i];
        } else if (strcmp(words[i], "--") == 0) {
            c->ended = true;
        } else {
            const imp_switch *found = imp_switch_of(c->command, words[i], &value);
            bool apart = found && found->argument && !value;
            c->wants_value = apart && i + 1 == n ? found : NULL;
            i += apart;
        }
    }
}

static int complete(int argc, char **argv) {
    int n;
    int code = imp_read_switches(&imp_command_complete, argc, argv, NULL, &n);
    call c = {.last = n > 0 ? argv[n] : ""};
    if (code != IMP_EXIT_OK) {
        return code;
    }
    if (n < 2) {
        offer_commands(&c);
        offer(&c, "all subcommands", "--help");
        offer(&c, "compiler, libraries, revision", "--version");
        return IMP_EXIT_OK;
    }
    c.command = imp_command_find(argv[1]);
    if (!c.command) {
        return IMP_EXIT_OK;
    }
    read_words(&c, n - 2, argv + 2);
    if (c.wants_value) {
        offer_value(&c);
    } else if (c.last[0] == '-' && !c.ended) {
        offer_switches(&c);
    } else {
        offer_word(&c);
    }
    return IMP_EXIT_OK;
}

const imp_command imp_command_complete = {
    .name = "complete",
    .words = "-- WORD...",
    .summary = "print completions of the last WORD of a call; for bash and zsh",
    .example = "complete -- cell compliant body=p",
    .most = -1,
    .run = complete,
};
