/* Constants that several rooms need. */
#ifndef IMP_BASE_CONSTANTS_H
#define IMP_BASE_CONSTANTS_H

#define IMP_PI 3.14159265358979323846

#define IMP_DEGREES_PER_RADIAN (180 / IMP_PI)
#define IMP_RADIANS_PER_DEGREE (IMP_PI / 180)

#endif
