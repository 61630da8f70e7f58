// Simbody by its other solver of impulses, projected Gauss-Seidel.
// build: c++ -O2 simbody_pgs.cpp -I/usr/include/simbody -lSimTKsimbody -lSimTKmath -lSimTKcommon
#define SOLVER PGS
#define NAME "simbody_pgs"
#include "simbody.cpp"
