/* How many lanes a register of this processor holds, and functions that exist for each width. */
#ifndef IMP_NUM_LANES_WIDTH_H
#define IMP_NUM_LANES_WIDTH_H

enum { IMP_MOST_LANES = 8 };

/* Defines the function `name`, which calls name_2, name_4 or name_8 of a file *_lanes.c
 * (IMP_IN_LANES of lanes.h): the narrowest that holds so many `lanes`, at most imp_lane_width().
 * Results do not depend on it. CMakeLists.txt asks IMP_WIDE_LANES whether there are wide registers,
 * and compiles those files accordingly. */
#if defined __x86_64__ && defined __GNUC__
#define IMP_WIDE_LANES 1
/* 2, 4 or 8. */
static inline int imp_lane_width(void) {
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")) {
        return 8;
    }
    return __builtin_cpu_supports("avx2") ? 4 : 2;
}
#define IMP_EACH_WIDTH(name, parameters, lanes, arguments)                                         \
    void name##_2 parameters;                                                                      \
    void name##_4 parameters;                                                                      \
    void name##_8 parameters;                                                                      \
    void name parameters {                                                                         \
        int lanes_ = (lanes);                                                                      \
        (lanes_ > 4 ? name##_8 : lanes_ > 2 ? name##_4 : name##_2) arguments;                      \
    }
#else
#define IMP_WIDE_LANES 0
static inline int imp_lane_width(void) {
    return 2;
}
#define IMP_EACH_WIDTH(name, parameters, lanes, arguments)                                         \
    void name##_2 parameters;                                                                      \
    void name parameters {                                                                         \
        (void)(lanes);                                                                             \
        name##_2 arguments;                                                                        \
    }
#endif

#endif
