// ODE by its direct solver, dWorldStep. build: c++ -O2 ode_direct.cpp -lode
#include "ode_common.hpp"

int main() {
    dInitODE();
    return exam("ode_direct", "0.16", true, strike_with<dWorldStep>);
}
