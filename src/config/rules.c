/* The conversions of engines.c and rigid_engines.c as text: each formula is an expression, which
 * the tests evaluate and compare with the conversion. */
#include <stdio.h>

#include "base/text.h"
#include "config/engine.h"
#include "models/theory.h"

/* One of our parameters by those of a code, or (back) one of the code's by ours. formula: NULL:
 * there is no equivalent. note: when, or why not. */
typedef struct rule {
    const char *codes; /* separated by blanks */
    bool back;
    const char *name, *formula, *note;
} rule;

#define OURS(codes, name, formula, note)                                                           \
    { (codes), false, (name), (formula), (note) }
#define THEIRS(codes, name, formula, note)                                                         \
    { (codes), true, (name), (formula), (note) }

static const char dashpots[] = "lammps yade kratos chrono mujoco ode_soft bullet_soft";
static const char springless[] = "mujoco ode_soft bullet_soft";
static const char no_tangential[] = "friction has no tangential spring";

static const rule rules[] = {
    OURS(dashpots, "mass", "mass", ""),
    OURS(dashpots, "friction", "mu", ""),
    OURS("lammps", "stiffness_ratio", "Kn / Kt", ""),
    OURS("kratos chrono", "stiffness_ratio", "kn / kt", ""),
    OURS("lammps", "normal_stiffness", "Kn", ""),
    OURS("lammps", "normal_damping_ratio", "gn * sqrt(mass / Kn) / 2", ""),
    OURS("lammps", "tangential_damping_ratio", "gt * sqrt(3.5 * mass / Kt) / 2",
         "0 with dampflag 0"),
    OURS("lammps", "contact_end", NULL, "elongation; force with limit_damping"),
    THEIRS("lammps", "Kn", "normal_stiffness", ""),
    THEIRS("lammps", "Kt", "normal_stiffness / stiffness_ratio", ""),
    THEIRS("lammps", "gn", "2 * normal_damping_ratio * sqrt(normal_stiffness / mass)", ""),
    THEIRS("lammps", "gt",
           "2 * tangential_damping_ratio * sqrt(normal_stiffness / stiffness_ratio / (3.5 * mass))",
           ""),
    OURS("yade", "normal_stiffness", "mass * (pi^2 + log(en)^2) / tc^2", "with mass/2 at a wall"),
    OURS("yade", "stiffness_ratio", "3.5 * (pi^2 + log(en)^2) / (pi^2 + log(et)^2)", ""),
    OURS("yade", "normal_damping_ratio", "-log(en) / sqrt(pi^2 + log(en)^2)",
         "over sqrt 2 at a wall"),
    OURS("yade", "tangential_damping_ratio", "-log(et) / sqrt(pi^2 + log(et)^2)",
         "over sqrt 2 at a wall"),
    THEIRS(
        "yade", "tc", "pi / sqrt(normal_stiffness / mass * (1 - normal_damping_ratio^2))",
        "with mass/2 at a wall, where both ratios stand for sqrt 2 times as much, here and below"),
    THEIRS("yade", "en", "exp(-pi * normal_damping_ratio / sqrt(1 - normal_damping_ratio^2))", ""),
    THEIRS("yade", "et",
           "exp(-pi * tangential_damping_ratio / sqrt(1 - tangential_damping_ratio^2))", ""),
    THEIRS("yade", "stiffness_ratio", NULL, "it follows from en and et"),
    OURS("kratos", "normal_stiffness", "kn", ""),
    OURS("kratos", "normal_damping_ratio", "gamma", ""),
    OURS("kratos", "tangential_damping_ratio", "gamma * sqrt(3.5)", ""),
    THEIRS("kratos chrono", "kn", "normal_stiffness", ""),
    THEIRS("kratos chrono", "kt", "normal_stiffness / stiffness_ratio", ""),
    THEIRS("kratos", "gamma", "normal_damping_ratio", ""),
    THEIRS("kratos", "tangential_damping_ratio", NULL, "it follows from gamma"),
    OURS("chrono", "normal_stiffness", "kn", ""),
    OURS("chrono", "normal_damping_ratio", "gn * sqrt(mass / kn) / 2",
         "with restitution -log(restitution) / sqrt(pi^2 + log(restitution)^2)"),
    OURS("chrono", "tangential_damping_ratio", "gt * sqrt(3.5 * mass / kt) / 2", ""),
    THEIRS("chrono", "gn", "2 * normal_damping_ratio * sqrt(normal_stiffness / mass)", ""),
    THEIRS("chrono", "gt",
           "2 * tangential_damping_ratio * sqrt(normal_stiffness / stiffness_ratio / (3.5 * mass))",
           ""),
    OURS("mujoco", "normal_stiffness", "mass / (timeconst * dampratio)^2",
         "mass * stiffness in the direct format"),
    OURS("mujoco", "normal_damping_ratio", "dampratio",
         "damping / (2 sqrt(stiffness)) in the direct format"),
    THEIRS("mujoco", "timeconst", "sqrt(mass / normal_stiffness) / normal_damping_ratio", ""),
    THEIRS("mujoco", "dampratio", "normal_damping_ratio", ""),
    OURS("mujoco", "solimp", NULL,
         "at a constant impedance solref is scaled by it, so that it drops out of an impact"),
    OURS("ode_soft", "normal_stiffness", "soft_erp / (step * soft_cfm)", ""),
    OURS("ode_soft", "normal_damping_ratio",
         "(1 - soft_erp) / soft_cfm / (2 * sqrt(mass * soft_erp / (step * soft_cfm)))", ""),
    THEIRS("ode_soft", "soft_erp",
           "step * normal_stiffness / (step * normal_stiffness + 2 * normal_damping_ratio * "
           "sqrt(mass * normal_stiffness))",
           ""),
    THEIRS("ode_soft", "soft_cfm",
           "1 / (step * normal_stiffness + 2 * normal_damping_ratio * sqrt(mass * "
           "normal_stiffness))",
           ""),
    THEIRS("ode_soft", "step", "sqrt(mass / normal_stiffness) / 100", "or the one that is given"),
    OURS("bullet_soft", "normal_stiffness", "stiffness", ""),
    OURS("bullet_soft", "normal_damping_ratio", "damping / (2 * sqrt(mass * stiffness))", ""),
    THEIRS("bullet_soft", "stiffness", "normal_stiffness", ""),
    THEIRS("bullet_soft", "damping", "2 * normal_damping_ratio * sqrt(mass * normal_stiffness)",
           ""),
    OURS(springless, "stiffness_ratio", NULL, no_tangential),
    OURS(springless, "tangential_damping_ratio", NULL, no_tangential),
    THEIRS(dashpots, "mu", "friction", ""),
    OURS("ode", "restitution", "bounce", ""),
    OURS("siconos", "restitution", "en", ""),
    OURS("simbody", "restitution", "minCOR", ""),
    OURS("ode siconos simbody", "friction", "mu", ""),
    OURS("bullet dart", "restitution", "restitution * other_restitution", ""),
    OURS("chipmunk", "restitution", "elasticity * other_restitution", ""),
    OURS("box2d jolt", "restitution", "max(restitution, other_restitution)", ""),
    OURS("bullet chipmunk", "friction", "mu * other_mu", ""),
    OURS("dart", "friction", "min(mu, other_mu)", ""),
    OURS("box2d jolt", "friction", "sqrt(mu * other_mu)", ""),
    THEIRS("ode", "bounce", "restitution", ""),
    THEIRS("siconos", "en", "restitution", ""),
    THEIRS("simbody", "minCOR", "restitution", ""),
    THEIRS("bullet dart box2d jolt", "restitution", "restitution", ""),
    THEIRS("chipmunk", "elasticity", "restitution", ""),
    THEIRS("bullet chipmunk dart", "other_restitution", "1", ""),
    THEIRS("box2d jolt", "other_restitution", "0", ""),
    THEIRS("bullet chipmunk", "other_mu", "1", ""),
    THEIRS("dart box2d jolt", "other_mu", "friction", ""),
    THEIRS("ode siconos simbody bullet chipmunk dart box2d jolt", "mu", "friction", ""),
    THEIRS("ode siconos simbody bullet chipmunk dart box2d jolt", "erp, cfm, stiffness", NULL,
           "a rigid impact has no duration"),
};

