/* How many lanes a register of this processor holds. Code in lanes (lanes.h) is compiled for each width, and the
 * widest that the processor has runs; results do not depend on it. */
#ifndef IMP_NUM_LANE_WIDTH_H
#define IMP_NUM_LANE_WIDTH_H

enum { IMP_MOST_LANES = 8 };

/* 2, 4 or 8. */
int imp_lane_width(void);

/* IMP_WIDE_LANES: whether registers may hold more than two lanes. IMP_WIDEST: of the functions name_2, name_4 and
 * name_8 the one for this processor. */
#if defined __x86_64__ && defined __GNUC__
#define IMP_WIDE_LANES 1
#define IMP_WIDEST(name)                                                                           \
    (imp_lane_width() == 8 ? name##_8 : imp_lane_width() == 4 ? name##_4 : name##_2)
#else
#define IMP_WIDE_LANES 0
#define IMP_WIDEST(name) name##_2
#endif

#endif
