/* The codes: their parameters, and what these are in ours. m: effective mass of the pair; the
 * tangential oscillator of a sphere has 2/7 of it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/constants.h"
#include "config/engine_inputs.h"
#include "models/theory.h"
#include "num/exponential.h"
#include "num/trigonometry.h"

static const double inertia = 3.5; /* b11 / b22 of a sphere */

/* ---- restitution of a normal impact ---- */

/* acos z / sqrt(1 - z^2), beyond 1 acosh z / sqrt(z^2 - 1). */
static double time_of(double z) {
    double s = sqrt(fabs(1 - z) * (1 + z));
    if (s == 0) {
        return 1;
    }
    return z < 1 ? imp_angle(s, z) / s : imp_log1p(z - 1 + s) / s;
}

double imp_dashpot_restitution(double z, bool by_elongation) {
    if (!by_elongation) {
        return imp_exp(-2 * z * time_of(z));
    }
    return z < 1 ? imp_exp(-IMP_PI * z / sqrt((1 - z) * (1 + z))) : 0;
}

double imp_dashpot_ratio(double e, bool by_elongation) {
    double decay = -imp_log(e);
    if (by_elongation) {
        return decay / sqrt(IMP_PI * IMP_PI + decay * decay);
    }
    double low = 0, high = 1 + imp_exp(decay / 2);
    for (double z = high / 2; z > low && z < high; z = (low + high) / 2) {
        if (2 * z * time_of(z) < decay) {
            low = z;
        } else {
            high = z;
        }
    }
    return high;
}

/* ---- helpers ---- */

static double or_else(double value, double other) {
    return isnan(value) ? other : value;
}

/* Reports that a value is needed. */
static void need(imp_engine_call *call, int input) {
    if (isnan(call->in[input])) {
        const imp_parameter *p = &call->engine->inputs[input].parameter;
        imp_call_error(call, "'%s' is missing: %s", p->name, p->meaning);
    }
}

/* Where a code has no number of its own for one of ours: says which value it needs. */
static void agree(imp_engine_call *call, const char *name, bool given, double value, double needed,
                  const char *more) {
    if (given && !(fabs(value - needed) <= 1e-9 * fabs(needed))) {
        imp_call_error(call,
                       "%s is %.12g; %s can only have %.12g here, which follows from the others%s",
                       name, value, call->engine->name, needed, more);
    }
}

static void ends_by_force(imp_engine_call *call) {
    if (call->contact.by_elongation) {
        imp_call_error(call,
                       "contact_end is elongation; %s ends a contact by force: it cuts the tension",
                       call->engine->name);
    }
}

/* Normal and tangential damping of a contact in N s/m, and its tangential stiffness. */
static double normal_damping(const imp_code_contact *d) {
    return 2 * d->normal_ratio * sqrt(d->stiffness * d->mass);
}

static double tangential_stiffness(const imp_code_contact *d) {
    return d->stiffness / d->stiffness_ratio;
}

static double tangential_damping(const imp_code_contact *d) {
    return 2 * d->tangential_ratio * sqrt(tangential_stiffness(d) * d->mass / inertia);
}

/* The mass and the spring of a contact; whether both were given. */
static void scale(imp_engine_call *call, double stiffness, bool given) {
    imp_code_contact *d = &call->contact;
    d->mass = call->in[MASS];
    d->friction = call->in[FRICTION];
    d->stiffness = stiffness;
    d->assumed.stiffness = !given;
    d->real_scale = given && call->given[MASS];
}

static void share_back(imp_engine_call *call) {
    call->in[MASS] = call->contact.mass;
    call->in[FRICTION] = call->contact.friction;
}

static const char *const no_yes[] = {"no", "yes", NULL};

/* ---- LAMMPS ---- */

enum { L_KN = N_SHARED, L_KT, L_GN, L_GT, L_DAMPFLAG, L_LIMIT, L_COUNT };