static void print_rule(imp_text *page, const rule *one) {
    const char *quote = one->formula ? "`" : "";
    imp_text_print(page, "| %s | %s%s%s |%s%s |\n", one->name, quote,
                   one->formula ? one->formula : "no equivalent", quote, *one->note ? " " : "",
                   one->note);
}

static void print_direction(imp_text *page, const imp_engine *engine, bool back) {
    imp_text_print(page, "\n| %s | is | |\n|---|---|---|\n", back ? engine->name : "ours");
    for (int r = 0; r < IMP_COUNT(rules); r++) {
        if (rules[r].back == back && imp_code_among(rules[r].codes, engine->name)) {
            print_rule(page, &rules[r]);
        }
    }
}

void imp_print_code_rules(imp_text *page) {
    imp_text_print(
        page,
        "# Parameters of other codes\n\nWritten by `impactsweep convert --markdown`, which also "
        "does the conversions: `impactsweep convert CODE NAME=VALUE...`, and `--back`. "
        "`impactsweep convert CODE --inputs` says what the names of a code mean. Ours are those of "
        "a sphere on a plane. `mass` is the effective mass of the pair, 3.5 the inertia of a solid "
        "sphere (`b11 / b22`); `^` is a power, `log` the natural logarithm. The tests evaluate "
        "every formula, and let the engines that are installed strike a plane.\n");
    for (int i = 0; imp_engine_at(i); i++) {
        const imp_engine *engine = imp_engine_at(i);
        imp_text_print(page, "\n## %s\n\n%s; ours: `%s`.\n", engine->name, engine->title,
                       engine->form == IMP_DASHPOT  ? "compliant body=sphere law=dashpot"
                       : engine->form == IMP_NEWTON ? "rigid body=sphere law=newton"
                                                    : "rigid body=sphere law=poisson");
        print_direction(page, engine, false);
        print_direction(page, engine, true);
    }
}
