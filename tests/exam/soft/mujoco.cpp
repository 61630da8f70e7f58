// Prints the restitution of a sphere on a plane in MuJoCo: STEP SOLREF SOLREF IMPEDANCE SPEED. build: c++ -O2 mujoco.cpp -lmujoco
#include <mujoco/mujoco.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

int main(int, char **word) {
    double step = std::atof(word[1]), speed = std::atof(word[5]);
    char text[1000], error[500] = "";
    std::snprintf(text, sizeof text,
                  "<mujoco><option timestep='%.17g' gravity='0 0 0'/><default><geom condim='1' solref='%s %s' "
                  "solimp='%s %s 0.001'/></default><worldbody><geom type='plane' size='9 9 1'/><body pos='0 0 0.5'>"
                  "<freejoint/><geom type='sphere' size='0.5'/></body></worldbody></mujoco>",
                  step, word[2], word[3], word[4], word[4]);
    mjVFS files;
    mj_defaultVFS(&files);
    mj_makeEmptyFileVFS(&files, "sphere.xml", (int)std::strlen(text));
    std::memcpy(files.filedata[0], text, std::strlen(text));
    mjModel *model = mj_loadXML("sphere.xml", &files, error, sizeof error);
    if (!model) {
        std::fprintf(stderr, "%s\n", error);
        return 1;
    }
    mjData *data = mj_makeData(model);
    data->qvel[2] = -speed;
    bool pressed = false;
    for (mjtNum force = 0; !pressed || force > 0;) {
        mjtNum forces[6] = {0};
        mj_step(model, data);
        if (data->ncon > 0) {
            mj_contactForce(model, data, 0, forces);
        }
        force = forces[0];
        pressed = pressed || force > 0;
    }
    std::printf("%.9g\n", data->qvel[2] / speed);
    return 0;
}
