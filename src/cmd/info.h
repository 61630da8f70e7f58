/* What `info` says of a map or of a history. */
#ifndef IMP_CMD_INFO_H
#define IMP_CMD_INFO_H

#include "base/json.h"
#include "cmd/contents.h"

/* Who reads the facts, and how. */
typedef struct imp_info_reader {
    imp_json *json; /* takes the facts; NULL: they are printed as text, and fewer of them */
    bool stranger;  /* is told nothing of the machine: host, paths, processor, sessions */
} imp_info_reader;

/* Says all facts about the file; in JSON as a member of this name. An error may come after some of
 * them. */
imp_err imp_info_facts(const imp_contents *contents, const char *path, const char *name,
                       imp_info_reader reader);

/* Parts of it, which add members to the JSON object that was begun last, or print text if there is
 * none. Of a refined map: points, shares with their bounds, boundaries, junctions, audit, base;
 * before the end of the refinement only the number of points. Of a map whose cells are replicates
 * of uncertain parameters, a member `space`: the share of each mode in their space, the size of a
 * region that would have been met, and how often the mode changes across each parameter. */
imp_err imp_info_refined(const imp_contents *contents, imp_json *json);
imp_err imp_info_space(const imp_contents *contents, imp_json *json);

#endif