static const imp_engine_input lammps_inputs[L_COUNT] = {
    SHARED(PAIR_MASS, "xmu friction"),
    [L_KN] = {POSITIVE("Kn", "N/m", "normal stiffness", NAN)},
    [L_KT] = {POSITIVE("Kt", "N/m", "tangential stiffness; NULL: 2/7 Kn", NAN), .null = true},
    [L_GN] = {NOT_NEGATIVE("gn", "1/s", "normal damping over the mass", NAN),
              .others = "gamma_n gamman"},
    [L_GT] = {NOT_NEGATIVE("gt", "1/s", "tangential damping over the mass; NULL: gn/2", NAN),
              .others = "gamma_t gammat", .null = true},
    [L_DAMPFLAG] = {FLAG("dampflag", "0 or no: without tangential damping", 1, NULL)},
    [L_LIMIT] = {FLAG("limit_damping", "yes: the tension is cut", 0, no_yes),
                 .others = "limitforce"},
};

static void from_damping_rates(imp_engine_call *call, double kn, double kt, double gn, double gt) {
    imp_code_contact *d = &call->contact;
    d->stiffness_ratio = kn / kt;
    d->normal_ratio = gn * sqrt(d->mass / kn) / 2;
    d->tangential_ratio = gt * sqrt(inertia * d->mass / kt) / 2;
}

/* Inputs kn, kt, gn, gt, one after another. */
static void rates_back(imp_engine_call *call, int first) {
    const imp_code_contact *d = &call->contact;
    call->in[first] = d->stiffness;
    call->in[first + 1] = tangential_stiffness(d);
    call->in[first + 2] = normal_damping(d) / d->mass;
    call->in[first + 3] = tangential_damping(d) / d->mass;
}

static void to_lammps(imp_engine_call *call) {
    double *in = call->in;
    need(call, L_KN);
    need(call, L_GN);
    in[L_KT] = or_else(in[L_KT], 2 * in[L_KN] / 7);
    in[L_GT] = or_else(in[L_GT], in[L_GN] / 2);
    scale(call, in[L_KN], true);
    from_damping_rates(call, in[L_KN], in[L_KT], in[L_GN], in[L_DAMPFLAG] > 0 ? in[L_GT] : 0);
    call->contact.by_elongation = in[L_LIMIT] == 0;
    call->contact.assumed.stiffness_ratio = !call->given[L_KT];
    call->contact.assumed.tangential_ratio = in[L_DAMPFLAG] > 0 && !call->given[L_GT];
}

static void from_lammps(imp_engine_call *call) {
    share_back(call);
    rates_back(call, L_KN);
    call->in[L_DAMPFLAG] = call->in[L_GT] > 0;
    call->in[L_LIMIT] = !call->contact.by_elongation;
}

static void lammps_line(const imp_engine_call *call, size_t size, char *text) {
    const double *in = call->in;
    snprintf(text, size, "pair_style gran/hooke/history %s %s %s %s %s %d%s",
             imp_code_number(in[L_KN]).text, imp_code_number(in[L_KT]).text,
             imp_code_number(in[L_GN]).text, imp_code_number(in[L_GT]).text,
             imp_code_number(in[FRICTION]).text, in[L_DAMPFLAG] > 0,
             in[L_LIMIT] > 0 ? " limit_damping" : "");
}

/* ---- YADE ---- */

enum { Y_TC = N_SHARED, Y_EN, Y_ET, Y_WALL, Y_ANGLE, Y_COUNT };

static const imp_engine_input yade_inputs[Y_COUNT] = {
    SHARED(PAIR_MASS, "friction"),
    [Y_TC] = {POSITIVE("tc", "s", "contact time", 1)},
    [Y_EN] = {SHARE("en", "normal restitution that is asked for", NAN), .others = "e restitution"},
    [Y_ET] = {SHARE("et", "tangential restitution that is asked for; not given: en", NAN)},
    [Y_WALL] = {FLAG("wall",
                     "yes: the other body has the mass 0 (a facet, a wall), for which the code "
                     "takes half the mass of the sphere; --back takes it, too",
                     0, no_yes),
                .others = "facet massless", .back = true},
    [Y_ANGLE] = {.parameter = IMP_PARAMETER_OF(
                     "frictionAngle", "rad", "angle of friction, instead of mu", .low = 0,
                     .high = IMP_PI / 2, .high_open = true, .fallback = NAN, .example = 0.4),
                 .others = "friction_angle"},
};

