/* impactsweep convert CODE NAME=VALUE... [--back] [--json] [--inputs] */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cmd/cmd.h"
#include "config/engine.h"

typedef struct request {
    bool back, json, inputs, markdown;
} request;

static void print_values(const imp_conversion *found) {
    for (int i = 0; i < found->n_values; i++) {
        const imp_converted *one = &found->values[i];
        bool bare = one->word || strcmp(one->unit, "1") == 0;
        printf("%-25s ", one->name);
        if (one->word) {
            fputs(one->word, stdout);
        } else {
            printf("%.12g", one->value);
        }
        printf("%s%s%s\n", bare ? "" : " ", bare ? "" : one->unit,
               one->assumed ? " (not given)" : "");
    }
}

/* A remark in lines of a readable width. */
static void print_remark(const char *text) {
    enum { WIDTH = 92 };
    const char *before = "note: ";
    while (*text) {
        size_t length = strlen(text);
        if (length > WIDTH) {
            for (length = WIDTH; length > 0 && text[length] != ' '; length--) {
            }
        }
        printf("%s%.*s\n", before, (int)length, text);
        text += length;
        text += strspn(text, " ");
        before = "      ";
    }
}

static void print_text(const imp_conversion *found) {
    print_values(found);
    printf("\n");
    if (!isnan(found->asked)) {
        printf("%-25s %.12g\n", "restitution asked", found->asked);
    }
    printf("%-25s %.12g (normal impact)\n\n",
           isnan(found->asked) ? "restitution" : "restitution got", found->restitution);
    for (int i = 0; i < found->n_remarks; i++) {
        print_remark(found->remarks[i]);
    }
    printf("\n%s\n", found->line);
}

static int print_json(const imp_conversion *found) {
    imp_json json = {.depth = 0};
    imp_json_object(&json, NULL);
    imp_json_object(&json, "values");
    for (int i = 0; i < found->n_values; i++) {
        const imp_converted *one = &found->values[i];
        if (one->word) {
            imp_json_string(&json, one->name, one->word);
        } else {
            imp_json_number(&json, one->name, one->value);
        }
    }
    imp_json_end_object(&json);
    imp_json_list(&json, "not_given");
    for (int i = 0; i < found->n_values; i++) {
        if (found->values[i].assumed) {
            imp_json_string(&json, NULL, found->values[i].name);
        }
    }
    imp_json_end_list(&json);
    imp_json_number(&json, "restitution_asked", found->asked);
    imp_json_number(&json, "restitution", found->restitution);
    imp_json_list(&json, "remarks");
    for (int i = 0; i < found->n_remarks; i++) {
        imp_json_string(&json, NULL, found->remarks[i]);
    }
    imp_json_end_list(&json);
    imp_json_string(&json, "line", found->line);
    imp_json_end_object(&json);
    return imp_print_json(&json);
}

static void print_engine(const imp_engine *engine) {
    printf("%s: %s\n", engine->name, engine->title);
    for (int i = 0; i < engine->n_inputs; i++) {
        const imp_parameter *p = &engine->inputs[i].parameter;
        const char *others = engine->inputs[i].others;
        printf("  %-15s %-6s %-14s %s", p->name, p->unit, imp_range(p).text, p->meaning);
        if (p->words) {
            printf("; default %s", p->words[(int)p->fallback]);
        } else if (!isnan(p->fallback)) {
            printf("; default %g", p->fallback);
        }
        printf("%s%s%s\n", others ? " (also: " : "", others ? others : "", others ? ")" : "");
    }
    if (engine->pair) {
        printf("  %-15s both in one word: %s=\"0.02 1\", %s=-1000,-20\n", engine->pair,
               engine->pair, engine->pair);
    }
}

/* A list of the words of a text, which are apart by blanks. */
static void add_words(imp_json *json, const char *name, const char *words) {
    imp_json_list(json, name);
    while (words && *words) {
        size_t length = strcspn(words, " ");
        char word[80];
        snprintf(word, sizeof word, "%.*s", (int)length, words);
        imp_json_string(json, NULL, word);
        words += length + strspn(words + length, " ");
    }
    imp_json_end_list(json);
}

static void add_input(imp_json *json, const imp_engine_input *input) {
    const imp_parameter *p = &input->parameter;
    imp_json_object(json, NULL);
    imp_json_string(json, "name", p->name);
    imp_json_string(json, "unit", p->unit);
    imp_json_string(json, "meaning", p->meaning);
    imp_json_number(json, "low", p->low);
    imp_json_number(json, "high", p->high);
    imp_json_truth(json, "low_open", p->low_open);
    imp_json_truth(json, "high_open", p->high_open);
    if (p->words) {
        imp_json_string(json, "default", p->words[(int)p->fallback]);
    } else {
        imp_json_number(json, "default", p->fallback);
    }
    add_words(json, "other_names", input->others);
    imp_json_end_object(json);
}

