/* Lines of which configs are made. */
#ifndef TESTS_CONFIG_PARTS_H
#define TESTS_CONFIG_PARTS_H

#define PENDULUM "model: compliant\nchoose: {body: pendulum}\n"
#define ROD "model: compliant\nchoose: {body: rod}\n"
#define REST "fixed: {angle: 0.5, friction: 0.3, stiffness_ratio: 1.21}\n"
#define NO_FRICTION "fixed: {angle: 0.5, stiffness_ratio: 1.21}\n"
#define NO_ANGLE "fixed: {friction: 0.3, stiffness_ratio: 1.21}\n"

#endif