static void to_yade(imp_engine_call *call) {
    double *in = call->in, taken = in[Y_WALL] > 0 ? in[MASS] / 2 : in[MASS];
    need(call, Y_EN);
    in[Y_ET] = or_else(in[Y_ET], in[Y_EN]);
    if (call->given[Y_ANGLE] && call->given[FRICTION]) {
        imp_call_error(call, "mu and frictionAngle are given both");
    } else if (call->given[Y_ANGLE]) {
        imp_sincos turn = imp_sine_cosine(in[Y_ANGLE]);
        in[FRICTION] = turn.sine / turn.cosine;
    }
    double ln = imp_log(in[Y_EN]), lt = imp_log(in[Y_ET]);
    double rate_n = IMP_PI * IMP_PI + ln * ln, rate_t = IMP_PI * IMP_PI + lt * lt;
    scale(call, taken * rate_n / in[Y_TC] / in[Y_TC], call->given[Y_TC]);
    imp_code_contact *d = &call->contact;
    double share = sqrt(taken / in[MASS]);
    d->stiffness_ratio = inertia * rate_n / rate_t;
    d->normal_ratio = share * imp_dashpot_ratio(in[Y_EN], true);
    d->tangential_ratio = share * imp_dashpot_ratio(in[Y_ET], true);
    d->asked = in[Y_EN];
    d->assumed.stiffness_ratio = d->assumed.tangential_ratio = !call->given[Y_ET];
}

static void from_yade(imp_engine_call *call) {
    const imp_code_contact *d = &call->contact;
    share_back(call);
    ends_by_force(call);
    bool wall = call->in[Y_WALL] > 0;
    double taken = wall ? d->mass / 2 : d->mass, share = sqrt(taken / d->mass);
    double z = d->normal_ratio / share, t = d->tangential_ratio / share;
    if (z >= 1 || t >= 1) {
        imp_call_error(
            call, "%s is %.12g; yade takes a restitution, whose damping ratio is below %s",
            z >= 1 ? "normal_damping_ratio" : "tangential_damping_ratio",
            z >= 1 ? d->normal_ratio : d->tangential_ratio, wall ? "sqrt(1/2) at a wall" : "1");
        return;
    }
    agree(call, "stiffness_ratio", d->ratio_given, d->stiffness_ratio,
          inertia * (1 - t) * (1 + t) / ((1 - z) * (1 + z)),
          call->given[Y_WALL] || z == t ? "" : "; wall=yes has another one");
    call->in[Y_TC] = IMP_PI / sqrt(d->stiffness / taken * (1 - z) * (1 + z));
    call->in[Y_EN] = imp_dashpot_restitution(z, true);
    call->in[Y_ET] = imp_dashpot_restitution(t, true);
    call->in[Y_WALL] = wall;
}

static void yade_line(const imp_engine_call *call, size_t size, char *text) {
    const double *in = call->in;
    snprintf(text, size, "ViscElMat(tc=%s, en=%s, et=%s, frictionAngle=%s)",
             imp_code_number(in[Y_TC]).text, imp_code_number(in[Y_EN]).text,
             imp_code_number(in[Y_ET]).text, imp_code_number(imp_heading(in[FRICTION], 1)).text);
}

/* ---- Kratos ---- */

enum { K_GAMMA = N_SHARED, K_KN, K_KT, K_COUNT };

static const imp_engine_input kratos_inputs[K_COUNT] = {
    SHARED(PAIR_MASS, "friction"),
    [K_GAMMA] = {NOT_NEGATIVE("gamma", "1", "damping over the critical one of spring and mass",
                              NAN),
                 .others = "damping_gamma"},
    [K_KN] = {POSITIVE("kn", "N/m", "normal stiffness", 1)},
    [K_KT] = {POSITIVE("kt", "N/m", "tangential stiffness; not given: kn", NAN)},
};

