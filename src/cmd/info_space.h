/* The part of `info` about a map whose cells are replicates of uncertain parameters: the share of
 * each mode in their space, the size of a region that would have been met, and how often the mode
 * changes across each parameter. */
#ifndef IMP_CMD_INFO_SPACE_H
#define IMP_CMD_INFO_SPACE_H

#include "base/json.h"
#include "cmd/contents.h"

/* Adds a member `space` to the JSON object that was begun last, or prints text if there is none;
 * nothing of any other map. */
imp_err imp_info_space(const imp_contents *contents, imp_json *json);

#endif
