/* The part of `info` about a refined map: points, shares with their bounds, boundaries, junctions,
 * audit, base; before the end of the refinement only the number of points. */
#ifndef IMP_CMD_INFO_REFINED_H
#define IMP_CMD_INFO_REFINED_H

#include "base/json.h"
#include "cmd/contents.h"

/* Adds members to the JSON object that was begun last, or prints text if there is none. */
imp_err imp_info_refined(const imp_contents *contents, imp_json *json);

#endif
