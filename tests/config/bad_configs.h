/* Bad configs and their exact messages. The file is called x.yaml; tables are those of
 * support/reading.c. */

#include "parts.h"

#define ALLOWED_IN_CONFIG                                                                          \
    "allowed: model, command, cell_time, memory_limit, variables, uncertain, search, refine, "     \
    "choose, axes, fixed, outputs, figure, "                                                       \
    "precision, "                                                                                  \
    "write, cell_budget\n"
/* Lists that grow with the theories are written as <theories>, <bodies>, <parameters>; the last two
 * are those of the theory compliant. So are <searches> and <keys of an axis>. */
#define REFINED PENDULUM "fixed: {stiffness_ratio: 1.21}\nrefine: "
#define RANGES "axes: [{param: angle, from: 0.1, to: 1}, {param: friction, from: 0.1, to: 1}]\n"
#define AXIS "axes: [{param: friction, from: 0, to: 1, points: 5}]\n"
#define FIGURE PENDULUM NO_FRICTION AXIS "outputs: [mode, energy_loss]\nfigure: "
#define CASES(first, second) "axes:\n  - cases:\n      " first "\n      " second "\n"
#define BOTH                                                                                       \
    CASES("springs: {model: compliant, body: pendulum}",                                           \
          "rigid: {model: rigid, body: pendulum, law: newton, restitution: 1}")
#define REST_OF "fixed: {angle: 1, friction: 1, stiffness_ratio: 1}\n"
#define ALL_PARAMETERS "<parameters>\n"

