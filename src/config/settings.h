/* The keys of a config that are one word: precision, write, cell_budget. */
#ifndef IMP_CONFIG_SETTINGS_H
#define IMP_CONFIG_SETTINGS_H

#include "config/draft.h"

/* The names of the settings. */
extern const char *const imp_setting_names[IMP_N_SETTINGS];

/* Number of the setting with this name, -1 if there is none. */
int imp_setting_find(const char *name);

/* Reads the text of a setting into the draft; reports a setting that is wrong or given twice. */
void imp_setting_read(imp_draft *draft, int setting, imp_place place, const char *text);

#endif