static void add_engine(imp_json *json, const imp_engine *engine) {
    imp_json_object(json, NULL);
    imp_json_string(json, "name", engine->name);
    imp_json_string(json, "title", engine->title);
    imp_json_list(json, "inputs");
    for (int i = 0; i < engine->n_inputs; i++) {
        add_input(json, &engine->inputs[i]);
    }
    imp_json_end_list(json);
    imp_json_string(json, "pair", engine->pair);
    imp_json_end_object(json);
}

/* The inputs of one code, or of all, as text or as JSON. */
static int print_inputs(const char *code, bool as_json) {
    imp_json json = {.depth = 0};
    int found = 0;
    imp_json_object(&json, NULL);
    imp_json_list(&json, "codes");
    for (int i = 0; imp_engine_at(i); i++) {
        bool asked = !code || strcmp(code, imp_engine_at(i)->name) == 0;
        if (asked && as_json) {
            add_engine(&json, imp_engine_at(i));
        } else if (asked) {
            printf("%s", found ? "\n" : "");
            print_engine(imp_engine_at(i));
        }
        found += asked;
    }
    imp_json_end_list(&json);
    imp_json_end_object(&json);
    if (found && as_json) {
        return imp_print_json(&json);
    }
    imp_text_free(&json.text);
    return found ? IMP_EXIT_OK : imp_usage_error("unknown code '%s'", code);
}

static int print_page(void) {
    imp_text page = {0};
    imp_print_code_rules(&page);
    int printed = fputs(imp_text_get(&page), stdout);
    bool failed = page.failed;
    imp_text_free(&page);
    return failed ? imp_exit(IMP_ERR_MEMORY) : printed < 0 ? imp_exit(IMP_ERR_IO) : IMP_EXIT_OK;
}

static int code_missing(void) {
    imp_text names = {0};
    for (int i = 0; imp_engine_at(i); i++) {
        const char *before = i == 0 ? "" : imp_engine_at(i + 1) ? ", " : " or ";
        imp_text_print(&names, "%s%s", before, imp_engine_at(i)->name);
    }
    int code = imp_usage_error("the name of a code is missing: %s", imp_text_get(&names));
    imp_text_free(&names);
    return code;
}

static const imp_switch switches[] = {
    IMP_FLAG("back", back, "the words are ours, as for `cell`; print the parameters of CODE"),
    IMP_FLAG("inputs", inputs,
             "print the parameters of CODE, or of every code, and what they mean"),
    IMP_FLAG("json", json, "print one JSON object"),
    IMP_FLAG("markdown", markdown, "print the page of all codes and their formulas"),
};

/* What is known of codes, without a conversion. */
static int print_about(const request *wanted, int n, char **argv) {
    if (!wanted->inputs) {
        return n > 0          ? imp_usage_error("--markdown takes no CODE")
               : wanted->json ? imp_usage_error("--markdown takes no --json")
                              : print_page();
    }
    const char *code = n > 0 ? argv[1] : NULL;
    return n > 1 ? imp_usage_error("--inputs takes no NAME=VALUE")
                 : print_inputs(code, wanted->json);
}

static int convert(int argc, char **argv) {
    request wanted = {.back = false};
    int n;
    int code = imp_read_switches(&imp_command_convert, argc, argv, &wanted, &n);
    if (code) {
        return code;
    }
    if (wanted.inputs || wanted.markdown) {
        return print_about(&wanted, n, argv);
    }
    if (n == 0) {
        return code_missing();
    }
    imp_conversion found;
    imp_text messages = {0};
    imp_err error = imp_convert_words(argv[1], wanted.back, (size_t)n - 1,
                                      (const char *const *)argv + 2, true, &found, &messages);
    code = imp_exit_reader(error, &messages);
    if (code || wanted.json) {
        return code ? code : print_json(&found);
    }
    print_text(&found);
    return IMP_EXIT_OK;
}

const imp_command imp_command_convert = {
    .name = "convert",
    .words = "CODE NAME=VALUE... [--back] [--inputs] [--json] [--markdown]",
    .summary =
        "turn the contact parameters of another code (LAMMPS, MuJoCo, ODE ...) into ours, or "
        "back",
    .details =
        "Prints the parameters of `compliant body=sphere law=dashpot` (a spring and a dashpot) or "
        "`rigid body=sphere` (a restitution), the restitution of a normal impact, notes where CODE "
        "does something else than its parameters seem to say, and the command for the cell. "
        "Values may bear a unit: Kn=100N/mm. What is printed as (not given) was assumed.",
    .example = "convert yade tc=1ms en=0.9 et=0.9 mass=5g mu=0.4 velocity_ratio=0.5\n"
               "convert lammps Kn=1e5N/m Kt=NULL gn=50 gt=NULL mu=0.5 mass=10g\n"
               "convert mujoco solref=\"0.02 1\"\n"
               "convert ode bounce=0.8 mu=0.3\n"
               "convert --back lammps normal_damping_ratio=0.2 stiffness_ratio=3.5 friction=0.3\n"
               "convert chrono --inputs",
    IMP_SWITCHES,
    .fewest = 0,
    .most = -1,
    .run = convert,
};
