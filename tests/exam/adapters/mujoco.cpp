// MuJoCo. build: c++ -O2 mujoco.cpp -lmujoco
// Contacts are soft, and have no restitution: solref = (-stiffness, -damping) makes a spring and a dashpot, whose damping
// ratio is that of the restitution, and which are as fast as the steps allow. The same damping, without a spring, is all that
// its friction has: it slows the slip down inside of the cone, and holds it where the restitution is 1 (see README.md).
#include <mujoco/mujoco.h>

#include <cstring>
#include <string>

#include "engine.hpp"

static std::string geometry(const Scene &s) {
    char text[200];
    if (s.body == DISC) {
        std::snprintf(text, sizeof text, "type='sphere' size='%.17g'", s.radius);
    } else if (s.body == CAPSULE) {
        std::snprintf(text, sizeof text, "type='capsule' size='%.17g %.17g' euler='0 1.5707963267948966 0'", s.radius,
                      s.half_length);
    } else {
        std::snprintf(text, sizeof text, "type='box' size='%.17g %.17g %.17g'", s.half[0], s.half[1], s.half[2]);
    }
    return text;
}

/* The restitution of a spring and a dashpot that do not pull. */
static double restitution_of(double zeta) {
    double root = std::sqrt(std::fabs(1 - zeta * zeta));
    double time = zeta < 1 ? std::acos(zeta) / root : zeta > 1 ? std::acosh(zeta) / root : 1;
    return std::exp(-2 * zeta * time);
}

static double damping_ratio(double restitution) {
    double low = 0, high = 8; // a restitution of .003
    for (int k = 0; k < 60; k++) {
        double middle = (low + high) / 2;
        (restitution_of(middle) > restitution ? low : high) = middle;
    }
    return high;
}

static std::string model_of(const Scene &s, double step) {
    double zeta = damping_ratio(s.restitution), omega = std::fmin(0.25, 0.5 / zeta) / step;
    char text[2000];
    std::snprintf(text, sizeof text,
                  "<mujoco><compiler angle='radian'/><option timestep='%.17g' gravity='0 0 0' cone='elliptic' "
                  "integrator='Euler' tolerance='1e-14' iterations='200' impratio='10'/><default><geom friction='%.17g 0 0' "
                  "condim='3' solref='%.17g %.17g' solimp='0.9999 0.9999 0.001'/></default><worldbody>"
                  "<geom type='plane' size='500 500 1' quat='0.70710678118654757 -0.70710678118654757 0 0'/><body><freejoint/>"
                  "<inertial pos='0 0 0' mass='1' diaginertia='%.17g %.17g %.17g'/><geom %s/></body></worldbody></mujoco>",
                  step, s.friction, -omega * omega, -2 * zeta * omega, s.inertia[0], s.inertia[1], s.inertia[2],
                  geometry(s).c_str());
    return text;
}

static bool strike(const Scene &s, double step, Motion &after) {
    std::string xml = model_of(s, step);
    mjVFS files;
    mj_defaultVFS(&files);
    char error[500] = "";
    mj_makeEmptyFileVFS(&files, "scene.xml", (int)xml.size());
    std::memcpy(files.filedata[0], xml.data(), xml.size());
    mjModel *model = mj_loadXML("scene.xml", &files, error, sizeof error);
    mj_deleteVFS(&files);
    if (!model) {
        std::fprintf(stderr, "%s\n", error);
        return false;
    }
    mjData *data = mj_makeData(model);
    double half = s.angle / 2;
    const double quaternion[4] = {std::cos(half), 0, 0, std::sin(half)};
    for (int k = 0; k < 3; k++) {
        data->qpos[k] = s.centre[k];
        data->qvel[k] = s.motion.v[k];
    }
    std::memcpy(data->qpos + 3, quaternion, sizeof quaternion);
    data->qvel[5] = s.motion.w[2]; // rotation in the axes of the body, which share z
    bool pressed = false, apart = false;
    for (int k = 0; k < 400 && !apart; k++) {
        mj_step(model, data);
        mjtNum force[6] = {0};
        if (data->ncon > 0) {
            mj_contactForce(model, data, 0, force);
        }
        apart = pressed && force[0] == 0;
        pressed = force[0] > 0;
    }
    const double *x = data->qpos + 3;
    double turned = 2 * std::atan2(x[3], x[0]);
    double ct = std::cos(turned), st = std::sin(turned);
    for (int k = 0; k < 3; k++) {
        after.v[k] = data->qvel[k];
    }
    after.w[0] = ct * data->qvel[3] - st * data->qvel[4];
    after.w[1] = st * data->qvel[3] + ct * data->qvel[4];
    after.w[2] = data->qvel[5];
    mj_deleteData(data);
    mj_deleteModel(model);
    return apart;
}

/* Not into a file of the current folder. */
static void warn(const char *text) {
    std::fprintf(stderr, "%s\n", text);
}

int main() {
    mju_user_warning = warn;
    return exam("mujoco", mj_versionString(), true, strike);
}
