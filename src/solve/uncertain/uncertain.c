/* The description of uncertain parameters as a theory. */
#include "solve/uncertain/uncertain.h"

#include <math.h>
#include <stdlib.h>

#include "base/sha256.h"
#include "solve/uncertain/uncertain_impl.h"

const imp_theory *imp_uncertain_theory(const imp_uncertain *uncertain) {
    return &uncertain->theory;
}

const imp_uncertain_plan *imp_uncertain_plan_of(const imp_uncertain *uncertain) {
    return uncertain ? &uncertain->plan : NULL;
}

static bool leaves_out(const void *context, const imp_parameter *parameter) {
    return imp_uncertain_by(context, parameter) != NULL;
}

static bool has_output(const imp_instance *instance, int output) {
    const imp_uncertain *u = (const imp_uncertain *)instance->theory;
    imp_signature inner = imp_signature_of(u->plan.theory, instance->chosen);
    int of = u->source[output].of;
    return of < 0 || u->plan.of[of] == IMP_OF_OUTCOME ||
           imp_signature_has_output(&inner, u->plan.of[of]);
}

imp_uncertain *imp_uncertain_make(const imp_uncertain_plan *plan) {
    imp_uncertain *u = calloc(1, sizeof *u);
    if (!u) {
        return NULL;
    }
    u->plan = *plan;
    const imp_parameter *further = plan->by_replicate ? &imp_parameter_replicate : NULL;
    bool good =
        imp_reduced_make(&u->lists, &u->theory, plan->theory, leaves_out, &u->plan, further);
    u->theory.outputs = u->outputs;
    u->theory.has_output = has_output;
    u->theory.open = imp_uncertain_cell_open;
    u->theory.close = imp_uncertain_cell_close;
    u->theory.solve = imp_uncertain_cell_solve;
    u->theory.residual = "that of the theory; draws that fail it are not solved";
    if (!good || !imp_uncertain_add_outputs(u)) {
        imp_uncertain_free(&u);
    }
    return u;
}

void imp_uncertain_free(imp_uncertain **uncertain) {
    imp_uncertain *u = *uncertain;
    if (!u) {
        return;
    }
    imp_reduced_free(&u->lists);
    imp_uncertain_free_outputs(u);
    free(u->plan.values);
    free(u);
    *uncertain = NULL;
}

void imp_uncertain_follow(imp_uncertain *uncertain, const imp_follower *followers, int n) {
    imp_reduced_follow(&uncertain->lists, followers, n);
}

/* ---- in words ---- */

static void print_joint(const imp_uncertain_parameter *p, imp_text *text) {
    char digest[65];
    imp_sha256 hash = imp_sha256_begin();
    imp_sha256_add(&hash, p->joint, (size_t)p->rows * sizeof *p->joint);
    imp_sha256_end(&hash, digest);
    imp_text_print(text, " from a table of %lld rows (%.16s)", (long long)p->rows, digest);
}

static void print_drawn(const imp_uncertain_parameter *p, int digits, imp_text *text) {
    static const char *const scatters[] = {"", " about the cell", " about the cell, relative"};
    const imp_distribution *d = &p->distribution;
    imp_text_print(text, " %s %.*g %.*g", imp_distribution_names[d->kind], digits, d->a, digits,
                   d->b);
    if (d->kind == IMP_NORMAL && (isfinite(d->low) || isfinite(d->high))) {
        imp_text_print(text, " in %.*g .. %.*g", digits, d->low, digits, d->high);
    }
    imp_text_print(text, "%s%s", scatters[p->scatter], p->truncate ? ", truncated" : "");
}

static void print_factor(const imp_uncertain_plan *plan, int digits, imp_text *text) {
    for (int k = 0; k < plan->n_parameters; k++) {
        for (int j = 0; plan->parameter[k].correlated && j <= k; j++) {
            imp_text_print(text, "%s%.*g",
                           j   ? " "
                           : k ? "; "
                               : ", factor ",
                           digits, plan->factor[k][j]);
        }
    }
}

void imp_uncertain_print(const imp_uncertain *uncertain, int digits, imp_text *text) {
    const imp_uncertain_plan *plan = &uncertain->plan;
    imp_text_print(text, "%s, %lld points, %d replicates%s, seed %llu%s%s",
                   imp_design_names[plan->design], (long long)plan->points, plan->replicates,
                   plan->by_replicate ? " as cells" : "", (unsigned long long)plan->seed,
                   plan->independent ? ", independent in each cell" : "",
                   plan->sensitivity ? ", indices" : "");
    for (int k = 0; k < plan->n_parameters; k++) {
        const imp_uncertain_parameter *p = &plan->parameter[k];
        imp_text_print(text, ", %s", p->parameter->name);
        if (p->joint) {
            print_joint(p, text);
        } else {
            print_drawn(p, digits, text);
        }
    }
    print_factor(plan, digits, text);
    imp_text_print(text, "%s%s", plan->give[0] ? ", minimum" : "",
                   plan->give[1] ? ", maximum" : "");
    imp_text_print(text, ", of");
    for (int of = 0; of < plan->n_of; of++) {
        imp_text_print(text, " %s", imp_uncertain_name(plan, of));
    }
    for (int q = 0; q < plan->n_quantiles; q++) {
        imp_text_print(text, "%s%.*g", q ? " " : ", quantiles ", digits, plan->quantile[q]);
    }
}

void imp_uncertain_print_title(const imp_uncertain *uncertain, imp_text *text) {
    const imp_uncertain_plan *plan = &uncertain->plan;
    imp_text_print(text, "uncertain");
    for (int k = 0; k < plan->n_parameters; k++) {
        imp_text_print(text, "%s %s", k ? "," : "", plan->parameter[k].parameter->name);
    }
    imp_text_print(text, ", %lld draws", (long long)imp_uncertain_draws(plan));
}
