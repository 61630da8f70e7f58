/* Where a code does something else than its parameters seem to say: one row for each, with the
 * codes and the condition under which it applies. Read in their sources (LAMMPS
 * pair_gran_hooke_history, YADE ViscoelasticPM, Chrono ChContactSMC) and documentation. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "config/engine.h"
#include "models/theory.h"

typedef struct trap {
    const char *codes;
    bool (*applies)(const imp_engine_call *call); /* NULL: always */
    const char *text; /* CODE stands for the name of the code; NULL: `say` prints it */
    void (*say)(const imp_engine_call *call, size_t size, char *text);
} trap;

static bool asked(const imp_engine_call *call) {
    return call->contact.asked < 1;
}

/* The restitution to ask for, so that the one wanted comes out. */
static void say_asked(const imp_engine_call *call, size_t size, char *text) {
    const imp_code_contact *d = &call->contact;
    double got = imp_dashpot_restitution(d->normal_ratio, false), share = 1;
    double ratio = imp_dashpot_ratio(d->asked, false);
    share = d->normal_ratio / imp_dashpot_ratio(d->asked, true);
    int n =
        snprintf(text, size,
                 "restitution: asked %.6g, got %.6f: %s takes the damping of a contact that ends "
                 "where the elongation returns to 0, but cuts the tension",
                 d->asked, got, call->engine->name);
    if (n > 0 && (size_t)n < size && ratio < share) {
        snprintf(text + n, size - (size_t)n, "; for %.6g ask for %.6f", d->asked,
                 imp_dashpot_restitution(ratio / share, true));
    } else if (n > 0 && (size_t)n < size) {
        snprintf(text + n, size - (size_t)n, "; less than %.6f cannot be had",
                 imp_dashpot_restitution(share, false));
    }
}

static bool pulls(const imp_engine_call *call) {
    return call->contact.by_elongation && call->contact.normal_ratio > 0;
}

static void say_pulls(const imp_engine_call *call, size_t size, char *text) {
    const imp_code_contact *d = &call->contact;
    if (d->normal_ratio >= 1) {
        snprintf(text, size,
                 "normal_damping_ratio is not below 1: the elongation never returns to 0, so the "
                 "contact does not end (outcome outside, restitution 0)");
    } else {
        snprintf(
            text, size,
            "the plane pulls before the contact ends; with limit_damping the tension is cut, and "
            "a normal impact has a restitution of %.6f",
            imp_dashpot_restitution(d->normal_ratio, false));
    }
}

static bool cuts(const imp_engine_call *call) {
    return !call->contact.by_elongation && call->contact.normal_ratio > 0;
}

static bool cuts_unasked(const imp_engine_call *call) {
    return cuts(call) && isnan(call->contact.asked);
}

static void say_cuts(const imp_engine_call *call, size_t size, char *text) {
    double z = call->contact.normal_ratio;
    snprintf(text, size,
             "the tension is cut: a normal impact has a restitution of %.6f; the usual formula "
             "exp(-pi z/sqrt(1 - z^2)), which lets the plane pull, says %.6f",
             imp_dashpot_restitution(z, false), imp_dashpot_restitution(z, true));
}

static bool drags(const imp_engine_call *call) {
    return call->contact.tangential_ratio > 0 && call->contact.friction > 0;
}

static bool against_wall(const imp_engine_call *call) {
    const imp_engine *engine = call->engine;
    for (int i = 0; i < engine->n_inputs; i++) {
        if (strcmp(engine->inputs[i].parameter.name, "wall") == 0) {
            return call->in[i] > 0;
        }
    }
    return false;
}

static bool yade_free(const imp_engine_call *call) {
    return !against_wall(call) && asked(call);
}

static bool critical(const imp_engine_call *call) {
    return fabs(call->contact.normal_ratio - 1) < 1e-12;
}

static void say_critical(const imp_engine_call *call, size_t size, char *text) {
    (void)call;
    snprintf(text, size,
             "dampratio 1, the default, does not stop the body: the restitution is %.6f, not 0",
             imp_dashpot_restitution(1, false));
}

