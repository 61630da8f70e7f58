/* The functions of num against those of the C library in long double. */
#ifndef TESTS_SUPPORT_FUNCTIONS_H
#define TESTS_SUPPORT_FUNCTIONS_H

/* Each function at n random places of every kind; fails where an error exceeds what its header
 * states. */
void check_functions(int n);

#endif