static void to_kratos(imp_engine_call *call) {
    double *in = call->in;
    need(call, K_GAMMA);
    in[K_KT] = or_else(in[K_KT], in[K_KN]);
    scale(call, in[K_KN], call->given[K_KN]);
    call->contact.stiffness_ratio = in[K_KN] / in[K_KT];
    call->contact.assumed.stiffness_ratio = !call->given[K_KT];
    call->contact.normal_ratio = in[K_GAMMA];
    call->contact.tangential_ratio = in[K_GAMMA] * sqrt(inertia);
}

static void from_kratos(imp_engine_call *call) {
    const imp_code_contact *d = &call->contact;
    share_back(call);
    ends_by_force(call);
    agree(call, "tangential_damping_ratio", d->tangential_given, d->tangential_ratio,
          d->normal_ratio * sqrt(inertia), "");
    call->in[K_GAMMA] = d->normal_ratio;
    call->in[K_KN] = d->stiffness;
    call->in[K_KT] = tangential_stiffness(d);
}

static void kratos_line(const imp_engine_call *call, size_t size, char *text) {
    snprintf(text, size, "DEM_D_Linear_viscous_Coulomb with DAMPING_GAMMA %s",
             imp_code_number(call->in[K_GAMMA]).text);
}

/* ---- Chrono ---- */

enum { C_E = N_SHARED, C_KN, C_KT, C_GN, C_GT, C_COUNT };

static const imp_engine_input chrono_inputs[C_COUNT] = {
    SHARED(PAIR_MASS, "friction"),
    [C_E] = {SHARE("restitution", "restitution that is asked for; or give gn", NAN),
             .others = "e cr"},
    [C_KN] = {POSITIVE("kn", "N/m", "normal stiffness", NAN)},
    [C_KT] = {POSITIVE("kt", "N/m", "tangential stiffness; not given: kn", NAN)},
    [C_GN] = {NOT_NEGATIVE("gn", "1/s", "normal damping over the mass, instead of restitution",
                           NAN)},
    [C_GT] = {NOT_NEGATIVE("gt", "1/s", "tangential damping over the mass; not given: gn", NAN)},
};

static void chrono_by_restitution(imp_engine_call *call) {
    imp_code_contact *d = &call->contact;
    double *in = call->in;
    if (call->given[C_KT] || call->given[C_GT]) {
        imp_call_error(call,
                       "with restitution the code takes kt = kn and gt = gn; give gn in its place");
    }
    scale(call, or_else(in[C_KN], 1), call->given[C_KN]);
    in[C_KN] = in[C_KT] = d->stiffness;
    d->stiffness_ratio = 1;
    d->normal_ratio = imp_dashpot_ratio(in[C_E], true);
    d->tangential_ratio = d->normal_ratio * sqrt(inertia);
    d->asked = in[C_E];
    in[C_GN] = in[C_GT] = normal_damping(d) / d->mass;
}

static void to_chrono(imp_engine_call *call) {
    double *in = call->in;
    if (call->given[C_E] == call->given[C_GN]) {
        imp_call_error(call, call->given[C_E]
                                 ? "restitution and gn are given both"
                                 : "'restitution' is missing, or kn and gn in its place");
    } else if (call->given[C_E]) {
        chrono_by_restitution(call);
    } else {
        need(call, C_KN);
        in[C_KT] = or_else(in[C_KT], in[C_KN]);
        in[C_GT] = or_else(in[C_GT], in[C_GN]);
        scale(call, in[C_KN], true);
        from_damping_rates(call, in[C_KN], in[C_KT], in[C_GN], in[C_GT]);
        call->contact.assumed.stiffness_ratio = !call->given[C_KT];
        call->contact.assumed.tangential_ratio = !call->given[C_GT];
    }
}

static void from_chrono(imp_engine_call *call) {
    share_back(call);
    ends_by_force(call);
    rates_back(call, C_KN);
}

static void chrono_line(const imp_engine_call *call, size_t size, char *text) {
    const double *in = call->in;
    snprintf(text, size, "SetKn(%s), SetKt(%s), SetGn(%s), SetGt(%s), SetFriction(%s)",
             imp_code_number(in[C_KN]).text, imp_code_number(in[C_KT]).text,
             imp_code_number(in[C_GN]).text, imp_code_number(in[C_GT]).text,
             imp_code_number(in[FRICTION]).text);
}