static const struct bad {
    const char *name, *text, *expected;
    const char *override; /* one, or NULL */
} bad_configs[] = {
    /* the file as a whole */
    {"empty", "",
     "x.yaml:1:1: error: the config is empty, a mapping with the key 'model' is "
     "expected\n",
     NULL},
    {"only remarks", "# nothing\n\n",
     "x.yaml:1:1: error: the config is empty, a mapping with the key 'model' is expected\n", NULL},
    {"a list", "\n- model\n", "x.yaml:2:1: error: a config must be a mapping, not a list\n", NULL},
    {"a word", "compliant\n", "x.yaml:1:1: error: a config must be a mapping, not a single value\n",
     NULL},
    {"not UTF-8", "model: compliant\nchoose: {body: \xff}\n",
     "x.yaml:2:16: error: byte 0xff is not text, UTF-8 text is expected\n", NULL},
    {"a mark before the text", "\xEF\xBB\xBFmodel: complian\n",
     "x.yaml:1:8: error: unknown theory 'complian' (did you mean 'compliant'?)\n", NULL},
    {"a value beside the end of its range",
     "model: rigid\nchoose: {body: pendulum, law: newton}\n" AXIS
     "fixed: {angle: 1, restitution: 1.0000000000000002}\n",
     "x.yaml:4:32: error: 'restitution' is 1.0000000000000002, outside its range [0, 1]\n", NULL},
    {"overlong UTF-8", "# \xc3\xa9 \xc0\xaf\n",
     "x.yaml:1:5: error: byte 0xc0 is not text, UTF-8 text is expected\n", NULL},
    {"surrogate", "\xed\xa0\x80",
     "x.yaml:1:1: error: byte 0xed is not text, UTF-8 text is expected\n", NULL},
    {"control character", "model: \x01",
     "x.yaml:1:8: error: byte 0x01 is not text, UTF-8 text is expected\n", NULL},
    {"C1 control character, which YAML forbids", "model:\n \xc2\x81",
     "x.yaml:2:2: error: not valid YAML: control characters are not allowed\n", NULL},
    {"open bracket", "model: [compliant\n",
     "x.yaml:2:1: error: not valid YAML: while parsing a flow sequence, did not find expected ',' "
     "or ']'\n",
     NULL},
    {"tab", "model: compliant\nfixed:\n\tfriction: 1\n",
     "x.yaml:3:1: error: not valid YAML: while scanning for the next token, found character that "
     "cannot start any token\n",
     NULL},
    {"two documents", "model: compliant\n---\nmodel: compliant\n",
     "x.yaml:2:1: error: a second YAML document, one is allowed\n", NULL},
    {"alias", "model: compliant\nchoose: {body: &b rod, law: *b}\n",
     "x.yaml:2:16: error: anchors are not supported, write the value out\n"
     "x.yaml:2:29: error: aliases are not supported, write the value out\n",
     NULL},
    {"tag", "model: !!str compliant\nfixed: !x {}\n",
     "x.yaml:1:8: error: tags are not supported, leave the tag out\n"
     "x.yaml:2:8: error: tags are not supported, leave the tag out\n",
     NULL},
    {"character 0", "model: \"a\\0b\"\n",
     "x.yaml:1:8: error: a text must not contain the character 0\n", NULL},
    {"deep", "model: [[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]\n",
     "x.yaml:1:23: error: nested too deeply, at most 16 levels are allowed\n", NULL},

    /* keys of the config */
    {"unknown keys", "modl: compliant\nchoice: {body: rod}\nzzzzzz: 1\n",
     "x.yaml:1:1: error: unknown key 'modl' in the config (did you mean 'model'?)\n"
     "x.yaml:2:1: error: unknown key 'choice' in the config (did you mean 'choose'?)\n"
     "x.yaml:3:1: error: unknown key 'zzzzzz' in the config, " ALLOWED_IN_CONFIG,
     NULL},
    {"misspelt part, no missing parameters", PENDULUM "fixd: {angle: 0.5}\n",
     "x.yaml:3:1: error: unknown key 'fixd' in the config (did you mean 'fixed'?)\n", NULL},
    {"no model", "fixed: {friction: 1}\n",
     "x.yaml:1:1: error: missing key 'model', the name of a theory\n", NULL},
    {"unknown model", "model: complaint\nfixed: {x: 1}\n",
     "x.yaml:1:8: error: unknown theory 'complaint' (did you mean 'compliant'?)\n", NULL},
    {"hidden theories are not listed", "model: nulll\n",
     "x.yaml:1:8: error: unknown theory 'nulll', allowed: <theories>, guest\n", NULL},
    {"model of the wrong type", "model: [compliant]\n",
     "x.yaml:1:8: error: 'model' must be a single value, not a list\n", NULL},
    {"model without value", "model:\n", "x.yaml:1:7: error: the value of 'model' is missing\n",
     NULL},
    {"duplicate keys", PENDULUM REST "model: compliant\nfixed: {}\n",
     "x.yaml:4:1: error: duplicate key 'model', first given on line 1\n"
     "x.yaml:5:1: error: duplicate key 'fixed', first given on line 3\n",
     NULL},
    {"keys that are no words", PENDULUM REST "[a]: 1\n? {}\n: 2\n\"\": 3\n",
     "x.yaml:4:1: error: a key must be a word, not a list\n"
     "x.yaml:5:3: error: a key must be a word, not a mapping\n"
     "x.yaml:7:1: error: a key must be a word, not empty\n",
     NULL},
    {"wrong types",
     "model: compliant\nchoose: rod\naxes: {}\nfixed: []\noutputs: mode\n"
     "precision: {}\n",
     "x.yaml:2:9: error: 'choose' must be a mapping, not a single value\n"
     "x.yaml:3:7: error: 'axes' must be a list, not a mapping\n"
     "x.yaml:4:8: error: 'fixed' must be a mapping, not a list\n"
     "x.yaml:5:10: error: 'outputs' must be a list, not a single value\n"
     "x.yaml:6:12: error: 'precision' must be a single value, not a mapping\n",
     NULL},
    {"missing values", "model: compliant\nchoose:\naxes: ~\nfixed:\noutputs:\nprecision:\n",
     "x.yaml:2:8: error: 'choose' must be a mapping, not a missing value\n"
     "x.yaml:3:7: error: 'axes' must be a list, not a missing value\n"
     "x.yaml:4:7: error: 'fixed' must be a mapping, not a missing value\n"
     "x.yaml:5:9: error: 'outputs' must be a list, not a missing value\n"
     "x.yaml:6:11: error: the value of 'precision' is missing\n",
     NULL},
    {"way to write", PENDULUM REST "write: paralel\n",
     "x.yaml:4:8: error: unknown way to write 'paralel' (did you mean 'parallel'?)\n", NULL},
    {"budget of no steps", PENDULUM REST "cell_budget: 0\n",
     "x.yaml:4:14: error: cell_budget is 0, allowed: at least 1\n", NULL},
    {"budget that is no number", PENDULUM REST "cell_budget: 1e3\n",
     "x.yaml:4:14: error: cell_budget: '1e3' is not a whole number written in digits alone\n",
     NULL},
    {"budget set twice", PENDULUM REST "cell_budget: 1\ncell_budget: 2\n",
     "x.yaml:5:1: error: duplicate key 'cell_budget', first given on line 4\n", NULL},
    {"precision", PENDULUM REST "precision: float23\n",
     "x.yaml:4:12: error: unknown precision 'float23' (did you mean 'float32'?)\n", NULL},
    {"a message is one line", PENDULUM REST "\"a\\nb\": 1\n",
     "x.yaml:4:1: error: unknown key 'a?b' in the config, " ALLOWED_IN_CONFIG, NULL},
    {"a long word is cut",
     PENDULUM REST "abcdefghijabcdefghijabcdefghijabcdefghijabcdefghijabcdefghi\xc3\xa9"
                   "bcdefghijabcdefghij: 1\n",
     "x.yaml:4:1: error: unknown key "
     "'abcdefghijabcdefghijabcdefghijabcdefghijabcdefghijabcdefghi...' in the "
     "config, " ALLOWED_IN_CONFIG,
     NULL},

    /* choose */
    {"missing choice", "model: compliant\n",
     "x.yaml:1:1: error: missing choice 'body', allowed: <bodies>\n", NULL},
    {"missing choice, in choose", "model: compliant\nchoose: {law: linear}\n" REST,
     "x.yaml:2:9: error: missing choice 'body', allowed: <bodies>\n", NULL},
    {"unknown choice", "model: compliant\nchoose: {bodi: rod, shape: rod}\n",
     "x.yaml:2:10: error: unknown choice 'bodi' (did you mean 'body'?)\n"
     "x.yaml:2:21: error: unknown choice 'shape', allowed: body, law\n",
     NULL},
    {"unknown option", "model: compliant\nchoose: {body: pendlum, law: hooke}\nfixed: {b11: 1}\n",
     "x.yaml:2:16: error: unknown option 'pendlum' of 'body' (did you mean 'pendulum'?)\n"
     "x.yaml:2:30: error: unknown option 'hooke' of 'law', allowed: <laws>\n",
     NULL},
    {"choice twice",
     "model: compliant\nchoose: {body: rod, body: sphere}\n"
     "fixed: {velocity_ratio: 1, angle: 0, friction: 0, stiffness_ratio: 1}\n",
     "x.yaml:2:21: error: duplicate key 'body'\n", NULL},
    {"choice without value", "model: compliant\nchoose: {body: }\n",
     "x.yaml:2:16: error: the value of 'body' is missing\n", NULL},
    {"choice of the wrong type", "model: compliant\nchoose: {body: [rod]}\n",
     "x.yaml:2:16: error: 'body' must be a single value, not a list\n", NULL},
    {"keys of parts that are no words",
     "model: compliant\nchoose: {[a]: b, body: pendulum}\n"
     "fixed: {angle: 0.5, friction: 0.3, stiffness_ratio: 1.21, {}: 1}\n",
     "x.yaml:2:10: error: a key must be a word, not a list\n"
     "x.yaml:3:59: error: a key must be a word, not a mapping\n",
     NULL},
    {"parameter under choose",
     "model: compliant\nchoose: {body: pendulum, friction: 0.3}\n"
     "fixed: {angle: 0.5, stiffness_ratio: 1.21, law: linear}\n",
     "x.yaml:2:26: error: 'friction' is a parameter, write it under 'fixed'\n"
     "x.yaml:3:44: error: 'law' is a choice, write it under 'choose'\n",
     NULL},

    /* fixed */
    {"missing parameters", PENDULUM "fixed: {angle: 30deg}\n",
     "x.yaml:3:8: error: missing parameter 'friction' (range [0, inf), no default)\n"
     "x.yaml:3:8: error: missing parameter 'stiffness_ratio' (range (0, inf), no default), or "
     "'poisson_ratio' in "
     "its place (range [0, 0.5])\n",
     NULL},
    {"missing angle, no fixed",
     ROD "axes:\n"
         "  - {param: friction, values: [1]}\n"
         "  - {param: stiffness_ratio, values: [1]}\n"
         "  - {param: velocity_ratio, values: [1]}\n",
     "x.yaml:1:1: error: missing parameter 'angle' (range [-1.570796, 1.570796] rad = "
     "[-90, 90] deg, no default)\n",
     NULL},
    {"missing where ranges differ",
     "model: compliant\naxes: [{param: body, values: [rod, "
     "pendulum, general]}]\nfixed: {friction: 0.3, stiffness_ratio: 1, velocity_ratio: 0, "
     "inertia_coupling: 0}\n",
     "x.yaml:3:8: error: missing parameter 'angle' (range [-1.570796, 1.570796] rad = [-90, 90] "
     "deg or (0, 1.570796) rad = (0, 90) deg, no default)\n",
     NULL},
    {"unknown parameter",
     PENDULUM "fixed: {angle: 0.5, frction: 0.3, stiffness_ratio: 1.21, colour: 1}\n",
     "x.yaml:3:21: error: unknown parameter 'frction' (did you mean 'friction'?)\n"
     "x.yaml:3:58: error: unknown parameter 'colour', allowed: " ALL_PARAMETERS,
     NULL},
    {"a parameter and its stand-in",
     PENDULUM "fixed: {angle: 0.5, poisson_ratio: 0.3, friction: 0.3, stiffness_ratio: 1.21}\n",
     "x.yaml:3:21: error: 'poisson_ratio' and 'stiffness_ratio' set the same value, give one of "
     "them\n",
     NULL},
    {"a parameter on an axis and its stand-in",
     PENDULUM "axes: [{param: stiffness_ratio, values: [1, 2]}]\n"
              "fixed: {angle: 0.5, friction: 0.3,\n  poisson_ratio: 0.3}\n",
     "x.yaml:5:3: error: 'poisson_ratio' and 'stiffness_ratio' set the same value, give one of "
     "them\n",
     NULL},
    {"a parameter and its stand-in on an axis",
     PENDULUM REST "axes: [{param: poisson_ratio, from: 0, to: 0.5, points: 3}]\n",
     "x.yaml:4:16: error: 'poisson_ratio' and 'stiffness_ratio' set the same value, give one of "
     "them\n",
     NULL},
    {"override by the stand-in of a fixed parameter", PENDULUM REST,
     "--set poisson_ratio=0.3: error: 'poisson_ratio' and 'stiffness_ratio' set the same value, "
     "give one of them\n",
     "poisson_ratio=0.3"},
    {"a misspelt stand-in", PENDULUM "fixed: {angle: 0.5, friction: 0.3, poison_ratio: 0.3}\n",
     "x.yaml:3:36: error: unknown parameter 'poison_ratio' (did you mean 'poisson_ratio'?)\n",
     NULL},
    {"a stand-in outside its range",
     PENDULUM "fixed: {angle: 0.5, friction: 0.3, poisson_ratio: 0.6}\n",
     "x.yaml:3:51: error: 'poisson_ratio' is 0.6, outside its range [0, 0.5]\n", NULL},
    {"does not apply",
     PENDULUM
     "fixed: {angle: 0.5, friction: 0.3, stiffness_ratio: 1.21,\n  inertia_coupling: 0.5}\n",
     "x.yaml:4:3: error: 'inertia_coupling' does not apply to body=pendulum; it applies to "
     "body=general\n",
     NULL},
    {"applies to no option of the axis",
     "model: compliant\naxes:\n  - {param: body, values: "
     "[rod, sphere]}\n  - {param: b11, values: [1]}\nfixed: {velocity_ratio: 1, angle: 0, "
     "friction: 0, stiffness_ratio: 1}\n",
     "x.yaml:4:13: error: 'b11' does not apply to body=sphere, body=rod; it applies to "
     "body=matrix\n",
     NULL},
    {"numbers",
     PENDULUM "fixed:\n  angle: 30degrees\n  friction: 12abc\n  stiffness_ratio: nan\n"
              "  mass: 0x10\n  normal_speed: .inf\n  normal_stiffness: 1e999\n",
     "x.yaml:4:10: error: angle: '30degrees' is not a number with an optional unit deg or rad\n"
     "x.yaml:5:13: error: friction: '12abc' is not a number\n"
     "x.yaml:6:20: error: stiffness_ratio: 'nan' is not a number\n"
     "x.yaml:7:9: error: mass: '0x10' is not a number\n"
     "x.yaml:8:17: error: normal_speed: '.inf' is not finite; its range is (0, inf) m/s\n"
     "x.yaml:9:21: error: normal_stiffness: '1e999' is too large for a double; its range "
     "is (0, inf) N/m or (0, inf) N/m^1.5\n",
     NULL},
    {"no numbers",
     PENDULUM "fixed:\n  angle: \n  friction: '0.3'\n  stiffness_ratio: [1]\n"
              "  mass: null\n  normal_speed: {a: 1}\n",
     "x.yaml:4:9: error: the value of 'angle' is missing\n"
     "x.yaml:5:13: error: 'friction' must be a number without quotes\n"
     "x.yaml:6:20: error: 'stiffness_ratio' must be a single value, not a list\n"
     "x.yaml:7:9: error: mass: 'null' is not a number with an optional unit such as kg\n"
     "x.yaml:8:18: error: unknown key 'a' in a fixed parameter, allowed: equals\n",
     NULL},
    {"formulas that cannot be read",
     PENDULUM "fixed:\n  angle: {equals: frictoin + 1}\n  friction: {equals: 'mass * (2'}\n"
              "  stiffness_ratio: = mass mass\n  mass: {equals: radius > 1}\n",
     "x.yaml:4:19: error: unknown parameter 'frictoin' in the formula of 'angle' (did you mean "
     "'friction'?)\n"
     "x.yaml:5:32: error: the formula of 'friction': ')' is missing\n"
     "x.yaml:6:27: error: the formula of 'stiffness_ratio': unexpected text; allowed here are "
     "+ - * / or the end\n"
     "x.yaml:7:18: error: the formula of 'mass': a number is missing here; a condition is not a "
     "number\n",
     NULL},
    {"formulas in a circle, and one of a swept parameter",
     PENDULUM "axes: [{param: angle, values: [0.5]}]\nfixed:\n  friction: {equals: mass / 2}\n"
              "  mass: {equals: stiffness_ratio}\n  stiffness_ratio: {equals: friction + 1}\n"
              "  angle: {equals: mass}\n  normal_speed: {equals: normal_speed}\n",
     "x.yaml:5:22: error: 'friction' follows itself\n"
     "x.yaml:6:18: error: 'mass' follows itself\n"
     "x.yaml:7:29: error: 'stiffness_ratio' follows itself\n"
     "x.yaml:8:3: error: 'angle' is both fixed and on an axis\n"
     "x.yaml:9:26: error: 'normal_speed' follows itself\n",
     NULL},
    {"formulas without a good value",
     PENDULUM "axes: [{param: angle, from: 10 deg, to: 20 deg, points: 3}]\nfixed:\n"
              "  friction: {equals: '-angle'}\n  stiffness_ratio: {equals: 1 / (mass - 1)}\n"
              "  normal_speed: {equals: b11}\n",
     "x.yaml:5:23: error: 'friction' is -0.1745329, outside its range [0, inf)\n"
     "x.yaml:6:29: error: the formula of 'stiffness_ratio' has no finite value\n"
     "x.yaml:7:26: error: 'normal_speed' follows 'b11', which has no value in this sweep\n",
     NULL},
    {"a formula on the command line", PENDULUM REST,
     "--set friction==mas: error: unknown parameter 'mas' in the formula of 'friction' (did you "
     "mean 'mass'?)\n",
     "friction==mas"},
    {"variables with wrong names or units",
     "model: compliant\nvariables:\n  friction: 1\n  mode: 1\n  sin: rad\n  2x: m\n  tilt: deg\n"
     "  a: furlong\n  points: 1\n  b: [1]\n  body: 1\n  a: 1\nchoose: {body: lamina}\n"
     "axes: [{param: tilt, from: 0 deg, to: 90 deg, points: 3}]\n"
     "fixed:\n  friction: 0.2\n  stiffness_ratio: 1\n  velocity_ratio: 1\n"
     "  offset_n: {equals: a * cos(tilt)}\n  offset_t: {equals: a * sin(tlt)}\n  a: 1\n",
     "x.yaml:3:3: error: 'friction' is a parameter of compliant, a variable needs another name\n"
     "x.yaml:4:3: error: 'mode' is an output of compliant, a variable needs another name\n"
     "x.yaml:5:3: error: 'sin' is no name of a variable: a word of letters, digits and _ (at most "
     "63), other than the words of formulas\n"
     "x.yaml:6:3: error: '2x' is no name of a variable: a word of letters, digits and _ (at most "
     "63), other than the words of formulas\n"
     "x.yaml:7:9: error: 'deg' is no SI unit for 'tilt', such as rad, m, kg, N/m, or 1 for a "
     "number; its values may have other units\n"
     "x.yaml:8:6: error: 'furlong' is no SI unit for 'a', such as rad, m, kg, N/m, or 1 for a "
     "number; its values may have other units\n"
     "x.yaml:9:3: error: maps have a part called 'points', a variable needs another name\n"
     "x.yaml:10:6: error: 'b' must be a single value, not a list\n"
     "x.yaml:11:3: error: 'body' is a choice of compliant, a variable needs another name\n"
     "x.yaml:12:3: error: duplicate key 'a'\n"
     "x.yaml:20:30: error: unknown parameter 'tlt' in the formula of 'offset_t' (did you mean "
     "'tilt'?)\n",
     NULL},
    {"variables that are read by no formula, have no value, or go in a circle",
     "model: compliant\nvariables: {idle: m, empty: rad, a: 1, b: 1}\nchoose: {body: lamina}\n"
     "axes: [{param: idle, values: [1 rad, 2]}]\n"
     "fixed:\n  friction: 0.2\n  stiffness_ratio: 1\n  velocity_ratio: 1\n  offset_n: 1\n"
     "  offset_t: {equals: sin(empty)}\n  a: {equals: 2 * b}\n  b: {equals: a}\n",
     "x.yaml:2:13: error: no formula reads the variable 'idle'\n"
     "x.yaml:2:22: error: the variable 'empty' has no value\n"
     "x.yaml:4:31: error: idle: '1 rad' has the unit of another quantity; its unit is m\n"
     "x.yaml:11:15: error: 'a' follows itself\n"
     "x.yaml:12:15: error: 'b' follows itself\n",
     NULL},
    {"too many variables",
     PENDULUM "variables: {a: 1, b: 1, c: 1, d: 1, e: 1, f: 1, g: 1, h: 1, i: 1}\n"
              "fixed: {angle: 1, friction: '= a+b+c+d+e+f+g+h', stiffness_ratio: 1, a: 1, b: 1, "
              "c: 1, d: 1, e: 1, f: 1, g: 1, h: 1}\n",
     "x.yaml:3:61: error: one variable too many, at most 8 are allowed\n", NULL},
    {"a variable with the name of what a search finds",
     PENDULUM
     "variables: {root: 1}\nfixed: {stiffness_ratio: '= root', root: 1, friction: 1}\n"
     "search: {over: {param: angle, from: 0.1, to: 1}, find: boundary, of: mode, in: [wedge]}\n",
     "x.yaml:3:13: error: 'root' is an output of the search, a variable needs another name\n",
     NULL},
    {"variables that are no mapping", PENDULUM "variables: [tilt]\n" REST,
     "x.yaml:3:12: error: 'variables' must be a mapping, not a list\n", NULL},
    {"variables on the command line", PENDULUM REST,
     "--set variables=tilt:rad: error: unknown parameter or choice 'variables', allowed: body, "
     "law, <parameters>\n",
     "variables=tilt:rad"},
    {"the unit of another law",
     "model: compliant\nchoose: {body: pendulum, law: hertz}\n" AXIS
     "fixed: {angle: 1, stiffness_ratio: 1, normal_stiffness: 2 N/mm}\n",
     "x.yaml:4:57: error: normal_stiffness: '2 N/mm' has the unit of another quantity; its unit is "
     "N/m^1.5 here\n",
     NULL},
    {"a unit of one of two laws",
     "model: compliant\nchoose: {body: pendulum}\naxes: [{param: law, values: [linear, hertz]}]\n"
     "fixed: {angle: 1, friction: 1, stiffness_ratio: 1, normal_stiffness: 2 N/mm}\n",
     "x.yaml:4:70: error: normal_stiffness: '2 N/mm' has a unit, but cells differ in the unit of "
     "normal_stiffness, which is N/m or N/m^1.5; a number without a unit is in that of each cell\n",
     NULL},
    {"a unit whose power is on an axis",
     "model: viscoelastic\naxes: [{param: exponent, values: [1, 2]}]\n"
     "fixed: {velocity_ratio: 1, friction: 1, normal_stiffness: 2 N/mm}\n",
     "x.yaml:3:59: error: normal_stiffness: '2 N/mm' has a unit, but cells differ in the unit of "
     "normal_stiffness, which is N/m^exponent; a number without a unit is in that of each cell\n",
     NULL},
    {"unit of an angle on a number",
     PENDULUM "fixed: {angle: 30 deg, friction: 30 deg, stiffness_ratio: 1}\n",
     "x.yaml:3:34: error: friction: '30 deg' has the unit of an angle where none is allowed\n",
     NULL},
    {"units of other quantities",
     PENDULUM
     "fixed: {angle: 3 kg, friction: 3 mm, stiffness_ratio: 1, mass: 2 m, length: 3 ells}\n",
     "x.yaml:3:16: error: angle: '3 kg' is not a number with an optional unit deg or rad\n"
     "x.yaml:3:32: error: friction: '3 mm' has a unit where none is allowed\n"
     "x.yaml:3:64: error: mass: '2 m' has the unit of another quantity; its unit is kg\n"
     "x.yaml:3:77: error: length: '3 ells' is not a number with an optional unit such as m\n",
     NULL},
    {"ranges",
     "model: compliant\nchoose: {body: general}\n"
     "fixed:\n  angle: 90.1 deg\n  friction: -0.5\n  stiffness_ratio: 0\n"
     "  inertia_coupling: 1\n  velocity_ratio: -3\n  mass: -2\n",
     "x.yaml:4:10: error: 'angle' is 1.572542 rad (90.1 deg), outside its range "
     "[-1.570796, 1.570796] rad = [-90, 90] deg\n"
     "x.yaml:5:13: error: 'friction' is -0.5, outside its range [0, inf)\n"
     "x.yaml:6:20: error: 'stiffness_ratio' is 0, outside its range (0, inf)\n"
     "x.yaml:7:21: error: 'inertia_coupling' is 1, outside its range [0, 1)\n"
     "x.yaml:9:9: error: 'mass' is -2 kg, outside its range (0, inf) kg\n",
     NULL},
    {"outside the range of every option",
     "model: compliant\naxes: [{param: body, values: "
     "[pendulum, rod]}]\nfixed: {angle: 2, friction: 0, stiffness_ratio: 1, velocity_ratio: 1}\n",
     "x.yaml:3:16: error: 'angle' is 2 rad (114.5916 deg), outside its range "
     "[-1.570796, 1.570796] rad = [-90, 90] deg or (0, 1.570796) rad = (0, 90) deg\n",
     NULL},
    {"parameter twice",
     PENDULUM "fixed: {angle: 0.5, friction: 0.3, friction: 0.4, stiffness_ratio: 1.21}\n",
     "x.yaml:3:36: error: duplicate key 'friction'\n", NULL},
    {"fixed and swept", PENDULUM REST "axes: [{param: friction, values: [0.1, 0.2]}]\n",
     "x.yaml:3:21: error: 'friction' is both fixed and on an axis\n", NULL},

    /* axes */
    {"an axis of the wrong type", PENDULUM REST "axes: [friction]\n",
     "x.yaml:4:8: error: an axis must be a mapping, not a single value\n", NULL},
    {"unknown keys in an axis",
     PENDULUM NO_FRICTION "axes:\n  - {param: friction, frm: 0.1, max: 1, points: 5}\n",
     "x.yaml:5:5: error: missing key 'to' in an axis\n"
     "x.yaml:5:23: error: unknown key 'frm' in an axis (did you mean 'from'?)\n"
     "x.yaml:5:33: error: unknown key 'max' in an axis, allowed: <keys of an axis>\n",
     NULL},
    {"duplicate key in an axis",
     PENDULUM NO_FRICTION "axes:\n  - {param: friction, from: 0, to: 1,\n     to: 2, points: 5}\n",
     "x.yaml:6:6: error: duplicate key 'to', first given on line 5\n", NULL},
    {"an axis without param, table or sample",
     PENDULUM REST "axes:\n  - {from: 0, to: 1, points: 5}\n",
     "x.yaml:5:5: error: missing key 'param' (or 'table', 'sample' or 'cases') in an axis\n", NULL},
    {"param without value", PENDULUM REST "axes: [{param: , values: [1]}]\n",
     "x.yaml:4:16: error: the value of 'param' is missing\n", NULL},
    {"missing keys", PENDULUM NO_FRICTION "axes: [{param: friction, spacing: log}]\n",
     "x.yaml:4:8: error: missing key 'from' in an axis\n"
     "x.yaml:4:8: error: missing key 'to' in an axis\n"
     "x.yaml:4:8: error: missing key 'points' in an axis\n",
     NULL},
    {"forms mixed",
     PENDULUM NO_FRICTION "axes:\n  - {param: friction, values: [1], from: 0, name: f}\n",
     "x.yaml:5:36: error: 'from' does not go with 'values'\n"
     "x.yaml:5:45: error: 'name' does not go with 'values'\n",
     NULL},
    {"name without table",
     PENDULUM NO_FRICTION "axes:\n  - {param: friction, name: f, from: 0, to: 1, points: 2}\n",
     "x.yaml:5:23: error: 'name' does not go with 'param'\n", NULL},
    {"unknown parameter on an axis, its points still checked",
     PENDULUM NO_FRICTION "axes:\n  - {param: frictio, from: 0.1, to: 1, points: 0}\n",
     "x.yaml:5:13: error: unknown parameter or choice 'frictio' (did you mean 'friction'?)\n"
     "x.yaml:5:48: error: points is 0, an axis has at least 1\n",
     NULL},
    {"axis that does not apply", PENDULUM REST "axes: [{param: velocity_ratio, values: [1]}]\n",
     "x.yaml:4:16: error: 'velocity_ratio' does not apply to body=pendulum; it applies to "
     "<bodies with velocity_ratio>\n",
     NULL},
    {"points", PENDULUM NO_FRICTION "axes:\n  - {param: friction, from: 0, to: 1, points: 1.5}\n",
     "x.yaml:5:47: error: points: '1.5' is not a whole number written in digits alone\n", NULL},
    {"negative points",
     PENDULUM NO_FRICTION "axes:\n  - {param: friction, from: 0, to: 1, points: -3}\n",
     "x.yaml:5:47: error: points: '-3' is not a whole number written in digits alone\n", NULL},
    {"points in words",
     PENDULUM NO_FRICTION "axes:\n  - {param: friction, from: 0, to: 1, points: '3'}\n",
     "x.yaml:5:47: error: 'points' must be a number without quotes\n", NULL},
    {"points of 2^63",
     PENDULUM NO_FRICTION
     "axes:\n  - {param: friction, from: 0, to: 1, points: 9223372036854775808}\n",
     "x.yaml:5:47: error: points: '9223372036854775808' is too large (at most 2^63-1)\n", NULL},
    {"points of 2^40",
     PENDULUM NO_FRICTION "axes:\n  - {param: friction, from: 0, to: 1, points: 1099511627776}\n",
     "x.yaml:5:47: error: points is 1099511627776, this axis has at most 2^28\n", NULL},
    {"points of 2^28 + 1",
     PENDULUM NO_FRICTION "axes:\n  - {param: friction, from: 0, to: 1, points: 268435457}\n",
     "x.yaml:5:47: error: points is 268435457, this axis has at most 2^28\n", NULL},
    {"2^70 cells",
     PENDULUM "axes:\n"
              "  - {param: angle, from: 1deg, to: 2deg, points: 268435456}\n"
              "  - {param: friction, from: 0, to: 1, points: 268435456}\n"
              "  - {param: stiffness_ratio, from: 1, to: 2, points: 16384}\n",
     "x.yaml:4:3: error: too many cells, the product of the sizes of all axes must be at most "
     "2^40\n",
     NULL},
    {"2^40 + 2^20 cells",
     PENDULUM "axes: [{param: friction, from: 0, to: 1, points: 1048576},\n"
              "  {param: stiffness_ratio, from: 1, to: 2, points: 1048577}]\nfixed: {angle: 0.5}\n",
     "x.yaml:3:7: error: too many cells, the product of the sizes of all axes must be at most "
     "2^40\n",
     NULL},
    {"from > to with points 1",
     PENDULUM NO_FRICTION "axes:\n  - {param: friction, from: 1, to: 0, points: 1}\n",
     "x.yaml:5:47: error: points is 1, but from and to differ; one point needs from = to\n", NULL},
    {"from < to with points 1",
     PENDULUM NO_FRICTION "axes:\n  - {param: friction, from: 0, to: 1, points: 1}\n",
     "x.yaml:5:47: error: points is 1, but from and to differ; one point needs from = to\n", NULL},
    {"from = to with points 2",
     PENDULUM NO_FRICTION "axes:\n  - {param: friction, from: 1, to: 1, points: 2}\n",
     "x.yaml:5:47: error: from and to are equal, and a coordinate must not repeat; points must be "
     "1\n",
     NULL},
    {"from and to one bit apart",
     PENDULUM NO_FRICTION
     "axes:\n  - {param: friction, from: 1, to: 1.0000000000000002, points: 3}\n",
     "x.yaml:5:64: error: 3 points of 'friction' are too close to differ in a double; take fewer "
     "points or a wider range\n",
     NULL},
    {"numbers of an axis",
     PENDULUM NO_FRICTION "axes:\n  - {param: friction, from: 1x, to: nan, points: 5}\n",
     "x.yaml:5:29: error: friction: '1x' is not a number\n"
     "x.yaml:5:37: error: friction: 'nan' is not a number\n",
     NULL},
    {"quoted from",
     PENDULUM NO_FRICTION "axes:\n  - {param: friction, from: \"1\", to: [2], points: 5}\n",
     "x.yaml:5:29: error: 'from' must be a number without quotes\n"
     "x.yaml:5:38: error: 'to' must be a single value, not a list\n",
     NULL},
    {"ends outside the range",
     PENDULUM NO_ANGLE "axes:\n  - {param: angle, from: 0deg, to: 90deg, points: 5}\n",
     "x.yaml:5:26: error: 'angle' is 0 rad (0 deg), outside its range (0, 1.570796) rad = "
     "(0, 90) deg\n"
     "x.yaml:5:36: error: 'angle' is 1.570796 rad (90 deg), outside its range (0, 1.570796) rad = "
     "(0, 90) deg\n",
     NULL},
    {"spacing",
     PENDULUM NO_FRICTION "axes:\n  - {param: friction, from: 1, to: 2, points: 5, spacing: lag}\n",
     "x.yaml:5:59: error: unknown spacing 'lag' (did you mean 'log'?)\n", NULL},
    {"log from 0",
     PENDULUM NO_FRICTION "axes:\n  - {param: friction, from: 0, to: 2, points: 5, spacing: log}\n",
     "x.yaml:5:59: error: spacing log needs from and to of the same sign and not 0\n", NULL},
    {"log over 0",
     ROD NO_ANGLE "axes:\n  - {param: velocity_ratio, from: -1, to: 2, points: 5, "
                  "spacing: log}\n  - {param: angle, values: [0]}\n",
     "x.yaml:5:66: error: spacing log needs from and to of the same sign and not 0\n", NULL},
    {"log too far",
     PENDULUM NO_FRICTION
     "axes:\n  - {param: friction, from: 1e-300, to: 1e300, points: 5, spacing: log}\n",
     "x.yaml:5:68: error: from and to are too far apart for spacing log\n", NULL},
    {"choice from to", "model: compliant\naxes:\n  - {param: body, from: 0, to: 1, points: 2}\n",
     "x.yaml:3:5: error: missing key 'values' in an axis\n"
     "x.yaml:3:19: error: 'from' does not go with 'values'\n"
     "x.yaml:3:28: error: 'to' does not go with 'values'\n"
     "x.yaml:3:35: error: 'points' does not go with 'values'\n",
     NULL},
    {"no values", PENDULUM NO_FRICTION "axes: [{param: friction, values: []}]\n",
     "x.yaml:4:34: error: 'values' is empty, an axis has at least 1 value\n", NULL},
    {"values of the wrong type", PENDULUM NO_FRICTION "axes: [{param: friction, values: 0.3}]\n",
     "x.yaml:4:34: error: 'values' must be a list, not a single value\n", NULL},
    {"bad values",
     PENDULUM NO_FRICTION "axes:\n  - {param: friction, values: [1, 2x, \"3\", [4], ~]}\n",
     "x.yaml:5:35: error: friction: '2x' is not a number\n"
     "x.yaml:5:39: error: 'values' must be a number without quotes\n"
     "x.yaml:5:44: error: 'values' must be a single value, not a list\n"
     "x.yaml:5:49: error: the value of 'values' is missing\n",
     NULL},
    {"values outside the range",
     PENDULUM NO_FRICTION "axes:\n  - {param: friction, values: [1, -1,\n       0, -2]}\n",
     "x.yaml:5:35: error: 'friction' is -1, outside its range [0, inf)\n"
     "x.yaml:6:11: error: 'friction' is -2, outside its range [0, inf)\n",
     NULL},
    {"repeated values",
     PENDULUM NO_FRICTION "axes:\n  - {param: friction, values: [0.5, 1, 5e-1, 2, 1]}\n",
     "x.yaml:5:40: error: '5e-1' repeats a value of this axis\n"
     "x.yaml:5:49: error: '1' repeats a value of this axis\n",
     NULL},
    {"choice values", "model: compliant\naxes:\n  - {param: body, values: [rod, rodd, rod]}\n",
     "x.yaml:3:33: error: unknown option 'rodd' of 'body' (did you mean 'rod'?)\n", NULL},
    {"repeated options", "model: compliant\naxes:\n  - {param: body, values: [rod, sphere, rod]}\n",
     "x.yaml:3:41: error: 'rod' repeats a value of this axis\n", NULL},
    {"chosen and swept", PENDULUM REST "axes: [{param: body, values: [rod, sphere]}]\n",
     "x.yaml:4:16: error: 'body' is both chosen and on an axis\n", NULL},
    {"swept twice",
     PENDULUM NO_FRICTION "axes:\n  - {param: friction, values: [1]}\n"
                          "  - {param: friction, from: 0, to: 1, points: 5}\n",
     "x.yaml:6:13: error: 'friction' is on an axis already\n", NULL},
    {"seven axes",
     "model: compliant\nchoose: {body: general}\naxes:\n"
     "  - {param: friction, values: [1]}\n  - {param: angle, values: [1]}\n"
     "  - {param: stiffness_ratio, values: [1]}\n  - {param: mass, values: [1]}\n"
     "  - {param: velocity_ratio, values: [1]}\n  - {param: normal_speed, values: [1]}\n"
     "  - {param: inertia_coupling, values: [0]}\n",
     "x.yaml:10:5: error: one axis too many, at most 6 are allowed\n", NULL},

    /* outputs */
    {"unknown outputs", PENDULUM REST "outputs: [mod, kinetic_restitition, weather]\n",
     "x.yaml:4:11: error: unknown output 'mod' (did you mean 'mode'?)\n"
     "x.yaml:4:16: error: unknown output 'kinetic_restitition' (did you mean "
     "'kinetic_restitution'?)\n"
     "x.yaml:4:37: error: unknown output 'weather', allowed: <outputs>\n",
     NULL},
    {"output that no cell has", PENDULUM REST "outputs: [mode, body_energy_loss]\n",
     "x.yaml:4:17: error: no cell of this sweep has the output 'body_energy_loss'\n", NULL},
    {"output twice", PENDULUM REST "outputs: [mode, duration, mode]\n",
     "x.yaml:4:27: error: the output 'mode' is listed twice\n", NULL},
    {"no outputs", PENDULUM REST "outputs: []\n",
     "x.yaml:4:10: error: 'outputs' is empty, list at least one (or leave the key out for all)\n",
     NULL},
    {"outputs of the wrong type", PENDULUM REST "outputs: [[mode], ]\n",
     "x.yaml:4:11: error: 'outputs' must be a single value, not a list\n", NULL},

    /* tables */
    {"table without name", PENDULUM NO_FRICTION "axes: [{table: friction.csv}]\n",
     "x.yaml:4:8: error: missing key 'name' in an axis\n", NULL},
    {"table with from", PENDULUM NO_FRICTION "axes: [{table: friction.csv, name: case, from: 0}]\n",
     "x.yaml:4:42: error: 'from' does not go with 'table'\n", NULL},
    {"table that is not there", PENDULUM "axes: [{table: nowhere.csv, name: case}]\n",
     "x.yaml:3:16: error: cannot read the table 'nowhere.csv': No such file or directory\n", NULL},
    {"table of the wrong type", PENDULUM "axes: [{table: [friction.csv], name: case}]\n",
     "x.yaml:3:16: error: 'table' must be a single value, not a list\n", NULL},
    {"name of a dimension", PENDULUM NO_FRICTION "axes: [{table: friction.csv, name: my case}]\n",
     "x.yaml:4:36: error: name: 'my case' is not a word of letters, digits and _ (at most 63)\n",
     NULL},
    {"name of a result", PENDULUM NO_FRICTION "axes: [{table: friction.csv, name: duration}]\n",
     "x.yaml:4:36: error: name: 'duration' is taken, the dimension needs a name of its own\n",
     NULL},
    {"name of a group of the map",
     PENDULUM NO_FRICTION "axes: [{table: friction.csv, name: run}]\n",
     "x.yaml:4:36: error: name: 'run' is taken, the dimension needs a name of its own\n", NULL},
    {"name of a parameter", PENDULUM NO_FRICTION "axes: [{table: friction.csv, name: mass}]\n",
     "x.yaml:4:36: error: name: 'mass' is taken, the dimension needs a name of its own\n", NULL},
    {"name of another dimension",
     PENDULUM
     "axes:\n  - {table: friction.csv, name: case}\n  - {table: stiffness.csv, name: case}\n"
     "fixed: {angle: 0.5}\n",
     "x.yaml:5:34: error: name: 'case' is taken, the dimension needs a name of its own\n", NULL},
    {"empty table", PENDULUM "axes: [{table: empty.csv, name: case}]\n",
     "empty.csv:1:1: error: the table is empty, its first line must name the columns\n", NULL},
    {"table without rows", PENDULUM NO_FRICTION "axes: [{table: header.csv, name: case}]\n",
     "header.csv:2:1: error: the table has no rows under its header\n", NULL},
    {"header",
     "model: compliant\n"
     "axes: [{table: columns.csv, name: case}]\n",
     "columns.csv:1:1: error: unknown parameter or choice 'frction' (did you mean 'friction'?)\n"
     "columns.csv:1:10: error: the name of a column is missing\n"
     "columns.csv:1:11: error: the unit of 'angle' is rad or deg, not 'grad'\n"
     "columns.csv:1:25: error: the unit of 'mass' is kg, not 's'\n"
     "columns.csv:1:34: error: the header of a column must be 'name' or 'name [unit]'\n"
     "columns.csv:1:49: error: quotes are not supported in tables, leave them out\n"
     "columns.csv:1:56: error: 'angle' is on an axis already\n"
     "columns.csv:1:62: error: a choice has no unit, but the header gives '1'\n"
     "columns.csv:2:15: error: unknown option '8' of 'body', allowed: sphere, rod, general, "
     "pendulum, matrix, capsule, lamina, double_pendulum, two_laminae\n",
     NULL},
    {"values of a table",
     PENDULUM "axes: [{table: values.csv, name: case}]\n"
              "fixed: {stiffness_ratio: 1}\n",
     "values.csv:4:4: error: angle: 'x' is not a number with an optional unit deg or rad\n"
     "values.csv:5:1: error: the value of 'friction' is missing\n"
     "values.csv:5:2: error: '3deg' has a unit, but the header of its column gives one too\n"
     "values.csv:7:1: error: 1 values in this row, the header names 2 columns\n"
     "values.csv:8:1: error: 3 values in this row, the header names 2 columns\n"
     "values.csv:9:1: error: friction: '1deg' has the unit of an angle where none is allowed\n"
     "values.csv:9:7: error: quotes are not supported in tables, leave them out\n",
     NULL},
    {"options of a table", "model: compliant\naxes: [{table: options.csv, name: case}]\n",
     "options.csv:3:1: error: unknown option 'rodd' of 'body' (did you mean 'rod'?)\n", NULL},
    {"ranges of a table",
     PENDULUM "axes: [{table: ranges.csv, name: case}]\n"
              "fixed: {stiffness_ratio: -1}\n",
     "ranges.csv:3:3: error: 'friction' is -1, outside its range [0, inf)\n"
     "ranges.csv:4:8: error: 'angle' is 1.570796 rad (90 deg), outside its range (0, 1.570796) "
     "rad = (0, 90) deg\n"
     "x.yaml:4:26: error: 'stiffness_ratio' is -1, outside its range (0, inf)\n",
     NULL},
    {"binary table", PENDULUM "axes: [{table: binary.csv, name: case}]\n",
     "binary.csv:2:3: error: byte 0x02 is not text, UTF-8 text is expected\n", NULL},

    /* searches */
    {"a search that is a list", PENDULUM NO_ANGLE "search: []\n",
     "x.yaml:4:9: error: 'search' must be a mapping, not a list\n", NULL},
    {"decimal commas",
     "model: compliant\nchoose:\n  body: pendulum\nfixed:\n  angle: 0,5\n  friction: 1,21\n"
     "  stiffness_ratio: 1,\naxes: []\n",
     "x.yaml:5:10: error: angle: '0,5' is not a number: write a decimal point, not a comma\n"
     "x.yaml:6:13: error: friction: '1,21' is not a number: write a decimal point, not a comma\n"
     "x.yaml:7:20: error: stiffness_ratio: '1,' is not a number\n",
     NULL},
    {"decimal commas in braces",
     PENDULUM "fixed: {friction: 1,21, stiffness_ratio: 1.21}\n"
              "axes: [{param: angle, from: 0,1, to: 1, points: 3}]\n",
     "x.yaml:3:21: error: '21' is a number where a name is expected; decimals have a point: 1.21, "
     "not 1,21\n"
     "x.yaml:4:31: error: '1' is a number where a name is expected; decimals have a point: 1.21, "
     "not 1,21\n",
     NULL},
    {"a search without anything", PENDULUM NO_ANGLE "search: {}\n",
     "x.yaml:4:9: error: missing key 'find' in 'search', allowed: <searches>\n", NULL},
    {"a search without its keys", PENDULUM NO_ANGLE "search: {find: boundary}\n",
     "x.yaml:4:9: error: missing key 'over' for find: boundary\n"
     "x.yaml:4:9: error: missing key 'of' for find: boundary\n"
     "x.yaml:4:9: error: missing key 'in' for find: boundary\n",
     NULL},
    {"an unknown search",
     PENDULUM NO_ANGLE
     "search: {over: {param: angle, from: 1 deg, to: 80 deg}, find: maximal, of: duration}\n",
     "x.yaml:4:63: error: unknown search 'maximal' (did you mean 'maximum'?)\n", NULL},
    {"an empty range of an unknown parameter",
     PENDULUM
     "fixed: {stiffness_ratio: 1}\n"
     "search: {over: {param: angel, from: 3, to: 1}, find: boundary, of: mode, in: wedge}\n",
     "x.yaml:4:24: error: unknown parameter 'angel' (did you mean 'angle'?)\n"
     "x.yaml:4:44: error: the range of 'angel' is empty, from must be less than to\n",
     NULL},
    {"an unknown search, and all else that is wrong with it",
     PENDULUM NO_ANGLE
     "search: {over: {param: angle, from: 80 deg, to: 1 deg, samples: 1}, find: boundary of,\n"
     "  of: mode, in: [wegde], tolerance: 3, max_roots: 900}\noutputs: [root, mode_above]\n",
     "x.yaml:4:49: error: the range of 'angle' is empty, from must be less than to\n"
     "x.yaml:4:65: error: samples is 1, allowed are 2 to 65536\n"
     "x.yaml:4:75: error: unknown search 'boundary of' (did you mean 'boundary'?)\n"
     "x.yaml:5:18: error: unknown mode 'wegde' (did you mean 'wedge'?)\n"
     "x.yaml:5:37: error: tolerance is 3, it must be a part of the range: above 0 and below 1, or "
     "limit\n"
     "x.yaml:5:51: error: max_roots is 900, allowed are 1 to 64\n",
     NULL},
    {"an unknown search, and what is wrong elsewhere",
     "model: compliant\nchoose: {body: pendulum, law: linear}\n"
     "axes: [{param: stiffness_ratio, values: [-1]}]\nfixed: {yield_speed: -1}\n"
     "search: {over: {param: angle, from: 1 deg, to: 80 deg}, find: maximal, of: duration}\n",
     "x.yaml:3:42: error: 'stiffness_ratio' is -1, outside its range (0, inf)\n"
     "x.yaml:4:22: error: 'yield_speed' is -1 m/s, outside its range (0, inf) m/s\n"
     "x.yaml:5:63: error: unknown search 'maximal' (did you mean 'maximum'?)\n",
     NULL},
    {"a search for nothing, over too much",
     PENDULUM NO_ANGLE "search: {over: [{param: angle, from: 1 deg, to: 80 deg}, {}, {}], of: "
                       "sequence, value: 1,5}\n",
     "x.yaml:4:9: error: missing key 'find' in 'search', allowed: <searches>\n"
     "x.yaml:4:16: error: 'over' has 3 parameters, a search takes one or two\n"
     "x.yaml:4:90: error: '5' is a number where a name is expected; decimals have a point: 1.21, "
     "not 1,21\n",
     NULL},
    {"an unknown key of a search",
     PENDULUM NO_ANGLE "search: {over: {param: angle, from: 1 deg, to: 80 deg}, find: maximum, of: "
                       "duration, tolerence: 1}\n",
     "x.yaml:4:86: error: unknown key 'tolerence' in 'search' (did you mean 'tolerance'?)\n", NULL},
    {"a search over a swept parameter",
     PENDULUM "fixed: {stiffness_ratio: 1}\naxes: [{param: friction, values: [1]}]\nsearch: {over: "
              "{param: friction, from: 0, to: 1}, find: maximum, of: duration}\n",
     "x.yaml:3:8: error: missing parameter 'angle' (range (0, 1.570796) rad = (0, 90) deg, no "
     "default)\n"
     "x.yaml:4:16: error: 'friction' is searched over, it cannot be fixed or swept as well\n",
     NULL},
    {"a search over a fixed parameter",
     PENDULUM NO_ANGLE
     "axes: []\nsearch: {over: {param: friction, from: 0, to: 1}, find: maximum, of: duration}\n",
     "x.yaml:3:8: error: missing parameter 'angle' (range (0, 1.570796) rad = (0, 90) deg, no "
     "default)\n"
     "x.yaml:3:9: error: 'friction' is searched over, it cannot be fixed or swept as well\n",
     NULL},
    {"the stand-in of a searched parameter",
     PENDULUM "fixed: {friction: 1, angle: 1, poisson_ratio: 0.3}\nsearch: {over: {param: "
              "stiffness_ratio, from: 1, to: 2}, find: maximum, of: duration}\n",
     "x.yaml:3:32: error: 'poisson_ratio' is searched over, it cannot be fixed or swept as well\n",
     NULL},
    {"a search over a choice",
     PENDULUM NO_ANGLE
     "search: {over: {param: body, from: 0, to: 1}, find: maximum, of: duration}\n",
     "x.yaml:4:24: error: 'body' is a choice, a search goes over a parameter\n", NULL},
    {"a search over an unknown parameter",
     PENDULUM NO_ANGLE
     "search: {over: {param: angel, from: 0, to: 1}, find: maximum, of: duration}\n",
     "x.yaml:4:24: error: unknown parameter 'angel' (did you mean 'angle'?)\n", NULL},
    {"a search over a parameter that does not apply",
     PENDULUM "fixed: {friction: 0.3, stiffness_ratio: 1.21, angle: 1}\nsearch: {over: {param: "
              "b11, from: 1, to: 2}, find: maximum, of: duration}\n",
     "x.yaml:4:24: error: 'b11' is searched over, but does not apply in every cell\n", NULL},
    {"an empty range",
     PENDULUM NO_ANGLE
     "search: {over: {param: angle, from: 2 deg, to: 2 deg}, find: maximum, of: duration}\n",
     "x.yaml:4:48: error: the range of 'angle' is empty, from must be less than to\n", NULL},
    {"a range beyond the parameter's",
     PENDULUM NO_ANGLE
     "search: {over: {param: angle, from: -2 deg, to: 95 deg}, find: maximum, of: duration}\n",
     "x.yaml:4:37: error: 'angle' is -0.03490659 rad (-2 deg), outside its range (0, 1.570796) rad "
     "= (0, 90) deg\n"
     "x.yaml:4:49: error: 'angle' is 1.658063 rad (95 deg), outside its range (0, 1.570796) rad = "
     "(0, 90) deg\n",
     NULL},
    {"too few samples",
     PENDULUM NO_ANGLE "search: {over: {param: angle, from: 1 deg, to: 80 deg, samples: 1, "
                       "spacing: lag}, find: maximum, of: duration}\n",
     "x.yaml:4:65: error: samples is 1, allowed are 2 to 65536\n"
     "x.yaml:4:77: error: unknown spacing 'lag' (did you mean 'log'?)\n",
     NULL},
    {"logarithms of nothing",
     ROD "fixed: {friction: 0.3, stiffness_ratio: 1.21, angle: 1}\nsearch: {over: {param: "
         "velocity_ratio, from: -1, to: 1, spacing: log}, find: maximum, of: duration}\n",
     "x.yaml:4:66: error: spacing log needs from and to above 0\n", NULL},
    {"two parameters for a boundary",
     PENDULUM NO_ANGLE "search: {over: [{param: angle, from: 1deg, to: 2deg}, {param: mass, from: "
                       "1, to: 2}], find: boundary, of: mode, in: wedge}\n",
     "x.yaml:4:16: error: 'over' has 2 parameters, find: boundary takes one\n", NULL},
    {"one parameter twice",
     PENDULUM NO_ANGLE "search: {over: [{param: angle, from: 1deg, to: 2deg}, {param: angle, from: "
                       "1, to: 1.5}], find: minimum, of: duration}\n",
     "x.yaml:4:63: error: 'angle' is searched over twice\n", NULL},
    {"a junction over one parameter",
     PENDULUM NO_ANGLE "search: {over: {param: angle, from: 1 deg, to: 80 deg}, find: junction, "
                       "of: mode}\n",
     "x.yaml:4:16: error: 'over' has 1 parameter, find: junction takes two\n", NULL},
    {"a junction over a list of one",
     PENDULUM NO_ANGLE "search: {over: [{param: angle, from: 1 deg, to: 80 deg}], find: junction, "
                       "of: mode}\n",
     "x.yaml:4:16: error: 'over' has 1 parameter, find: junction takes two\n", NULL},
    {"a junction over one parameter twice",
     PENDULUM NO_ANGLE "search: {over: [{param: angle, from: 1deg, to: 2deg}, {param: angle, from: "
                       "1, to: 1.5}], find: junction, of: mode}\n",
     "x.yaml:4:63: error: 'angle' is searched over twice\n", NULL},
    {"a junction of a real output, and of one that there is not",
     PENDULUM NO_ANGLE "search: {over: [{param: angle, from: 1deg, to: 2deg}, {param: friction, "
                       "from: 0.1, to: 1.5, samples: 2000}], find: junction, of: duration}\n",
     "x.yaml:4:102: error: samples is 2000, allowed are 2 to 1024\n"
     "x.yaml:4:130: error: 'duration' is a real output; find: junction needs a category, a "
     "sequence or a count\n",
     NULL},
    {"a junction of an unknown output with keys of other searches",
     PENDULUM NO_ANGLE "search: {over: [{param: angle, from: 1deg, to: 2deg}, {param: friction, "
                       "from: 0.1, to: 1.5}], find: junction, of: mod, in: wedge, value: 2}\n",
     "x.yaml:4:115: error: unknown output 'mod' (did you mean 'mode'?)\n"
     "x.yaml:4:120: error: 'in' does not go with find: junction\n"
     "x.yaml:4:131: error: 'value' does not go with find: junction\n",
     NULL},
    {"a turning point over one parameter, and its tolerance",
     PENDULUM NO_ANGLE "search: {over: {param: angle, from: 1 deg, to: 80 deg}, find: turning, "
                       "of: mode, tolerance: 2}\n",
     "x.yaml:4:16: error: 'over' has 1 parameter, find: turning takes two\n"
     "x.yaml:4:93: error: tolerance is 2, it must be a part of the range: above 0 and below 1, or "
     "limit\n",
     NULL},
    {"a turning point of a real output without a level",
     PENDULUM NO_ANGLE "search: {over: [{param: angle, from: 1deg, to: 2deg}, {param: friction, "
                       "from: 0.1, to: 1.5}], find: turning, of: duration}\n",
     "x.yaml:4:9: error: missing key 'value', the level of 'duration' that turns\n", NULL},
    {"a turning point of a real output with a set",
     PENDULUM NO_ANGLE "search: {over: [{param: angle, from: 1deg, to: 2deg}, {param: friction, "
                       "from: 0.1, to: 1.5}], find: turning, of: duration, in: wedge, value: x}\n",
     "x.yaml:4:124: error: 'in' does not go with 'duration', a real output: it has a level, "
     "'value'\n"
     "x.yaml:4:142: error: value: 'x' is not a number with an optional unit\n",
     NULL},
    {"a turning point of a mode that there is not",
     PENDULUM NO_ANGLE "search: {over: [{param: angle, from: 1deg, to: 2deg}, {param: friction, "
                       "from: 0.1, to: 1.5}], find: turning, of: mode, in: [wegde]}\n",
     "x.yaml:4:125: error: unknown mode 'wegde' (did you mean 'wedge'?)\n", NULL},
    {"a category that does not exist",
     PENDULUM NO_ANGLE "search: {over: {param: angle, from: 1 deg, to: 80 deg}, find: boundary, "
                       "of: mode, in: [wedge, stuck]}\n",
     "x.yaml:4:95: error: unknown mode 'stuck', allowed: gross_stick, stick_slip, "
     "slip_stick_slip_reversed, slip_stick_slip_same, gross_slip, stick_slip_stick_slip, multiple, "
     "wedge\n",
     NULL},
    {"an empty set",
     PENDULUM NO_ANGLE
     "search: {over: {param: angle, from: 1 deg, to: 80 deg}, find: boundary, of: mode, in: []}\n",
     "x.yaml:4:87: error: 'in' is empty, list at least one value\n", NULL},
    {"a target of a category that is no mode",
     PENDULUM NO_ANGLE
     "search: {over: {param: angle, from: 1 deg, to: 80 deg}, find: target, of: mode, value: 1}\n",
     "x.yaml:4:88: error: unknown mode '1', allowed: gross_stick, stick_slip, "
     "slip_stick_slip_reversed, slip_stick_slip_same, gross_slip, stick_slip_stick_slip, multiple, "
     "wedge\n",
     NULL},
    {"a set of sequences with a phase that there is not",
     PENDULUM NO_ANGLE "search: {over: {param: angle, from: 1 deg, to: 80 deg}, find: boundary, "
                       "of: sequence, in: [slip- stick, slip stick]}\n",
     "x.yaml:4:105: error: 'slip stick' is not a sequence, such as 'slip- stick slip+': phases are "
     "stick, slip-, slip+, partial-, partial+\n",
     NULL},
    {"the largest sequence",
     PENDULUM NO_ANGLE
     "search: {over: {param: angle, from: 1 deg, to: 80 deg}, find: maximum, of: sequence}\n",
     "x.yaml:4:76: error: 'sequence' is a sequence; find: maximum needs a real output\n", NULL},
    {"a boundary of a real output",
     PENDULUM NO_ANGLE "search: {over: {param: angle, from: 1 deg, to: 80 deg}, find: boundary, "
                       "of: duration, in: [wedge]}\n",
     "x.yaml:4:77: error: 'duration' is a real output; find: boundary needs a category, a sequence "
     "or a "
     "count\n",
     NULL},
    {"an unknown output of a search",
     PENDULUM NO_ANGLE
     "search: {over: {param: angle, from: 1 deg, to: 80 deg}, find: maximum, of: durations}\n",
     "x.yaml:4:76: error: unknown output 'durations' (did you mean 'duration'?)\n", NULL},
    {"keys of another search",
     PENDULUM NO_ANGLE "search: {over: {param: angle, from: 1 deg, to: 80 deg}, find: maximum, of: "
                       "duration, in: [wedge], value: 2, max_roots: 3}\n",
     "x.yaml:4:86: error: 'in' does not go with find: maximum\n"
     "x.yaml:4:99: error: 'value' does not go with find: maximum\n"
     "x.yaml:4:109: error: 'max_roots' does not go with find: maximum\n",
     NULL},
    {"a tolerance of 0",
     PENDULUM NO_ANGLE "search: {over: {param: angle, from: 1 deg, to: 80 deg}, find: maximum, of: "
                       "duration, tolerance: 0}\n",
     "x.yaml:4:97: error: tolerance is 0, it must be a part of the range: above 0 and below 1, or "
     "limit\n",
     NULL},
    {"a tolerance below 0",
     PENDULUM NO_ANGLE "search: {over: {param: angle, from: 1 deg, to: 80 deg}, find: target, of: "
                       "duration, value: x, tolerance: -1e-9, max_roots: 65}\n",
     "x.yaml:4:92: error: value: 'x' is not a number with an optional unit\n"
     "x.yaml:4:106: error: tolerance is -1e-9, it must be a part of the range: above 0 and below "
     "1, or "
     "limit\n"
     "x.yaml:4:124: error: max_roots is 65, allowed are 1 to 64\n",
     NULL},
    {"an output that not every cell has",
     "model: compliant\naxes: [{param: body, values: [pendulum, rod]}]\nfixed: {friction: 0.3, "
     "stiffness_ratio: 1.21, velocity_ratio: 1}\nsearch: {over: {param: angle, from: 1 deg, to: 80 "
     "deg}, find: target, of: body_energy_loss, value: 1}\n",
     "x.yaml:4:75: error: the search needs the output 'body_energy_loss', which not every cell of "
     "this sweep has\n",
     NULL},
    {"a name that a search takes",
     PENDULUM
     "fixed: {stiffness_ratio: 1}\naxes: [{table: friction.csv, name: root_number}]\nsearch: "
     "{over: {param: angle, from: 1 deg, to: 80 deg}, find: boundary, of: mode, in: wedge}\n",
     "x.yaml:4:36: error: name: 'root_number' is taken, the dimension needs a name of its own\n",
     NULL},

    /* the figure */
    {"a figure that is a word", FIGURE "lines\n",
     "x.yaml:6:9: error: 'figure' must be a mapping, not a single value\n", NULL},
    {"a figure that is wrong in every way",
     FIGURE "{as: lins, x: frction, field: [mode, duration, mode], curves: angle, font_size: -1,\n"
            "  slice: {friction: 2}, limits: {friction: [1, 0]}, one_scale: maybe, cmap: virids,\n"
            "  sizes: one, label: {mode: }, log: mode}\n",
     "x.yaml:6:14: error: unknown kind of figure 'lins' (did you mean 'lines'?)\n"
     "x.yaml:6:23: error: unknown axis or output 'frction' in the figure (did you mean "
     "'friction'?)\n"
     "x.yaml:6:46: error: the output 'duration' is not stored; add it to 'outputs'\n"
     "x.yaml:6:56: error: 'mode' is named twice under 'field'\n"
     "x.yaml:6:71: error: 'angle' is on no axis of this sweep\n"
     "x.yaml:6:89: error: font_size: '-1' is not above 0\n"
     "x.yaml:7:21: error: friction: 2 is outside the axis, which runs from 0 to 1\n"
     "x.yaml:7:44: error: friction: the lower limit is not below the upper one\n"
     "x.yaml:7:64: error: unknown one_scale 'maybe', allowed: true, false\n"
     "x.yaml:7:77: error: unknown cmap 'virids' (did you mean 'viridis'?)\n"
     "x.yaml:8:3: error: unknown key 'sizes' in the figure (did you mean 'size'?)\n"
     "x.yaml:8:29: error: the value of 'label' is missing\n",
     NULL},
    {"a name in the figure that is nearly that of an axis which is wrong itself",
     "model: compliant\nchoose: {body: pendulum}\naxes:\n"
     "  - {param: friction, from: 0, to: 1, points: x}\n"
     "  - {param: angle, from: 1 deg, to: 80 deg, points: 3}\n"
     "fixed: {stiffness_ratio: 1.21}\nfigure: {as: lines, x: frictoin}\n",
     "x.yaml:4:47: error: points: 'x' is not a whole number written in digits alone\n"
     "x.yaml:7:24: error: unknown axis or output 'frictoin' in the figure (did you mean "
     "'friction'?)\n",
     NULL},
    {"a name in the figure that is nearly that of an axis whose name is wrong too",
     "model: compliant\nchoose: {body: pendulum}\naxes:\n"
     "  - {param: friciton, from: 0, to: 1, points: 3}\n"
     "  - {param: angle, from: 1 deg, to: 80 deg, points: 3}\n"
     "fixed: {stiffness_ratio: 1.21}\nfigure: {as: lines, x: frictoin}\n",
     "x.yaml:4:13: error: unknown parameter or choice 'friciton' (did you mean 'friction'?)\n"
     "x.yaml:7:24: error: unknown axis or output 'frictoin' in the figure (did you mean "
     "'friction'?)\n",
     NULL},
    {"keys that do not go with the kind of figure",
     FIGURE "{as: map, curves: friction, psi: true, each: true}\n",
     "x.yaml:6:19: error: 'curves' does not go with the figure 'map'; it goes with: lines\n"
     "x.yaml:6:37: error: 'psi' does not go with the figure 'map'; it goes with: lines table\n"
     "x.yaml:6:48: error: 'each' does not go with the figure 'map'; it goes with: lines\n",
     NULL},
    {"differences and ratios at once",
     FIGURE "{as: map, minus: {friction: 0.2}, ratio_to: {friction: 0.2}}\n",
     "x.yaml:6:43: error: 'ratio_to' does not go with 'minus'; leave out one of them\n", NULL},
    {"a figure of a table",
     "model: compliant\n# a pendulum and a rod\nfixed: {stiffness_ratio: 1, velocity_ratio: "
     "1}\naxes: [{table: good/cases.csv, name: case}]\n"
     "figure: {x: friction, slice: {case: 3, body: rod}}\n",
     "x.yaml:5:13: error: 'friction' is a column of the axis 'case'; name the axis\n"
     "x.yaml:5:37: error: case: '3' is not a number from 0 to 2\n"
     "x.yaml:5:40: error: 'body' is a column of the axis 'case'; name the axis\n",
     NULL},
    {"columns in the figure of a table",
     "model: compliant\n# a pendulum and a rod\nfixed: {stiffness_ratio: 1, velocity_ratio: "
     "1}\naxes: [{table: good/cases.csv, name: case}]\n"
     "figure: {as: table, key: [friction, fricton], label: {friction: f}, unit: {friction: '%', "
     "mass: g}}\n",
     "x.yaml:5:37: error: unknown axis 'fricton' in the figure (did you mean 'friction'?)\n"
     "x.yaml:5:91: error: 'mass' is on no axis of this sweep\n",
     NULL},
    {"the unit of a line", FIGURE "{as: lines, x: friction, unit: {energy_loss: '%'}}\n",
     "x.yaml:6:34: error: 'unit' does not go with the figure 'lines'; it goes with: table\n", NULL},

    /* --set */
    {"override without value", PENDULUM REST,
     "--set friction: error: 'friction' is not of the "
     "form key=value\n",
     "friction"},
    {"override of nothing", PENDULUM REST, "--set =1: error: '=1' is not of the form key=value\n",
     "=1"},
    {"override of an unknown key", PENDULUM REST,
     "--set frictoin=1: error: unknown parameter or choice 'frictoin' (did you mean 'friction'?)\n",
     "frictoin=1"},
    {"override of the model", PENDULUM REST,
     "--set outputs=mode: error: unknown parameter or choice 'outputs', allowed: body, "
     "law, " ALL_PARAMETERS,
     "outputs=mode"},
    {"bad override", PENDULUM REST,
     "--set friction=12abc: error: friction: '12abc' is not a "
     "number\n",
     "friction=12abc"},
    {"empty override", PENDULUM REST, "--set friction=: error: friction: '' is not a number\n",
     "friction="},
    {"override outside the range", PENDULUM REST,
     "--set angle=100deg: error: 'angle' is 1.745329 rad (100 deg), outside its range "
     "(0, 1.570796) rad = (0, 90) deg\n",
     "angle=100deg"},
    {"override of a column",
     PENDULUM "fixed: {stiffness_ratio: 1}\naxes: [{table: ranges.csv, name: case}]\n",
     "--set friction=1: error: 'friction' is one of several columns of the axis 'case' and cannot "
     "be "
     "set\n"
     "ranges.csv:3:3: error: 'friction' is -1, outside its range [0, inf)\n"
     "ranges.csv:4:8: error: 'angle' is 1.570796 rad (90 deg), outside its range (0, 1.570796) rad "
     "= (0, 90) deg\n",
     "friction=1"},
    {"override of a swept parameter, outside its range",
     PENDULUM NO_FRICTION "axes: [{param: friction, values: [1]}]\n",
     "--set friction=-1: error: 'friction' is -1, outside its range [0, inf)\n", "friction=-1"},
    {"override by an incomplete range", PENDULUM NO_FRICTION AXIS,
     "--set friction=1:2: error: a range is written FROM:TO:POINTS, or FROM:TO:POINTS:log (or "
     "linear)\n",
     "friction=1:2"},
    {"override by a range, every part of it wrong", PENDULUM NO_FRICTION AXIS,
     "--set friction=a:1deg:x:lgo: error: friction: 'a' is not a number\n"
     "--set friction=a:1deg:x:lgo: error: friction: '1deg' has the unit of an angle where none is "
     "allowed\n"
     "--set friction=a:1deg:x:lgo: error: points: 'x' is not a whole number written in digits "
     "alone\n"
     "--set friction=a:1deg:x:lgo: error: unknown spacing 'lgo' (did you mean 'log'?)\n",
     "friction=a:1deg:x:lgo"},
    {"override by a range without points", PENDULUM NO_FRICTION AXIS,
     "--set friction=0:1:0: error: points is 0, an axis has 1 to 2^28\n", "friction=0:1:0"},
    {"override of the first of two axes by no range",
     PENDULUM "axes: [{param: friction, values: [1]}, {param: angle, values: [0.5]}]\n"
              "fixed: {stiffness_ratio: 1.21}\n",
     "--set friction=0:much:3: error: friction: 'much' is not a number\n", "friction=0:much:3"},
    {"override by a range that cannot be logarithmic", PENDULUM NO_FRICTION AXIS,
     "--set friction=0:1:5:log: error: spacing log needs from and to of the same sign and not 0\n",
     "friction=0:1:5:log"},
    {"override by a range whose points are too close", PENDULUM NO_FRICTION AXIS,
     "--set friction=1:1.0000000000000002:9: error: 9 points of 'friction' are too close to differ "
     "in a double; take fewer points or a wider range\n",
     "friction=1:1.0000000000000002:9"},
    {"override by a range outside", PENDULUM NO_FRICTION AXIS,
     "--set friction=-1:1:5: error: 'friction' is -1, outside its range [0, inf)\n",
     "friction=-1:1:5"},
    {"override by a list", PENDULUM NO_FRICTION AXIS,
     "--set friction=[1, 2x, 1]: error: friction: '2x' is not a number\n"
     "--set friction=[1, 2x, 1]: error: '1' repeats a value of this axis\n",
     "friction=[1, 2x, 1]"},
    {"override by a list that does not end", PENDULUM NO_FRICTION AXIS,
     "--set friction=[1: error: a list is written [FIRST, SECOND, ...], in quotes for the shell\n",
     "friction=[1"},
    {"override of a fixed parameter by a range", PENDULUM REST,
     "--set friction=1:2:3: error: 'friction' is on no axis of the config, one value is "
     "expected\n",
     "friction=1:2:3"},
    {"override of options by a range",
     "model: compliant\naxes: [{param: body, values: [pendulum]}]\n" REST,
     "--set body=rod:lamina:2: error: options have no range; list them: [FIRST, SECOND, ...]\n",
     "body=rod:lamina:2"},
    /* refine */
    {"refine with only one range",
     REFINED
     "{depth: 9}\naxes: [{param: angle, values: [1]}, {param: friction, from: 0.1, to: 1}]\n",
     "x.yaml:5:7: error: refine needs two to four axes that are ranges without points, here is 1\n",
     NULL},
    {"refine of a range with points",
     REFINED "{depth: 9}\naxes: [{param: angle, from: 0.1, to: 1, points: 5}, {param: friction, "
             "from: 0.1, to: 1}]\n",
     "x.yaml:5:7: error: refine needs two to four axes that are ranges without points, here is 1\n",
     NULL},
    {"refine of an empty range",
     REFINED
     "{depth: 9}\naxes: [{param: angle, from: 0.1, to: 0.1}, {param: friction, from: 0, to: "
     "1, spacing: log}]\n",
     "x.yaml:5:38: error: from and to are equal, a range to refine needs two different ends\n"
     "x.yaml:5:87: error: spacing log needs from and to of the same sign and not 0\n",
     NULL},
    {"refine without a goal", REFINED "{base: 64}\n" RANGES,
     "x.yaml:4:9: error: missing key 'depth' or 'boundary' in 'refine'\n", NULL},
    {"refine by a list", REFINED "[12]\n" RANGES,
     "x.yaml:4:9: error: 'refine' must be a mapping, not a list\n", NULL},
    {"refine with wrong numbers",
     REFINED "{base: 65, depth: 4, boundary: 0.5, budget: 0, audit: 1.5}\n" RANGES,
     "x.yaml:4:16: error: base is 65, with 2 refined axes a power of 2 from 2 to 4096 is expected\n"
     "x.yaml:4:27: error: depth is 4, allowed are 6 (base is 2^6) to 20\n"
     "x.yaml:4:40: error: boundary is 0.5, with 2 refined axes it must be from 4.66e-10 to 1/base "
     "= 0.015625\n"
     "x.yaml:4:53: error: budget is 0, a whole number from 1 to 4000000000 is expected\n"
     "x.yaml:4:63: error: audit is 1.5, a whole number from 0 to 100000000 is expected\n",
     NULL},
    {"a budget below the points of the base", REFINED "{depth: 8, budget: 1000}\n" RANGES,
     "x.yaml:4:28: error: budget is 1000, less than the 4225 points of the base, 65 along each of "
     "2 "
     "axes\n",
     NULL},
    {"more points of the base than the default budget", REFINED "{base: 4096, depth: 12}\n" RANGES,
     "x.yaml:4:16: error: budget is 10000000, less than the 16785409 points of the base, 4097 "
     "along "
     "each of 2 axes\n",
     NULL},
    {"a budget below the points of a base that is none",
     REFINED "{base: 48, depth: 8, budget: 1000}\n" RANGES,
     "x.yaml:4:16: error: base is 48, with 2 refined axes a power of 2 from 2 to 4096 is "
     "expected\n",
     NULL},
    {"refine with other words",
     REFINED "{base: x, dept: 9, boundary: -1, on: [], budget: many}\n" RANGES,
     "x.yaml:4:16: error: base: 'x' is not a number\n"
     "x.yaml:4:19: error: unknown key 'dept' in 'refine' (did you mean 'depth'?)\n"
     "x.yaml:4:38: error: boundary is -1, it must be a part of the range: above 0 and below 1\n"
     "x.yaml:4:46: error: 'on' is empty, list at least one output (or leave the key out for the "
     "mode)\n"
     "x.yaml:4:58: error: budget: 'many' is not a number\n",
     NULL},
    {"refine with wrong rules",
     REFINED "{depth: 9, on: [mode, energy_loss, mode, {output: mode, level: 3}, {output: "
             "energy_loss, level: 1, jump: 1}, {output: duration}, {level: 1}, {output: duration, "
             "jump: -1}, mod]}\n" RANGES,
     "x.yaml:4:31: error: 'energy_loss' is a real output, it needs a level or a jump: {output: "
     "energy_loss, level: NUMBER} or {output: energy_loss, jump: NUMBER}\n"
     "x.yaml:4:44: error: this rule is listed twice in 'on'\n"
     "x.yaml:4:59: error: 'mode' has no level, list its name alone\n"
     "x.yaml:4:76: error: 'level' and 'jump' are two rules, list them one by one\n"
     "x.yaml:4:118: error: missing key 'level' or 'jump' in 'on'\n"
     "x.yaml:4:138: error: missing key 'output' in 'on'\n"
     "x.yaml:4:175: error: jump is -1, it must be above 0\n"
     "x.yaml:4:180: error: unknown output 'mod' (did you mean 'mode'?)\n",
     NULL},
    {"refine on an output that is not stored",
     REFINED "{depth: 9}\noutputs: [energy_loss]\n" RANGES,
     "x.yaml:4:9: error: refine uses the output 'mode', which 'outputs' does not list; add it\n",
     NULL},
    {"refine in steps that no double has",
     REFINED
     "{depth: 9, boundary: 1e-9}\naxes: [{param: angle, from: 0.1, to: 1}, {param: friction, "
     "from: 1, to: 1.0000001}]\n",
     "x.yaml:5:66: error: the smallest steps of 'friction' are too small to differ in a double; "
     "take a smaller depth or a larger boundary\n",
     NULL},
    {"override of a range to refine", REFINED "{depth: 9}\n" RANGES,
     "x.yaml:5:7: error: refine needs two to four axes that are ranges without points, here is 1\n",
     "friction=0.1:0.5:50:log"},
    {"override of a range to refine by too many parts", REFINED "{depth: 9}\n" RANGES,
     "--set friction=0.1:0.5:50:log:2: error: a range is written FROM:TO:POINTS, or "
     "FROM:TO:POINTS:log (or linear)\n",
     "friction=0.1:0.5:50:log:2"},
    {"override of a range to refine by one value", REFINED "{depth: 9}\n" RANGES,
     "x.yaml:5:7: error: refine needs two to four axes that are ranges without points, here is 1\n",
     "friction=0.1"},
    {"override of a choice", PENDULUM REST,
     "--set body=sphee: error: unknown option 'sphee' of 'body' (did you mean 'sphere'?)\n",
     "body=sphee"},
    {"override that makes others wrong", PENDULUM REST,
     "x.yaml:3:8: error: missing parameter 'velocity_ratio' (range (-inf, inf), no default)\n"
     "x.yaml:3:9: error: 'angle' does not apply to body=sphere; it applies to "
     "<bodies with angle>\n",
     "body=sphere"},
    {"override that does not apply", PENDULUM REST,
     "--set b11=1: error: 'b11' does not apply to body=pendulum; it applies to body=matrix\n",
     "b11=1"},
    /* cases */
    {"a tolerance of events that there cannot be", REFINED "{depth: 7, tolerance: 1e-6}\n" RANGES,
     "x.yaml:4:31: error: tolerance is that of events, which need an axis beside the refined ones: "
     "a "
     "range with points or a list of numbers\n",
     NULL},
    {"a tolerance of events above 1", REFINED "{depth: 7, tolerance: 2}\n" RANGES,
     "x.yaml:4:31: error: tolerance is 2, it must be a part of the range: above 0 and below 1\n",
     NULL},
    {"no cases", "axes: [{cases: {}}]\n",
     "x.yaml:1:16: error: 'cases' is empty, list at least one\n", NULL},
    {"cases that are a list", "axes: [{cases: [a]}]\n",
     "x.yaml:1:16: error: 'cases' must be a mapping, not a list\n", NULL},
    {"a case that is a word", "axes: [{cases: {a: compliant}}]\n",
     "x.yaml:1:20: error: a case must be a mapping, not a single value\n", NULL},
    {"two cases of one name", CASES("a: {model: compliant, body: rod}", "a: {model: continuum}"),
     "x.yaml:4:7: error: two cases are called 'a'\n", NULL},
    {"a name of a case",
     CASES("'a b': {model: compliant}", "c: {model: rigid, body: rod, law: newton}"),
     "x.yaml:3:7: error: 'a b' is no name of a case: a word of letters, digits and _ (at most "
     "63)\n",
     NULL},
    {"a case without a model", CASES("a: {law: linear}", "b: {model: compliant, body: rod}"),
     "x.yaml:3:7: error: missing key 'model' in the case 'a', the name of a theory\n", NULL},
    {"a case with an unknown model",
     CASES("a: {model: complaint}", "b: {model: compliant, body: rod}"),
     "x.yaml:3:18: error: unknown theory 'complaint' (did you mean 'compliant'?)\n", NULL},
    {"cases beside a model", "model: compliant\n" BOTH REST_OF,
     "x.yaml:1:1: error: 'model' does not go with cases, each of which has its own\n", NULL},
    {"theories that do not fit",
     CASES("a: {model: compliant, body: rod}", "b: {model: swerve, body: sphere3d, law: newton}"),
     "x.yaml:4:7: error: the case 'b': swerve does not go with compliant of the case 'a', in which "
     "the same names mean other things\n",
     NULL},
    {"a choice that no case has and a missing one",
     CASES("a: {model: compliant}", "b: {model: compliant, body: rod}") "choose: {bdy: rod}\n",
     "x.yaml:3:7: error: missing choice 'body' of the case 'a', allowed: <bodies>\n"
     "x.yaml:5:10: error: unknown choice 'bdy', which no case has (did you mean 'body'?)\n",
     NULL},
    {"a parameter under choose", BOTH "choose: {friction: 1}\n" REST_OF,
     "x.yaml:5:10: error: 'friction' is a parameter, write it under 'fixed'\n", NULL},
    {"an option that a case does not know",
     CASES("a: {model: compliant, body: pendulum}",
           "b: {model: rigid, body: pendulum, restitution: 1}") "choose: {law: linear}\n" REST_OF,
     "x.yaml:5:15: error: unknown option 'linear' of 'law' (theories that take it: <theories "
     "with linear>), "
     "allowed: newton, poisson, energetic, compromise, impulse_ratio\n",
     NULL},
    {"an unknown option, parameters that do not apply or are wrong",
     CASES("a: {model: compliant, body: rod, law: hrtz, dampin: 1}",
           "b: {model: compliant, body: rod, damping: 1, friction: -1, velocity_ratio: 1x}"),
     "x.yaml:3:45: error: unknown option 'hrtz' of 'law' (did you mean 'hertz'?)\n"
     "x.yaml:3:51: error: unknown parameter or choice 'dampin' (did you mean 'damping'?)\n"
     "x.yaml:4:40: error: 'damping' does not apply to the case 'b', which is compliant body=rod "
     "law=linear friction=-1\n"
     "x.yaml:4:62: error: 'friction' is -1, outside its range [0, inf)\n"
     "x.yaml:4:82: error: velocity_ratio: '1x' is not a number\n",
     NULL},
    {"two parameters for one value in a case",
     CASES("a: {model: compliant, body: pendulum, stiffness_ratio: 1, poisson_ratio: 0.3}",
           "b: {model: compliant, body: pendulum}") REST_OF,
     "x.yaml:3:7: error: 'poisson_ratio' and 'stiffness_ratio' set the same value, give one of "
     "them in the case 'a'\n",
     NULL},
    {"formulas in a case",
     CASES("a: {model: compliant, body: pendulum, stiffness_ratio: =frction + 1, mass: {equals: "
           "mass}}",
           "b: {model: compliant, body: pendulum, mass: {equal: 1}, length: =1/0}") REST_OF,
     "x.yaml:3:63: error: unknown parameter 'frction' in the formula of 'stiffness_ratio' (did you "
     "mean 'friction'?)\n"
     "x.yaml:3:91: error: 'mass' follows itself\n"
     "x.yaml:4:52: error: unknown key 'equal' in a fixed parameter (did you mean 'equals'?)\n",
     NULL},
    {"a formula in a case without a finite value",
     CASES("a: {model: compliant, body: pendulum, stiffness_ratio: =1/0}",
           "b: {model: compliant, body: pendulum}") REST_OF,
     "x.yaml:3:63: error: the formula of 'stiffness_ratio' has no finite value\n", NULL},
    {"a formula in a case that reads what nothing gives",
     CASES("a: {model: compliant, body: pendulum, mass: =stiffness_ratio}",
           "b: {model: compliant, body: pendulum}") "fixed: {angle: 1, friction: 1, poisson_ratio: "
                                                    "0.3}\n",
     "x.yaml:5:8: error: in the case 'a' 'mass' follows 'stiffness_ratio', which has no value in "
     "this sweep\n",
     NULL},
    {"an axis that only one case knows",
     BOTH "  - {param: stiffness_ratio, values: [1, 2]}\nfixed: {angle: 1, friction: 1}\n",
     "x.yaml:5:13: error: 'stiffness_ratio' is on an axis, and the case rigid fixes or does not "
     "know it; an axis belongs to every case, what only some know stands under 'fixed' or in a "
     "case\n",
     NULL},
    {"an axis that a case fixes",
     CASES("a: {model: compliant, body: pendulum, stiffness_ratio: 1}",
           "b: {model: compliant, body: pendulum, stiffness_ratio: 1, friction: 1}") "  - {param: "
                                                                                     "friction, "
                                                                                     "values: [1, "
                                                                                     "2]}\nfixed: "
                                                                                     "{angle: 1}\n",
     "x.yaml:5:13: error: 'friction' is on an axis, and the case b fixes or does not know it; an "
     "axis belongs to every case, what only some know stands under 'fixed' or in a case\n",
     NULL},
    {"a name that no case knows",
     BOTH "fixed: {angle: 1, friction: 1, stiffness_ratio: 1, l1: 1}\n",
     "x.yaml:5:52: error: unknown parameter 'l1', allowed: friction, stiffness_ratio, "
     "poisson_ratio, normal_speed, angle, mass, length, radius, normal_stiffness, restitution, "
     "yield_speed\n",
     NULL},
    {"defaults that differ",
     CASES("a: {model: compliant, body: pendulum}",
           "b: {model: rigid, body: pendulum, law: newton}") REST_OF,
     "x.yaml:5:8: error: missing parameter 'restitution' (range (0, 1] or [0, 1]), or "
     "'yield_speed' in "
     "its place (range (0, inf) m/s): its default is 1 for case=a, none for case=b; give one value "
     "under 'fixed', or several in the cases or on an axis\n",
     NULL},
    {"defaults that differ between the options of an axis",
     "model: compliant\naxes: [{param: body, values: [pendulum, two_laminae, sphere, lamina]}]\n"
     "fixed: {friction: 1, angle: 1, stiffness_ratio: 1, velocity_ratio: 1, offset_t: 1, "
     "offset_n: 1,\n  mass_2: 1, gyration_radius_2: 1, offset_t_2: 1, offset_n_2: 1}\n",
     "x.yaml:3:8: error: missing parameter 'mass' (range (0, inf) kg): its default is 1 kg for "
     "body=sphere and body=pendulum and body=lamina, none for body=two_laminae; give one value "
     "under 'fixed', or several on an axis\n"
     "x.yaml:3:8: error: missing parameter 'radius' (range (0, inf) m or [0, inf) m): its default "
     "is 1 m for body=sphere, 0 m for body=pendulum; give one value under 'fixed', or several on "
     "an axis\n",
     NULL},
    {"defaults that differ with the case and the option",
     "axes:\n- {param: body, values: [pendulum, capsule]}\n- cases: {a: {model: compliant}, b: "
     "{model: rigid, law: newton, radius: 2}}\n"
     "fixed: {friction: 1, angle: 1, stiffness_ratio: 1, restitution: 1, slenderness: 1}\n",
     "x.yaml:4:8: error: missing parameter 'radius' (range [0, inf) m or (0, inf) m): its default "
     "is 0 m for body=pendulum, 1 m for body=capsule; give one value under 'fixed', or several in "
     "the cases or on an axis\n"
     "x.yaml:4:8: error: missing parameter 'velocity_ratio' (range (-inf, inf), no default)\n",
     NULL},
    {"units that differ",
     CASES("a: {model: compliant, body: pendulum}",
           "b: {model: continuum, body: pendulum}") "fixed: {angle: 1, friction: 1, "
                                                    "stiffness_ratio: 1, normal_stiffness: 3}\n",
     "x.yaml:5:52: error: 'normal_stiffness' has the unit N/m in the case 'a' and N/m^1.5 in 'b', "
     "give its value in each case\n",
     NULL},
    {"a choice on an axis that a case makes itself",
     BOTH "  - {param: law, values: [linear, hertz]}\n" REST_OF,
     "x.yaml:5:13: error: 'law' is on an axis, and the case rigid makes this choice itself; an "
     "axis "
     "belongs to every case\n",
     NULL},
    {"an option that no case knows, on an axis of all",
     CASES("a: {model: compliant, law: linear}",
           "b: {model: rigid, law: newton}") "  - {param: body, values: [rod, pendulm]}\nfixed: "
                                             "{angle: 1, friction: 1, restitution: 1, "
                                             "stiffness_ratio: 1, velocity_ratio: 1}\n",
     "x.yaml:5:33: error: unknown option 'pendulm' of 'body' (did you mean 'pendulum'?)\n", NULL},
    {"a choice on an axis that a case does not know",
     CASES(
         "a: {model: compliant, body: pendulum}",
         "b: {model: continuum, body: pendulum}") "  - {"
                                                  "param: law, values: [linear, hertz]}\n" REST_OF,
     "x.yaml:5:13: error: 'law' is on an axis, and the case b does not know this choice; an axis "
     "belongs to every case\n",
     NULL},
    {"an option on an axis that a case does not know",
     CASES("a: {model: compliant, body: pendulum}",
           "b: {model: rigid, body: pendulum, restitution: 1}") "  - {param: law, values: "
                                                                "[hertz]}\n" REST_OF,
     "x.yaml:5:27: error: unknown option 'hertz' of 'law' (theories that take it: compliant), "
     "allowed: newton, poisson, energetic, compromise, impulse_ratio\n",
     NULL},
    {"a choice on an axis and under choose",
     CASES("a: {model: compliant}", "b: {model: continuum}") "  - {param: body, values: [rod]}\n"
                                                             "choose: {body: rod}\n" REST_OF,
     "x.yaml:5:13: error: 'body' is both chosen and on an axis\n", NULL},
    {"too many cases with options",
     CASES("a: {model: compliant}",
           "b: {model: continuum}") "  - {param: body, values: [rod, "
                                    "pendulum, general, matrix, lamina]}\n  - {param: law, values: "
                                    "[linear, hertz, coupled, "
                                    "hysteretic]}\n" REST_OF,
     "x.yaml:6:13: error: too many cases with all options of 'law', at most 32 are allowed\n",
     NULL},
    {"two axes of cases", BOTH "  - cases: {a: {model: rigid}}\n" REST_OF,
     "x.yaml:5:12: error: 'case' is on an axis already\n", NULL},
    {"a key that does not go with cases",
     "axes:\n  - {cases: {a: {model: compliant, body: pendulum}}, name: b}\n" REST_OF,
     "x.yaml:2:54: error: 'name' does not go with 'cases'\n", NULL},
    {"override of a case", BOTH REST_OF,
     "--set case=sprungs: error: unknown option 'sprungs' of 'case' (did you mean 'springs'?)\n",
     "case=sprungs"},
    {"override of a choice of a case", BOTH REST_OF,
     "--set springs.law=hrtz: error: unknown option 'hrtz' of 'law' (did you mean 'hertz'?)\n",
     "springs.law=hrtz"},
    {"override of a case that is not there", BOTH REST_OF,
     "--set sprngs.law=hertz: error: unknown case 'sprngs' (did you mean 'springs'?)\n",
     "sprngs.law=hertz"},
    {"override of a parameter that a case does not know", BOTH REST_OF,
     "--set rigid.yeild_speed=1: error: unknown parameter or choice 'yeild_speed' (did you mean "
     "'yield_speed'?)\n",
     "rigid.yeild_speed=1"},
    {"override of a parameter of a case that is no number", BOTH REST_OF,
     "--set springs.friction=1:2:3: error: friction: '1:2:3' is not a number\n",
     "springs.friction=1:2:3"},
    {"override of the theory of a case", BOTH REST_OF,
     "--set springs.model=rigid: error: 'model' of a case is changed in the config\n",
     "springs.model=rigid"},
    {"override of a choice that every case makes", BOTH REST_OF,
     "--set body=rod: error: every case makes the choice 'body' itself; set it in a case: "
     "springs.body=rod\n",
     "body=rod"},
    /* together, what is wrong on its own: where a choice, the search or an axis is unknown too */
    {"axes and values beside a case with a misspelt option",
     CASES("a: {model: compliant, body: rod, law: hrtz}",
           "b: {model: compliant, body: rod, angle: 1}") "  - {param: stiffness_ratio, values: "
                                                         "[]}\nfixed: {friction: yes, frction: 1, "
                                                         "velocity_ratio: [1]}\n",
     "x.yaml:3:45: error: unknown option 'hrtz' of 'law' (did you mean 'hertz'?)\n"
     "x.yaml:5:38: error: 'values' is empty, an axis has at least 1 value\n"
     "x.yaml:6:19: error: friction: 'yes' is not a number\n"
     "x.yaml:6:24: error: unknown parameter 'frction' (did you mean 'friction'?)\n"
     "x.yaml:6:52: error: 'velocity_ratio' must be a single value, not a list\n",
     NULL},
    {"units and ranges beside a case with a misspelt option, which may have others",
     CASES("a: {model: compliant, body: rod, law: hetz}",
           "b: {model: compliant, body: rod, law: linear}") "fixed: {normal_stiffness: 1 N/m^1.5, "
                                                            "friction: -1, velocity_ratio: 1x}\n",
     "x.yaml:3:45: error: unknown option 'hetz' of 'law' (did you mean 'hertz'?)\n"
     "x.yaml:5:68: error: velocity_ratio: '1x' is not a number\n",
     NULL},
    {"all keys beside a case of an unknown theory",
     CASES("a: {model: complaint}", "b: {model: rigid, law: newton}") "  - {param: body, values: "
                                                                      "[rod, pendulm]}\n  - "
                                                                      "{param: newness, values: "
                                                                      "[]}\nfixed: {friction: "
                                                                      "yes, oldness: [1]}\n"
                                                                      "outputs: [age, age, []]\n"
                                                                      "precision: half\n",
     "x.yaml:3:18: error: unknown theory 'complaint' (did you mean 'compliant'?)\n"
     "x.yaml:5:33: error: unknown option 'pendulm' of 'body' (did you mean 'pendulum'?)\n"
     "x.yaml:6:30: error: 'values' is empty, an axis has at least 1 value\n"
     "x.yaml:7:19: error: friction: 'yes' is not a number\n"
     "x.yaml:7:33: error: 'oldness' must be a single value, not a list\n"
     "x.yaml:8:21: error: 'outputs' must be a single value, not a list\n"
     "x.yaml:9:12: error: unknown precision 'half', allowed: float32, float64\n",
     NULL},
    {"all keys beside theories that do not fit",
     CASES("a: {model: compliant, body: rod}",
           "b: {model: swerve, body: sphere3d, law: newton}") "  - {param: friction, from: 1, to: "
                                                              "0, points: 0}\nfixed: {mass: 1x}\n",
     "x.yaml:4:7: error: the case 'b': swerve does not go with compliant of the case 'a', in which "
     "the same names mean other things\n"
     "x.yaml:5:47: error: points is 0, an axis has at least 1\n"
     "x.yaml:6:15: error: mass: '1x' is not a number with an optional unit such as kg\n",
     NULL},
    {"all keys beside an unknown model",
     "model: complaint\nvariables: {tilt: furlong}\naxes:\n  - {param: friction, values: []}\n  - "
     "{param: angle, from: 1, to: 2, points: 0, spacing: lg}\n  - {table: none.csv, name: "
     "case}\nfixed: {mass: [1], tilt: {equal: 1}}\nsearch: {find: boundry, over: {param: age, "
     "from: "
     "1}, of: mode}\nfigure: {as: mp}\n",
     "x.yaml:1:8: error: unknown theory 'complaint' (did you mean 'compliant'?)\n"
     "x.yaml:2:19: error: 'furlong' is no SI unit for 'tilt', such as rad, m, kg, N/m, or 1 for a "
     "number; its values may have other units\n"
     "x.yaml:4:31: error: 'values' is empty, an axis has at least 1 value\n"
     "x.yaml:5:44: error: points is 0, an axis has at least 1\n"
     "x.yaml:5:56: error: unknown spacing 'lg' (did you mean 'log'?)\n"
     "x.yaml:6:13: error: cannot read the table 'none.csv': No such file or directory\n"
     "x.yaml:7:15: error: 'mass' must be a single value, not a list\n"
     "x.yaml:7:27: error: unknown key 'equal' in a fixed parameter (did you mean 'equals'?)\n"
     "x.yaml:8:16: error: unknown search 'boundry' (did you mean 'boundary'?)\n"
     "x.yaml:8:31: error: missing key 'to' in 'over'\n"
     "x.yaml:9:14: error: unknown kind of figure 'mp' (did you mean 'map'?)\n",
     NULL},
    {"an unknown parameter with an empty list and a list of wrong values",
     PENDULUM NO_FRICTION "axes: [{param: frction, values: []}, {param: anglee, values: [1e999, "
                          "[1]]}]\n",
     "x.yaml:4:16: error: unknown parameter or choice 'frction' (did you mean 'friction'?)\n"
     "x.yaml:4:33: error: 'values' is empty, an axis has at least 1 value\n"
     "x.yaml:4:46: error: unknown parameter or choice 'anglee' (did you mean 'angle'?)\n"
     "x.yaml:4:63: error: '1e999' is too large for a double\n"
     "x.yaml:4:70: error: 'values' must be a single value, not a list\n",
     NULL},
    {"ends of a search beside a misspelt value and a missing choice",
     "model: rigid\nchoose: {law: newton}\n"
     "search: {find: boundary, over: {param: restitution, from: 0, to: 2}, of: mode, in: wegde}\n",
     "x.yaml:2:9: error: missing choice 'body', allowed: <bodies>\n"
     "x.yaml:3:66: error: 'restitution' is 2, outside its range [0, 1]\n"
     "x.yaml:3:84: error: unknown mode 'wegde' (did you mean 'wedge'?)\n",
     NULL},
    {"ends of a search beside a missing choice",
     "model: rigid\nchoose: {law: newton}\n"
     "search: {find: minimum, over: {param: restitution, from: -1, to: 1}, of: energy_loss}\n",
     "x.yaml:2:9: error: missing choice 'body', allowed: <bodies>\n"
     "x.yaml:3:58: error: 'restitution' is -1, outside its range [0, 1]\n",
     NULL},
    {"values beside a missing choice",
     "model: compliant\naxes:\n  - {param: friction, from: -3, to: 1, points: 5}\n"
     "  - {param: frictoin, from: 0, to: 1e400, points: 5}\n"
     "fixed: {stiffness_ratio: -1, contact_end: forse}\n",
     "x.yaml:1:1: error: missing choice 'body', allowed: <bodies>\n"
     "x.yaml:3:29: error: 'friction' is -3, outside its range [0, inf)\n"
     "x.yaml:4:13: error: unknown parameter or choice 'frictoin' (did you mean 'friction'?)\n"
     "x.yaml:4:36: error: '1e400' is too large for a double\n"
     "x.yaml:5:26: error: 'stiffness_ratio' is -1, outside its range (0, inf)\n"
     "x.yaml:5:43: error: contact_end is 'forse', force or elongation is expected\n",
     NULL},
    {"values beside one that is unreadable",
     PENDULUM "axes:\n  - {param: friction, values: [0.1, -0.2, x, -.inf]}\n"
              "  - {param: stiffness_ratio, from: -1, to: 1e400, points: 3}\n"
              "  - {param: angle, from: 1 deg, to: 95 deg, points: few}\n",
     "x.yaml:4:37: error: 'friction' is -0.2, outside its range [0, inf)\n"
     "x.yaml:4:43: error: friction: 'x' is not a number\n"
     "x.yaml:4:46: error: friction: '-.inf' is not finite; its range is [0, inf)\n"
     "x.yaml:5:36: error: 'stiffness_ratio' is -1, outside its range (0, inf)\n"
     "x.yaml:5:44: error: stiffness_ratio: '1e400' is too large for a double; its range is "
     "(0, inf)\n"
     "x.yaml:6:37: error: 'angle' is 1.658063 rad (95 deg), outside its range [-1.570796, "
     "1.570796] rad = [-90, 90] deg or (0, 1.570796) rad = (0, 90) deg\n"
     "x.yaml:6:53: error: points: 'few' is not a whole number written in digits alone\n",
     NULL},
    {"refine beside a wrong search",
     PENDULUM "search: {find: junktion}\n"
              "refine: {base: 48, depth: -1, on: [mode, root_count, {output: duration}]}\n" RANGES
              "fixed: {stiffness_ratio: 1.21}\n",
     "x.yaml:3:16: error: unknown search 'junktion' (did you mean 'junction'?)\n"
     "x.yaml:4:16: error: base is 48, with 2 refined axes a power of 2 from 2 to 4096 is expected\n"
     "x.yaml:4:27: error: depth is -1, a whole number from 1 to 20 is expected\n"
     "x.yaml:4:54: error: missing key 'level' or 'jump' in 'on'\n",
     NULL},
    {"base beside a lost axis",
     REFINED "{base: 3, depth: 4}\n"
             "axes: [{param: angle, from: 0.1, to: 1}, {param: friction, from: 0.1, too: 1}]\n",
     "x.yaml:4:16: error: base is 3, a power of 2 is expected\n"
     "x.yaml:5:71: error: unknown key 'too' in an axis (did you mean 'to'?)\n",
     NULL},
    {"override of the precision", PENDULUM REST,
     "--set precision=float16: error: unknown precision 'float16' (did you mean 'float32'?)\n",
     "precision=float16"},
};