static void say_weight(const imp_engine_call *call, size_t size, char *text) {
    const double gravity = 9.80665;
    const imp_code_contact *d = &call->contact;
    if (d->real_scale) {
        snprintf(text, size,
                 "weight is left out: right for normal speeds much larger than g/w0 = %.3g m/s",
                 gravity / sqrt(d->stiffness / d->mass));
    } else {
        snprintf(text, size,
                 "weight is left out: right for normal speeds much larger than g/w0, w0 = "
                 "sqrt(stiffness / mass)");
    }
}

static const trap traps[] = {
    {"yade chrono", asked, NULL, say_asked},
    {"lammps", pulls, NULL, say_pulls},
    {"lammps kratos chrono mujoco ode_soft bullet_soft", cuts_unasked, NULL, say_cuts},
    {"mujoco", critical, NULL, say_critical},
    {"yade", against_wall,
     "against a body of mass 0 YADE takes m/2 for m: the stiffness is half, and both damping "
     "ratios are smaller by sqrt 2",
     NULL},
    {"yade", yade_free,
     "against a body of mass 0 (a wall, a facet) YADE takes m/2 for m, and both damping ratios are "
     "smaller by sqrt 2: give wall=yes",
     NULL},
    {"lammps", drags,
     "in slip LAMMPS charges the tangential dashpot with the whole velocity v_t, not with the rate "
     "of the spring; its loss may then be negative. Ours is a slider in series; in stick and for "
     "gt = 0 the two are the same",
     NULL},
    {"yade", drags,
     "in slip YADE cuts the spring alone and leaves the dashpot out: the tangential force jumps "
     "where stick begins or ends, and may lie outside the cone in stick. Ours is a slider in "
     "series",
     NULL},
    {"chrono", drags,
     "Chrono's tangential force min(kt v_t dt + gt m v_t, mu F) has no memory: for small steps it "
     "is a dashpot alone, and kt has no effect. Ours has a spring, too",
     NULL},
    {"mujoco ode_soft bullet_soft", NULL,
     "friction is another model in CODE, without a tangential spring: only normal motion can be "
     "compared",
     NULL},
    {"ode_soft bullet_soft", NULL,
     "steps of CODE are implicit: they damp more than the dashpot, by their length over the "
     "duration of the contact",
     NULL},
    {"bullet chipmunk dart box2d jolt", NULL,
     "CODE mixes the coefficients of two bodies: that of one alone does not decide, and a plane "
     "has a default of its own",
     NULL},
    {"bullet chipmunk dart box2d jolt ode siconos simbody", NULL,
     "friction of CODE opposes the slip at the end of the impact, ours follows the slip along it: "
     "the same for a sphere, not for every body (tests/exam)",
     NULL},
    {"ode dart", NULL,
     "the direct solver limits friction by the impulse of an impact without friction: the same for "
     "a sphere, up to 0.7 times the normal impulse outside the cone for a rod",
     NULL},
    {"bullet dart box2d jolt ode simbody", NULL,
     "below a normal speed, which CODE lets one set, nothing bounces", NULL},
    {"yade kratos chrono", cuts,
     "CODE keeps the contact, without a force, until the elongation is 0: the same velocities, a "
     "longer duration than ours",
     NULL},
    {"lammps yade kratos chrono", drags,
     "the tangential damping ratio is that of a solid sphere, whose contact point has 2/7 of the "
     "mass along the plane",
     NULL},
    {"lammps yade kratos chrono mujoco ode_soft bullet_soft", NULL, NULL, say_weight},
};

static void say(const trap *one, const imp_engine_call *call, size_t size, char *text) {
    static const char code[] = "CODE";
    const char *name = one->text ? strstr(one->text, code) : NULL;
    if (!one->text) {
        one->say(call, size, text);
    } else if (!name) {
        snprintf(text, size, "%s", one->text);
    } else {
        snprintf(text, size, "%.*s%s%s", (int)(name - one->text), one->text, call->engine->name,
                 name + strlen(code));
    }
}

void imp_engine_remark(const imp_engine_call *call, imp_conversion *result) {
    for (int t = 0; t < IMP_COUNT(traps) && result->n_remarks < IMP_MAX_REMARKS; t++) {
        if (imp_code_among(traps[t].codes, call->engine->name) &&
            (!traps[t].applies || traps[t].applies(call))) {
            say(&traps[t], call, IMP_LONGEST_REMARK, result->remarks[result->n_remarks++]);
        }
    }
}