/* ---- MuJoCo ---- */

enum { M_T = N_SHARED, M_D, M_K, M_B, M_COUNT };

static const imp_engine_input mujoco_inputs[M_COUNT] = {
    SHARED("mass of the contact point; the code works with accelerations", "friction"),
    [M_T] = {POSITIVE("timeconst", "s", "first number of solref: time constant", 0.02),
             .others = "T"},
    [M_D] = {POSITIVE("dampratio", "1", "second number of solref: damping ratio", 1),
             .others = "D"},
    [M_K] = {POSITIVE("stiffness", "1/s^2",
                      "minus the first number of solref where both are negative", NAN),
             .others = "k"},
    [M_B] = {NOT_NEGATIVE("damping", "1/s", "minus the second number of solref", NAN),
             .others = "b"},
};

static void to_mujoco(imp_engine_call *call) {
    double *in = call->in, rate = 1 / (in[M_T] * in[M_D]);
    imp_code_contact *d = &call->contact;
    bool direct = call->given[M_K] || call->given[M_B];
    if (direct && (call->given[M_T] || call->given[M_D])) {
        imp_call_error(call, "give timeconst and dampratio, or stiffness and damping");
        return;
    }
    if (direct) {
        need(call, M_K);
        need(call, M_B);
        rate = sqrt(in[M_K]);
    }
    d->normal_ratio = direct ? in[M_B] / (2 * rate) : in[M_D];
    scale(call, in[MASS] * rate * rate, direct || call->given[M_T]);
    d->assumed.normal_ratio = !direct && !call->given[M_D];
    d->real_scale = true; /* w0 is known without a mass */
    d->stiffness_ratio = 1;
    d->tangential_ratio = 0;
}

static void from_mujoco(imp_engine_call *call) {
    const imp_code_contact *d = &call->contact;
    share_back(call);
    ends_by_force(call);
    double rate = sqrt(d->stiffness / d->mass);
    bool direct = d->normal_ratio == 0;
    call->in[M_T] = direct ? NAN : 1 / (rate * d->normal_ratio);
    call->in[M_D] = direct ? NAN : d->normal_ratio;
    call->in[M_K] = direct ? rate * rate : NAN;
    call->in[M_B] = direct ? 0 : NAN;
}

static void mujoco_line(const imp_engine_call *call, size_t size, char *text) {
    const double *in = call->in;
    bool direct = isnan(in[M_T]);
    snprintf(text, size, "solref=\"%s %s\"", imp_code_number(direct ? -in[M_K] : in[M_T]).text,
             imp_code_number(direct ? -in[M_B] : in[M_D]).text);
}

/* ---- contacts of ODE and Bullet with a softness ---- */

/* A contact without a tangential spring or dashpot. */
static void soften(imp_engine_call *call, double stiffness, double damping) {
    scale(call, stiffness, true);
    call->contact.stiffness_ratio = 1;
    call->contact.tangential_ratio = 0;
    call->contact.normal_ratio = damping / (2 * sqrt(stiffness * call->contact.mass));
}

enum { O_STEP = N_SHARED, O_ERP, O_CFM, O_COUNT };

static const imp_engine_input ode_soft_inputs[O_COUNT] = {
    SHARED(PAIR_MASS, "friction"),
    [O_STEP] = {POSITIVE("step", "s",
                         "time step; --back takes it, too, instead of a hundredth of 1/w0", NAN),
                .others = "h dt", .back = true},
    [O_ERP] = {SHARE("soft_erp", "part of the penetration that a step takes away", NAN),
               .others = "erp"},
    [O_CFM] = {POSITIVE("soft_cfm", "s/kg", "velocity that a force leaves, over the force", NAN),
               .others = "cfm"},
};

/* kp = ERP / (h CFM), kd = (1 - ERP) / CFM */
static void to_ode_soft(imp_engine_call *call) {
    const double *in = call->in;
    need(call, O_STEP);
    need(call, O_ERP);
    need(call, O_CFM);
    soften(call, in[O_ERP] / (in[O_STEP] * in[O_CFM]), (1 - in[O_ERP]) / in[O_CFM]);
}

