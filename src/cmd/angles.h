/* Which values of a map are angles. */
#ifndef IMP_CMD_ANGLES_H
#define IMP_CMD_ANGLES_H

#include "store/catalog.h"

/* Whether value k, from 0, of those that a variable has in each cell is an angle: by the unit of
 * the variable, or by that of the uncertain parameter of which it is the value. A parameter of a
 * guest is known only if it has values of its own in the map. */
bool imp_is_angle(const imp_catalog *catalog, const imp_variable *variable, int64_t k);

#endif
