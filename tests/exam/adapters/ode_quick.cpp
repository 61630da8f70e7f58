// ODE by its iterative solver, dWorldQuickStep. build: c++ -O2 ode_quick.cpp -lode
#include "ode_common.hpp"

int main() {
    dInitODE();
    return exam("ode_quick", "0.16", true, strike_with<dWorldQuickStep>);
}