static void from_ode_soft(imp_engine_call *call) {
    const imp_code_contact *d = &call->contact;
    share_back(call);
    ends_by_force(call);
    double step = or_else(call->in[O_STEP], sqrt(d->mass / d->stiffness) / 100);
    double spring = step * d->stiffness, both = spring + normal_damping(d);
    call->in[O_STEP] = step;
    call->in[O_ERP] = spring / both;
    call->in[O_CFM] = 1 / both;
}

static void ode_soft_line(const imp_engine_call *call, size_t size, char *text) {
    const double *in = call->in;
    snprintf(text, size,
             "surface.mode = dContactSoftERP | dContactSoftCFM | dContactApprox1, surface.soft_erp "
             "= %s, surface.soft_cfm = %s, surface.mu = %s; dWorldStep(world, %s)",
             imp_code_number(in[O_ERP]).text, imp_code_number(in[O_CFM]).text,
             imp_code_number(in[FRICTION]).text, imp_code_number(in[O_STEP]).text);
}

enum { B_K = N_SHARED, B_D, B_COUNT };

static const imp_engine_input bullet_soft_inputs[B_COUNT] = {
    SHARED(PAIR_MASS, "friction"),
    [B_K] = {POSITIVE("stiffness", "N/m",
                      "1 / (1/k + 1/k of the other body), which has 1e18 if nothing sets it", NAN),
             .others = "k"},
    [B_D] = {NOT_NEGATIVE("damping", "kg/s",
                          "sum of those of the bodies, of which each has 0.1 if nothing sets it",
                          NAN),
             .others = "d"},
};

static void to_bullet_soft(imp_engine_call *call) {
    need(call, B_K);
    need(call, B_D);
    soften(call, call->in[B_K], call->in[B_D]);
}

static void from_bullet_soft(imp_engine_call *call) {
    share_back(call);
    ends_by_force(call);
    call->in[B_K] = call->contact.stiffness;
    call->in[B_D] = normal_damping(&call->contact);
}

static void bullet_soft_line(const imp_engine_call *call, size_t size, char *text) {
    const double *in = call->in;
    snprintf(text, size, "setContactStiffnessAndDamping(%s, %s), setFriction(%s)",
             imp_code_number(in[B_K]).text, imp_code_number(in[B_D]).text,
             imp_code_number(in[FRICTION]).text);
}

/* ---- the table ---- */

#define ENGINE(code, says, table, into, back, words, ratio)                                        \
    .name = (code), .title = (says), INPUTS(table), .to = into, .from = back, .line = words,       \
    .usual_ratio = (ratio)

static const imp_engine engines[] = {
    {ENGINE("lammps", "LAMMPS, pair_style gran/hooke/history", lammps_inputs, to_lammps,
            from_lammps, lammps_line, 3.5)},
    {ENGINE("yade", "YADE, ViscElMat", yade_inputs, to_yade, from_yade, yade_line, NAN)},
    {ENGINE("kratos", "Kratos, DEM_D_Linear_viscous_Coulomb", kratos_inputs, to_kratos, from_kratos,
            kratos_line, 1)},
    {ENGINE("chrono", "Chrono, SMC with the Hooke model", chrono_inputs, to_chrono, from_chrono,
            chrono_line, 1)},
    {ENGINE("mujoco", "MuJoCo, solref at constant impedance", mujoco_inputs, to_mujoco, from_mujoco,
            mujoco_line, 1),
     .pair = "solref", .pair_at = M_T, .opposite_at = M_K},
    {ENGINE("ode_soft", "ODE, contact joint with soft_erp and soft_cfm", ode_soft_inputs,
            to_ode_soft, from_ode_soft, ode_soft_line, 1)},
    {ENGINE("bullet_soft", "Bullet, contact with a stiffness and a damping", bullet_soft_inputs,
            to_bullet_soft, from_bullet_soft, bullet_soft_line, 1)},
};

const imp_engine *imp_engine_at(int index) {
    return index < IMP_COUNT(engines) ? &engines[index]
                                      : imp_rigid_engine_at(index - IMP_COUNT(engines));
}
