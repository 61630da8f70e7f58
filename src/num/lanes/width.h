/* How many lanes a register of this processor holds, and functions that exist for each width. */
#ifndef IMP_NUM_LANES_WIDTH_H
#define IMP_NUM_LANES_WIDTH_H

enum { IMP_MOST_LANES = 8 };

/* A number for each lane; of a narrower register only the first ones are used. A column is a line
 * of the cache. */
typedef double imp_lane_column[IMP_MOST_LANES] __attribute__((aligned(64)));

/* The narrowest width of this build: one for processors with registers of 4 lanes needs no
 * functions of 2. CMakeLists.txt tells it to the files *_lanes.c, which are compiled for more. */
#ifndef IMP_LEAST_LANES
#if defined __x86_64__ && defined __GNUC__ && defined __AVX2__
#define IMP_LEAST_LANES 4
#else
#define IMP_LEAST_LANES 2
#endif
#endif

/* IMP_WIDTHS(DO): DO(2) DO(4) DO(8), for each width of this build; CMakeLists.txt asks for it.
 *
 * IMP_EACH_WIDTH defines the function `name`, which calls name_2, name_4 or name_8 of a file
 * *_lanes.c (IMP_IN_LANES of lanes.h): the narrowest that holds so many `lanes`, at most
 * imp_lane_width(). Results do not depend on it. */
#if defined __x86_64__ && defined __GNUC__
#if IMP_LEAST_LANES == 4
#define IMP_WIDTHS(DO) DO(4) DO(8)
#define IMP_NARROWEST(name) name##_4
#else
#define IMP_WIDTHS(DO) DO(2) DO(4) DO(8)
#define IMP_NARROWEST(name) name##_2
#endif
/* 2, 4 or 8. */
static inline int imp_lane_width(void) {
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")) {
        return 8;
    }
    return __builtin_cpu_supports("avx2") ? 4 : 2;
}
#define IMP_EACH_WIDTH(name, parameters, lanes, arguments)                                         \
    void IMP_NARROWEST(name) parameters;                                                           \
    void name##_4 parameters;                                                                      \
    void name##_8 parameters;                                                                      \
    void name parameters {                                                                         \
        int lanes_ = (lanes);                                                                      \
        (lanes_ > 4 ? name##_8 : lanes_ > 2 ? name##_4 : IMP_NARROWEST(name)) arguments;           \
    }
#else
#define IMP_WIDTHS(DO) DO(2)
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
