/* Bad configs and their exact messages, where LINE:COLUMN: at the beginning of a line stands for
 * x.yaml:LINE:COLUMN: error:, and the last line has no end. Tables are those of
 * support/reading.c. */

#include "parts.h"

#define ALLOWED_IN_CONFIG                                                                          \
    "allowed: model, command, cell_time, memory_limit, variables, uncertain, search, refine, "     \
    "choose, axes, fixed, outputs, figure, precision, write, cell_budget"
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
#define ALL_PARAMETERS "<parameters>"

static const struct bad {
    const char *name, *text, *expected;
} bad_configs[] = {
    /* the file as a whole */
    {"empty", "", "1:1: the config is empty, a mapping with the key 'model' is expected"},
    {"only remarks", "# nothing\n\n",
     "1:1: the config is empty, a mapping with the key 'model' is expected"},
    {"a list", "\n- model\n", "2:1: a config must be a mapping, not a list"},
    {"a word", "compliant\n", "1:1: a config must be a mapping, not a single value"},
    {"not UTF-8", "model: compliant\nchoose: {body: \xff}\n",
     "2:16: byte 0xff is not text, UTF-8 text is expected"},
    {"a mark before the text", "\xEF\xBB\xBFmodel: complian\n",
     "1:8: unknown theory 'complian' (did you mean 'compliant'?)"},
    {"a value beside the end of its range",
     "model: rigid\nchoose: {body: pendulum, law: newton}\n" AXIS
     "fixed: {angle: 1, restitution: 1.0000000000000002}\n",
     "4:32: 'restitution' is 1.0000000000000002, outside its range [0, 1]"},
    {"overlong UTF-8", "# \xc3\xa9 \xc0\xaf\n",
     "1:5: byte 0xc0 is not text, UTF-8 text is expected"},
    {"surrogate", "\xed\xa0\x80", "1:1: byte 0xed is not text, UTF-8 text is expected"},
    {"control character", "model: \x01", "1:8: byte 0x01 is not text, UTF-8 text is expected"},
    {"C1 control character, which YAML forbids", "model:\n \xc2\x81",
     "2:2: not valid YAML: control characters are not allowed"},
    {"open bracket", "model: [compliant\n",
     "2:1: not valid YAML: while parsing a flow sequence, did not find expected ',' or ']'"},
    {"tab", "model: compliant\nfixed:\n\tfriction: 1\n",
     "3:1: not valid YAML: while scanning for the next token, found character that cannot start "
     "any token"},
    {"two documents", "model: compliant\n---\nmodel: compliant\n",
     "2:1: a second YAML document, one is allowed"},
    {"alias", "model: compliant\nchoose: {body: &b rod, law: *b}\n",
     "2:16: anchors are not supported, write the value out\n"
     "2:29: aliases are not supported, write the value out"},
    {"tag", "model: !!str compliant\nfixed: !x {}\n",
     "1:8: tags are not supported, leave the tag out\n"
     "2:8: tags are not supported, leave the tag out"},
    {"character 0", "model: \"a\\0b\"\n", "1:8: a text must not contain the character 0"},
    {"deep", "model: [[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]\n",
     "1:23: nested too deeply, at most 16 levels are allowed"},

    /* keys of the config */
    {"unknown keys", "modl: compliant\nchoice: {body: rod}\nzzzzzz: 1\n",
     "1:1: unknown key 'modl' in the config (did you mean 'model'?)\n"
     "2:1: unknown key 'choice' in the config (did you mean 'choose'?)\n"
     "3:1: unknown key 'zzzzzz' in the config, " ALLOWED_IN_CONFIG},
    {"misspelt part, no missing parameters", PENDULUM "fixd: {angle: 0.5}\n",
     "3:1: unknown key 'fixd' in the config (did you mean 'fixed'?)"},
    {"no model", "fixed: {friction: 1}\n", "1:1: missing key 'model', the name of a theory"},
    {"unknown model", "model: complaint\nfixed: {x: 1}\n",
     "1:8: unknown theory 'complaint' (did you mean 'compliant'?)"},
    {"hidden theories are not listed", "model: nulll\n",
     "1:8: unknown theory 'nulll', allowed: <theories>, guest"},
    {"model of the wrong type", "model: [compliant]\n",
     "1:8: 'model' must be a single value, not a list"},
    {"model without value", "model:\n", "1:7: the value of 'model' is missing"},
    {"duplicate keys", PENDULUM REST "model: compliant\nfixed: {}\n",
     "4:1: duplicate key 'model', first given on line 1\n"
     "5:1: duplicate key 'fixed', first given on line 3"},
    {"keys that are no words", PENDULUM REST "[a]: 1\n? {}\n: 2\n\"\": 3\n",
     "4:1: a key must be a word, not a list\n"
     "5:3: a key must be a word, not a mapping\n"
     "7:1: a key must be a word, not empty"},
    {"wrong types",
     "model: compliant\nchoose: rod\naxes: {}\nfixed: []\noutputs: mode\nprecision: {}\n",
     "2:9: 'choose' must be a mapping, not a single value\n"
     "3:7: 'axes' must be a list, not a mapping\n"
     "4:8: 'fixed' must be a mapping, not a list\n"
     "5:10: 'outputs' must be a list, not a single value\n"
     "6:12: 'precision' must be a single value, not a mapping"},
    {"missing values", "model: compliant\nchoose:\naxes: ~\nfixed:\noutputs:\nprecision:\n",
     "2:8: 'choose' must be a mapping, not a missing value\n"
     "3:7: 'axes' must be a list, not a missing value\n"
     "4:7: 'fixed' must be a mapping, not a missing value\n"
     "5:9: 'outputs' must be a list, not a missing value\n"
     "6:11: the value of 'precision' is missing"},
    {"way to write", PENDULUM REST "write: paralel\n",
     "4:8: unknown way to write 'paralel' (did you mean 'parallel'?)"},
    {"budget of no steps", PENDULUM REST "cell_budget: 0\n",
     "4:14: cell_budget is 0, allowed: at least 1"},
    {"budget that is no number", PENDULUM REST "cell_budget: 1e3\n",
     "4:14: cell_budget: '1e3' is not a whole number written in digits alone"},
    {"budget set twice", PENDULUM REST "cell_budget: 1\ncell_budget: 2\n",
     "5:1: duplicate key 'cell_budget', first given on line 4"},
    {"precision", PENDULUM REST "precision: float23\n",
     "4:12: unknown precision 'float23' (did you mean 'float32'?)"},
    {"a message is one line", PENDULUM REST "\"a\\nb\": 1\n",
     "4:1: unknown key 'a?b' in the config, " ALLOWED_IN_CONFIG},
    {"a long word is cut",
     PENDULUM REST "abcdefghijabcdefghijabcdefghijabcdefghijabcdefghijabcdefghi\xc3\xa9"
                   "bcdefghijabcdefghij: 1\n",
     "4:1: unknown key 'abcdefghijabcdefghijabcdefghijabcdefghijabcdefghijabcdefghi...' in the "
     "config, " ALLOWED_IN_CONFIG},

    /* choose */
    {"missing choice", "model: compliant\n", "1:1: missing choice 'body', allowed: <bodies>"},
    {"missing choice, in choose", "model: compliant\nchoose: {law: linear}\n" REST,
     "2:9: missing choice 'body', allowed: <bodies>"},
    {"unknown choice", "model: compliant\nchoose: {bodi: rod, shape: rod}\n",
     "2:10: unknown choice 'bodi' (did you mean 'body'?)\n"
     "2:21: unknown choice 'shape', allowed: body, law"},
    {"unknown option", "model: compliant\nchoose: {body: pendlum, law: hooke}\nfixed: {b11: 1}\n",
     "2:16: unknown option 'pendlum' of 'body' (did you mean 'pendulum'?)\n"
     "2:30: unknown option 'hooke' of 'law', allowed: <laws>"},
    {"choice twice",
     "model: compliant\nchoose: {body: rod, body: sphere}\nfixed: {velocity_ratio: 1, angle: 0, "
     "friction: 0, stiffness_ratio: 1}\n",
     "2:21: duplicate key 'body'"},
    {"choice without value", "model: compliant\nchoose: {body: }\n",
     "2:16: the value of 'body' is missing"},
    {"choice of the wrong type", "model: compliant\nchoose: {body: [rod]}\n",
     "2:16: 'body' must be a single value, not a list"},
    {"keys of parts that are no words",
     "model: compliant\nchoose: {[a]: b, body: pendulum}\nfixed: {angle: 0.5, friction: 0.3, "
     "stiffness_ratio: 1.21, {}: 1}\n",
     "2:10: a key must be a word, not a list\n"
     "3:59: a key must be a word, not a mapping"},
    {"parameter under choose",
     "model: compliant\nchoose: {body: pendulum, friction: 0.3}\nfixed: {angle: 0.5, "
     "stiffness_ratio: 1.21, law: linear}\n",
     "2:26: 'friction' is a parameter, write it under 'fixed'\n"
     "3:44: 'law' is a choice, write it under 'choose'"},

    /* fixed */
    {"missing parameters", PENDULUM "fixed: {angle: 30deg}\n",
     "3:8: missing parameter 'friction' (range [0, inf), no default)\n"
     "3:8: missing parameter 'stiffness_ratio' (range (0, inf), no default), or 'poisson_ratio' in "
     "its place (range [0, 0.5])"},
    {"missing angle, no fixed",
     ROD "axes:\n  - {param: friction, values: [1]}\n  - {param: stiffness_ratio, values: [1]}\n  "
         "- {param: velocity_ratio, values: [1]}\n",
     "1:1: missing parameter 'angle' (range [-1.570796, 1.570796] rad = [-90, 90] deg, no "
     "default)"},
    {"missing where ranges differ",
     "model: compliant\naxes: [{param: body, values: [rod, pendulum, general]}]\nfixed: {friction: "
     "0.3, stiffness_ratio: 1, velocity_ratio: 0, inertia_coupling: 0}\n",
     "3:8: missing parameter 'angle' (range [-1.570796, 1.570796] rad = [-90, 90] deg or (0, "
     "1.570796) rad = (0, 90) deg, no default)"},
    {"unknown parameter",
     PENDULUM "fixed: {angle: 0.5, frction: 0.3, stiffness_ratio: 1.21, colour: 1}\n",
     "3:21: unknown parameter 'frction' (did you mean 'friction'?)\n"
     "3:58: unknown parameter 'colour', allowed: " ALL_PARAMETERS},
    {"a parameter and its stand-in",
     PENDULUM "fixed: {angle: 0.5, poisson_ratio: 0.3, friction: 0.3, stiffness_ratio: 1.21}\n",
     "3:21: 'poisson_ratio' and 'stiffness_ratio' set the same value, give one of them"},
    {"a parameter on an axis and its stand-in",
     PENDULUM "axes: [{param: stiffness_ratio, values: [1, 2]}]\nfixed: {angle: 0.5, friction: "
              "0.3,\n  poisson_ratio: 0.3}\n",
     "5:3: 'poisson_ratio' and 'stiffness_ratio' set the same value, give one of them"},
    {"a parameter and its stand-in on an axis",
     PENDULUM REST "axes: [{param: poisson_ratio, from: 0, to: 0.5, points: 3}]\n",
     "4:16: 'poisson_ratio' and 'stiffness_ratio' set the same value, give one of them"},
    {"a misspelt stand-in", PENDULUM "fixed: {angle: 0.5, friction: 0.3, poison_ratio: 0.3}\n",
     "3:36: unknown parameter 'poison_ratio' (did you mean 'poisson_ratio'?)"},
    {"a stand-in outside its range",
     PENDULUM "fixed: {angle: 0.5, friction: 0.3, poisson_ratio: 0.6}\n",
     "3:51: 'poisson_ratio' is 0.6, outside its range [0, 0.5]"},
    {"does not apply",
     PENDULUM
     "fixed: {angle: 0.5, friction: 0.3, stiffness_ratio: 1.21,\n  inertia_coupling: 0.5}\n",
     "4:3: 'inertia_coupling' does not apply to body=pendulum; it applies to body=general"},
    {"applies to no option of the axis",
     "model: compliant\naxes:\n  - {param: body, values: [rod, sphere]}\n  - {param: b11, values: "
     "[1]}\nfixed: {velocity_ratio: 1, angle: 0, friction: 0, stiffness_ratio: 1}\n",
     "4:13: 'b11' does not apply to body=sphere, body=rod; it applies to body=matrix"},
    {"numbers",
     PENDULUM "fixed:\n  angle: 30degrees\n  friction: 12abc\n  stiffness_ratio: nan\n  mass: "
              "0x10\n  normal_speed: .inf\n  normal_stiffness: 1e999\n",
     "4:10: angle: '30degrees' is not a number with an optional unit deg or rad\n"
     "5:13: friction: '12abc' is not a number\n"
     "6:20: stiffness_ratio: 'nan' is not a number\n"
     "7:9: mass: '0x10' is not a number\n"
     "8:17: normal_speed: '.inf' is not finite; its range is (0, inf) m/s\n"
     "9:21: normal_stiffness: '1e999' is too large for a double; its range is (0, inf) N/m or (0, "
     "inf) N/m^1.5"},
    {"no numbers",
     PENDULUM "fixed:\n  angle: \n  friction: '0.3'\n  stiffness_ratio: [1]\n  mass: null\n  "
              "normal_speed: {a: 1}\n",
     "4:9: the value of 'angle' is missing\n"
     "5:13: 'friction' must be a number without quotes\n"
     "6:20: 'stiffness_ratio' must be a single value, not a list\n"
     "7:9: mass: 'null' is not a number with an optional unit such as kg\n"
     "8:18: unknown key 'a' in a fixed parameter, allowed: equals"},
    {"formulas that cannot be read",
     PENDULUM "fixed:\n  angle: {equals: frictoin + 1}\n  friction: {equals: 'mass * (2'}\n  "
              "stiffness_ratio: = mass mass\n  mass: {equals: radius > 1}\n",
     "4:19: unknown parameter 'frictoin' in the formula of 'angle' (did you mean 'friction'?)\n"
     "5:32: the formula of 'friction': ')' is missing\n"
     "6:27: the formula of 'stiffness_ratio': unexpected text; allowed here are + - * / or the "
     "end\n"
     "7:18: the formula of 'mass': a number is missing here; a condition is not a number"},
    {"formulas in a circle, and one of a swept parameter",
     PENDULUM "axes: [{param: angle, values: [0.5]}]\nfixed:\n  friction: {equals: mass / 2}\n  "
              "mass: {equals: stiffness_ratio}\n  stiffness_ratio: {equals: friction + 1}\n  "
              "angle: {equals: mass}\n  normal_speed: {equals: normal_speed}\n",
     "5:22: 'friction' follows itself\n"
     "6:18: 'mass' follows itself\n"
     "7:29: 'stiffness_ratio' follows itself\n"
     "8:3: 'angle' is both fixed and on an axis\n"
     "9:26: 'normal_speed' follows itself"},
    {"formulas without a good value",
     PENDULUM
     "axes: [{param: angle, from: 10 deg, to: 20 deg, points: 3}]\nfixed:\n  friction: {equals: "
     "'-angle'}\n  stiffness_ratio: {equals: 1 / (mass - 1)}\n  normal_speed: {equals: b11}\n",
     "5:23: 'friction' is -0.1745329, outside its range [0, inf)\n"
     "6:29: the formula of 'stiffness_ratio' has no finite value\n"
     "7:26: 'normal_speed' follows 'b11', which has no value in this sweep"},
    {"variables with wrong names or units",
     "model: compliant\nvariables:\n  friction: 1\n  mode: 1\n  sin: rad\n  2x: m\n  tilt: deg\n  "
     "a: furlong\n  points: 1\n  b: [1]\n  body: 1\n  a: 1\nchoose: {body: lamina}\naxes: [{param: "
     "tilt, from: 0 deg, to: 90 deg, points: 3}]\nfixed:\n  friction: 0.2\n  stiffness_ratio: 1\n  "
     "velocity_ratio: 1\n  offset_n: {equals: a * cos(tilt)}\n  offset_t: {equals: a * sin(tlt)}\n "
     " a: 1\n",
     "3:3: 'friction' is a parameter of compliant, a variable needs another name\n"
     "4:3: 'mode' is an output of compliant, a variable needs another name\n"
     "5:3: 'sin' is no name of a variable: a word of letters, digits and _ (at most 63), other "
     "than the words of formulas\n"
     "6:3: '2x' is no name of a variable: a word of letters, digits and _ (at most 63), other than "
     "the words of formulas\n"
     "7:9: 'deg' is no SI unit for 'tilt', such as rad, m, kg, N/m, or 1 for a number; its values "
     "may have other units\n"
     "8:6: 'furlong' is no SI unit for 'a', such as rad, m, kg, N/m, or 1 for a number; its values "
     "may have other units\n"
     "9:3: maps have a part called 'points', a variable needs another name\n"
     "10:6: 'b' must be a single value, not a list\n"
     "11:3: 'body' is a choice of compliant, a variable needs another name\n"
     "12:3: duplicate key 'a'\n"
     "20:30: unknown parameter 'tlt' in the formula of 'offset_t' (did you mean 'tilt'?)"},
    {"variables that are read by no formula, have no value, or go in a circle",
     "model: compliant\nvariables: {idle: m, empty: rad, a: 1, b: 1}\nchoose: {body: "
     "lamina}\naxes: [{param: idle, values: [1 rad, 2]}]\nfixed:\n  friction: 0.2\n  "
     "stiffness_ratio: 1\n  velocity_ratio: 1\n  offset_n: 1\n  offset_t: {equals: sin(empty)}\n  "
     "a: {equals: 2 * b}\n  b: {equals: a}\n",
     "2:13: no formula reads the variable 'idle'\n"
     "2:22: the variable 'empty' has no value\n"
     "4:31: idle: '1 rad' has the unit of another quantity; its unit is m\n"
     "11:15: 'a' follows itself\n"
     "12:15: 'b' follows itself"},
    {"too many variables",
     PENDULUM "variables: {a: 1, b: 1, c: 1, d: 1, e: 1, f: 1, g: 1, h: 1, i: 1}\nfixed: {angle: "
              "1, friction: '= a+b+c+d+e+f+g+h', stiffness_ratio: 1, a: 1, b: 1, c: 1, d: 1, e: 1, "
              "f: 1, g: 1, h: 1}\n",
     "3:61: one variable too many, at most 8 are allowed"},
    {"a variable with the name of what a search finds",
     PENDULUM
     "variables: {root: 1}\nfixed: {stiffness_ratio: '= root', root: 1, friction: 1}\nsearch: "
     "{over: {param: angle, from: 0.1, to: 1}, find: boundary, of: mode, in: [wedge]}\n",
     "3:13: 'root' is an output of the search, a variable needs another name"},
    {"variables that are no mapping", PENDULUM "variables: [tilt]\n" REST,
     "3:12: 'variables' must be a mapping, not a list"},
    {"the unit of another law",
     "model: compliant\nchoose: {body: pendulum, law: hertz}\n" AXIS
     "fixed: {angle: 1, stiffness_ratio: 1, normal_stiffness: 2 N/mm}\n",
     "4:57: normal_stiffness: '2 N/mm' has the unit of another quantity; its unit is N/m^1.5 here"},
    {"a unit of one of two laws",
     "model: compliant\nchoose: {body: pendulum}\naxes: [{param: law, values: [linear, "
     "hertz]}]\nfixed: {angle: 1, friction: 1, stiffness_ratio: 1, normal_stiffness: 2 N/mm}\n",
     "4:70: normal_stiffness: '2 N/mm' has a unit, but cells differ in the unit of "
     "normal_stiffness, which is N/m or N/m^1.5; a number without a unit is in that of each cell"},
    {"a unit whose power is on an axis",
     "model: viscoelastic\naxes: [{param: exponent, values: [1, 2]}]\nfixed: {velocity_ratio: 1, "
     "friction: 1, normal_stiffness: 2 N/mm}\n",
     "3:59: normal_stiffness: '2 N/mm' has a unit, but cells differ in the unit of "
     "normal_stiffness, which is N/m^exponent; a number without a unit is in that of each cell"},
    {"unit of an angle on a number",
     PENDULUM "fixed: {angle: 30 deg, friction: 30 deg, stiffness_ratio: 1}\n",
     "3:34: friction: '30 deg' has the unit of an angle where none is allowed"},
    {"units of other quantities",
     PENDULUM
     "fixed: {angle: 3 kg, friction: 3 mm, stiffness_ratio: 1, mass: 2 m, length: 3 ells}\n",
     "3:16: angle: '3 kg' is not a number with an optional unit deg or rad\n"
     "3:32: friction: '3 mm' has a unit where none is allowed\n"
     "3:64: mass: '2 m' has the unit of another quantity; its unit is kg\n"
     "3:77: length: '3 ells' is not a number with an optional unit such as m"},
    {"ranges",
     "model: compliant\nchoose: {body: general}\nfixed:\n  angle: 90.1 deg\n  friction: -0.5\n  "
     "stiffness_ratio: 0\n  inertia_coupling: 1\n  velocity_ratio: -3\n  mass: -2\n",
     "4:10: 'angle' is 1.572542 rad (90.1 deg), outside its range [-1.570796, 1.570796] rad = "
     "[-90, 90] deg\n"
     "5:13: 'friction' is -0.5, outside its range [0, inf)\n"
     "6:20: 'stiffness_ratio' is 0, outside its range (0, inf)\n"
     "7:21: 'inertia_coupling' is 1, outside its range [0, 1)\n"
     "9:9: 'mass' is -2 kg, outside its range (0, inf) kg"},
    {"outside the range of every option",
     "model: compliant\naxes: [{param: body, values: [pendulum, rod]}]\nfixed: {angle: 2, "
     "friction: 0, stiffness_ratio: 1, velocity_ratio: 1}\n",
     "3:16: 'angle' is 2 rad (114.5916 deg), outside its range [-1.570796, 1.570796] rad = [-90, "
     "90] deg or (0, 1.570796) rad = (0, 90) deg"},
    {"parameter twice",
     PENDULUM "fixed: {angle: 0.5, friction: 0.3, friction: 0.4, stiffness_ratio: 1.21}\n",
     "3:36: duplicate key 'friction'"},
    {"fixed and swept", PENDULUM REST "axes: [{param: friction, values: [0.1, 0.2]}]\n",
     "3:21: 'friction' is both fixed and on an axis"},

    /* axes */
    {"an axis of the wrong type", PENDULUM REST "axes: [friction]\n",
     "4:8: an axis must be a mapping, not a single value"},
    {"unknown keys in an axis",
     PENDULUM NO_FRICTION "axes:\n  - {param: friction, frm: 0.1, max: 1, points: 5}\n",
     "5:5: missing key 'to' in an axis\n"
     "5:23: unknown key 'frm' in an axis (did you mean 'from'?)\n"
     "5:33: unknown key 'max' in an axis, allowed: <keys of an axis>"},
    {"duplicate key in an axis",
     PENDULUM NO_FRICTION "axes:\n  - {param: friction, from: 0, to: 1,\n     to: 2, points: 5}\n",
     "6:6: duplicate key 'to', first given on line 5"},
    {"an axis without param, table or sample",
     PENDULUM REST "axes:\n  - {from: 0, to: 1, points: 5}\n",
     "5:5: missing key 'param' (or 'table', 'sample' or 'cases') in an axis"},
    {"param without value", PENDULUM REST "axes: [{param: , values: [1]}]\n",
     "4:16: the value of 'param' is missing"},
    {"missing keys", PENDULUM NO_FRICTION "axes: [{param: friction, spacing: log}]\n",
     "4:8: missing key 'from' in an axis\n"
     "4:8: missing key 'to' in an axis\n"
     "4:8: missing key 'points' in an axis"},
    {"forms mixed",
     PENDULUM NO_FRICTION "axes:\n  - {param: friction, values: [1], from: 0, name: f}\n",
     "5:36: 'from' does not go with 'values'\n"
     "5:45: 'name' does not go with 'values'"},
    {"name without table",
     PENDULUM NO_FRICTION "axes:\n  - {param: friction, name: f, from: 0, to: 1, points: 2}\n",
     "5:23: 'name' does not go with 'param'"},
    {"unknown parameter on an axis, its points still checked",
     PENDULUM NO_FRICTION "axes:\n  - {param: frictio, from: 0.1, to: 1, points: 0}\n",
     "5:13: unknown parameter or choice 'frictio' (did you mean 'friction'?)\n"
     "5:48: points is 0, an axis has at least 1"},
    {"axis that does not apply", PENDULUM REST "axes: [{param: velocity_ratio, values: [1]}]\n",
     "4:16: 'velocity_ratio' does not apply to body=pendulum; it applies to <bodies with "
     "velocity_ratio>"},
    {"points", PENDULUM NO_FRICTION "axes:\n  - {param: friction, from: 0, to: 1, points: 1.5}\n",
     "5:47: points: '1.5' is not a whole number written in digits alone"},
    {"negative points",
     PENDULUM NO_FRICTION "axes:\n  - {param: friction, from: 0, to: 1, points: -3}\n",
     "5:47: points: '-3' is not a whole number written in digits alone"},
    {"points in words",
     PENDULUM NO_FRICTION "axes:\n  - {param: friction, from: 0, to: 1, points: '3'}\n",
     "5:47: 'points' must be a number without quotes"},
    {"points of 2^63",
     PENDULUM NO_FRICTION
     "axes:\n  - {param: friction, from: 0, to: 1, points: 9223372036854775808}\n",
     "5:47: points: '9223372036854775808' is too large (at most 2^63-1)"},
    {"points of 2^40",
     PENDULUM NO_FRICTION "axes:\n  - {param: friction, from: 0, to: 1, points: 1099511627776}\n",
     "5:47: points is 1099511627776, this axis has at most 2^28"},
    {"points of 2^28 + 1",
     PENDULUM NO_FRICTION "axes:\n  - {param: friction, from: 0, to: 1, points: 268435457}\n",
     "5:47: points is 268435457, this axis has at most 2^28"},
    {"2^70 cells",
     PENDULUM "axes:\n  - {param: angle, from: 1deg, to: 2deg, points: 268435456}\n  - {param: "
              "friction, from: 0, to: 1, points: 268435456}\n  - {param: stiffness_ratio, from: 1, "
              "to: 2, points: 16384}\n",
     "4:3: too many cells, the product of the sizes of all axes must be at most 2^40"},
    {"2^40 + 2^20 cells",
     PENDULUM "axes: [{param: friction, from: 0, to: 1, points: 1048576},\n  {param: "
              "stiffness_ratio, from: 1, to: 2, points: 1048577}]\nfixed: {angle: 0.5}\n",
     "3:7: too many cells, the product of the sizes of all axes must be at most 2^40"},
    {"from > to with points 1",
     PENDULUM NO_FRICTION "axes:\n  - {param: friction, from: 1, to: 0, points: 1}\n",
     "5:47: points is 1, but from and to differ; one point needs from = to"},
    {"from < to with points 1",
     PENDULUM NO_FRICTION "axes:\n  - {param: friction, from: 0, to: 1, points: 1}\n",
     "5:47: points is 1, but from and to differ; one point needs from = to"},
    {"from = to with points 2",
     PENDULUM NO_FRICTION "axes:\n  - {param: friction, from: 1, to: 1, points: 2}\n",
     "5:47: from and to are equal, and a coordinate must not repeat; points must be 1"},
    {"from and to one bit apart",
     PENDULUM NO_FRICTION
     "axes:\n  - {param: friction, from: 1, to: 1.0000000000000002, points: 3}\n",
     "5:64: 3 points of 'friction' are too close to differ in a double; take fewer points or a "
     "wider range"},
    {"numbers of an axis",
     PENDULUM NO_FRICTION "axes:\n  - {param: friction, from: 1x, to: nan, points: 5}\n",
     "5:29: friction: '1x' is not a number\n"
     "5:37: friction: 'nan' is not a number"},
    {"quoted from",
     PENDULUM NO_FRICTION "axes:\n  - {param: friction, from: \"1\", to: [2], points: 5}\n",
     "5:29: 'from' must be a number without quotes\n"
     "5:38: 'to' must be a single value, not a list"},
    {"ends outside the range",
     PENDULUM NO_ANGLE "axes:\n  - {param: angle, from: 0deg, to: 90deg, points: 5}\n",
     "5:26: 'angle' is 0 rad (0 deg), outside its range (0, 1.570796) rad = (0, 90) deg\n"
     "5:36: 'angle' is 1.570796 rad (90 deg), outside its range (0, 1.570796) rad = (0, 90) deg"},
    {"spacing",
     PENDULUM NO_FRICTION "axes:\n  - {param: friction, from: 1, to: 2, points: 5, spacing: lag}\n",
     "5:59: unknown spacing 'lag' (did you mean 'log'?)"},
    {"log from 0",
     PENDULUM NO_FRICTION "axes:\n  - {param: friction, from: 0, to: 2, points: 5, spacing: log}\n",
     "5:59: spacing log needs from and to of the same sign and not 0"},
    {"log over 0",
     ROD NO_ANGLE "axes:\n  - {param: velocity_ratio, from: -1, to: 2, points: 5, spacing: log}\n  "
                  "- {param: angle, values: [0]}\n",
     "5:66: spacing log needs from and to of the same sign and not 0"},
    {"log too far",
     PENDULUM NO_FRICTION
     "axes:\n  - {param: friction, from: 1e-300, to: 1e300, points: 5, spacing: log}\n",
     "5:68: from and to are too far apart for spacing log"},
    {"choice from to", "model: compliant\naxes:\n  - {param: body, from: 0, to: 1, points: 2}\n",
     "3:5: missing key 'values' in an axis\n"
     "3:19: 'from' does not go with 'values'\n"
     "3:28: 'to' does not go with 'values'\n"
     "3:35: 'points' does not go with 'values'"},
    {"no values", PENDULUM NO_FRICTION "axes: [{param: friction, values: []}]\n",
     "4:34: 'values' is empty, an axis has at least 1 value"},
    {"values of the wrong type", PENDULUM NO_FRICTION "axes: [{param: friction, values: 0.3}]\n",
     "4:34: 'values' must be a list, not a single value"},
    {"bad values",
     PENDULUM NO_FRICTION "axes:\n  - {param: friction, values: [1, 2x, \"3\", [4], ~]}\n",
     "5:35: friction: '2x' is not a number\n"
     "5:39: 'values' must be a number without quotes\n"
     "5:44: 'values' must be a single value, not a list\n"
     "5:49: the value of 'values' is missing"},
    {"values outside the range",
     PENDULUM NO_FRICTION "axes:\n  - {param: friction, values: [1, -1,\n       0, -2]}\n",
     "5:35: 'friction' is -1, outside its range [0, inf)\n"
     "6:11: 'friction' is -2, outside its range [0, inf)"},
    {"repeated values",
     PENDULUM NO_FRICTION "axes:\n  - {param: friction, values: [0.5, 1, 5e-1, 2, 1]}\n",
     "5:40: '5e-1' repeats a value of this axis\n"
     "5:49: '1' repeats a value of this axis"},
    {"choice values", "model: compliant\naxes:\n  - {param: body, values: [rod, rodd, rod]}\n",
     "3:33: unknown option 'rodd' of 'body' (did you mean 'rod'?)"},
    {"repeated options", "model: compliant\naxes:\n  - {param: body, values: [rod, sphere, rod]}\n",
     "3:41: 'rod' repeats a value of this axis"},
    {"chosen and swept", PENDULUM REST "axes: [{param: body, values: [rod, sphere]}]\n",
     "4:16: 'body' is both chosen and on an axis"},
    {"swept twice",
     PENDULUM NO_FRICTION "axes:\n  - {param: friction, values: [1]}\n  - {param: friction, from: "
                          "0, to: 1, points: 5}\n",
     "6:13: 'friction' is on an axis already"},
    {"seven axes",
     "model: compliant\nchoose: {body: general}\naxes:\n  - {param: friction, values: [1]}\n  - "
     "{param: angle, values: [1]}\n  - {param: stiffness_ratio, values: [1]}\n  - {param: mass, "
     "values: [1]}\n  - {param: velocity_ratio, values: [1]}\n  - {param: normal_speed, values: "
     "[1]}\n  - {param: inertia_coupling, values: [0]}\n",
     "10:5: one axis too many, at most 6 are allowed"},

    /* outputs */
    {"unknown outputs", PENDULUM REST "outputs: [mod, kinetic_restitition, weather]\n",
     "4:11: unknown output 'mod' (did you mean 'mode'?)\n"
     "4:16: unknown output 'kinetic_restitition' (did you mean 'kinetic_restitution'?)\n"
     "4:37: unknown output 'weather', allowed: <outputs>"},
    {"output that no cell has", PENDULUM REST "outputs: [mode, body_energy_loss]\n",
     "4:17: no cell of this sweep has the output 'body_energy_loss'"},
    {"output twice", PENDULUM REST "outputs: [mode, duration, mode]\n",
     "4:27: the output 'mode' is listed twice"},
    {"no outputs", PENDULUM REST "outputs: []\n",
     "4:10: 'outputs' is empty, list at least one (or leave the key out for all)"},
    {"outputs of the wrong type", PENDULUM REST "outputs: [[mode], ]\n",
     "4:11: 'outputs' must be a single value, not a list"},

    /* tables */
    {"table without name", PENDULUM NO_FRICTION "axes: [{table: friction.csv}]\n",
     "4:8: missing key 'name' in an axis"},
    {"table with from", PENDULUM NO_FRICTION "axes: [{table: friction.csv, name: case, from: 0}]\n",
     "4:42: 'from' does not go with 'table'"},
    {"table that is not there", PENDULUM "axes: [{table: nowhere.csv, name: case}]\n",
     "3:16: cannot read the table 'nowhere.csv': No such file or directory"},
    {"table of the wrong type", PENDULUM "axes: [{table: [friction.csv], name: case}]\n",
     "3:16: 'table' must be a single value, not a list"},
    {"name of a dimension", PENDULUM NO_FRICTION "axes: [{table: friction.csv, name: my case}]\n",
     "4:36: name: 'my case' is not a word of letters, digits and _ (at most 63)"},
    {"name of a result", PENDULUM NO_FRICTION "axes: [{table: friction.csv, name: duration}]\n",
     "4:36: name: 'duration' is taken, the dimension needs a name of its own"},
    {"name of a group of the map",
     PENDULUM NO_FRICTION "axes: [{table: friction.csv, name: run}]\n",
     "4:36: name: 'run' is taken, the dimension needs a name of its own"},
    {"name of a parameter", PENDULUM NO_FRICTION "axes: [{table: friction.csv, name: mass}]\n",
     "4:36: name: 'mass' is taken, the dimension needs a name of its own"},
    {"name of another dimension",
     PENDULUM "axes:\n  - {table: friction.csv, name: case}\n  - {table: stiffness.csv, name: "
              "case}\nfixed: {angle: 0.5}\n",
     "5:34: name: 'case' is taken, the dimension needs a name of its own"},
    {"empty table", PENDULUM "axes: [{table: empty.csv, name: case}]\n",
     "empty.csv:1:1: error: the table is empty, its first line must name the columns"},
    {"table without rows", PENDULUM NO_FRICTION "axes: [{table: header.csv, name: case}]\n",
     "header.csv:2:1: error: the table has no rows under its header"},
    {"header", "model: compliant\naxes: [{table: columns.csv, name: case}]\n",
     "columns.csv:1:1: error: unknown parameter or choice 'frction' (did you mean 'friction'?)\n"
     "columns.csv:1:10: error: the name of a column is missing\n"
     "columns.csv:1:11: error: the unit of 'angle' is rad or deg, not 'grad'\n"
     "columns.csv:1:25: error: the unit of 'mass' is kg, not 's'\n"
     "columns.csv:1:34: error: the header of a column must be 'name' or 'name [unit]'\n"
     "columns.csv:1:49: error: quotes are not supported in tables, leave them out\n"
     "columns.csv:1:56: error: 'angle' is on an axis already\n"
     "columns.csv:1:62: error: a choice has no unit, but the header gives '1'\n"
     "columns.csv:2:15: error: unknown option '8' of 'body', allowed: sphere, rod, general, "
     "pendulum, matrix, capsule, lamina, double_pendulum, two_laminae"},
    {"values of a table",
     PENDULUM "axes: [{table: values.csv, name: case}]\nfixed: {stiffness_ratio: 1}\n",
     "values.csv:4:4: error: angle: 'x' is not a number with an optional unit deg or rad\n"
     "values.csv:5:1: error: the value of 'friction' is missing\n"
     "values.csv:5:2: error: '3deg' has a unit, but the header of its column gives one too\n"
     "values.csv:7:1: error: 1 values in this row, the header names 2 columns\n"
     "values.csv:8:1: error: 3 values in this row, the header names 2 columns\n"
     "values.csv:9:1: error: friction: '1deg' has the unit of an angle where none is allowed\n"
     "values.csv:9:7: error: quotes are not supported in tables, leave them out"},
    {"options of a table", "model: compliant\naxes: [{table: options.csv, name: case}]\n",
     "options.csv:3:1: error: unknown option 'rodd' of 'body' (did you mean 'rod'?)"},
    {"ranges of a table",
     PENDULUM "axes: [{table: ranges.csv, name: case}]\nfixed: {stiffness_ratio: -1}\n",
     "ranges.csv:3:3: error: 'friction' is -1, outside its range [0, inf)\n"
     "ranges.csv:4:8: error: 'angle' is 1.570796 rad (90 deg), outside its range (0, 1.570796) rad "
     "= (0, 90) deg\n"
     "4:26: 'stiffness_ratio' is -1, outside its range (0, inf)"},
    {"binary table", PENDULUM "axes: [{table: binary.csv, name: case}]\n",
     "binary.csv:2:3: error: byte 0x02 is not text, UTF-8 text is expected"},

    /* searches */
    {"a search that is a list", PENDULUM NO_ANGLE "search: []\n",
     "4:9: 'search' must be a mapping, not a list"},
    {"decimal commas",
     "model: compliant\nchoose:\n  body: pendulum\nfixed:\n  angle: 0,5\n  friction: 1,21\n  "
     "stiffness_ratio: 1,\naxes: []\n",
     "5:10: angle: '0,5' is not a number: write a decimal point, not a comma\n"
     "6:13: friction: '1,21' is not a number: write a decimal point, not a comma\n"
     "7:20: stiffness_ratio: '1,' is not a number"},
    {"decimal commas in braces",
     PENDULUM "fixed: {friction: 1,21, stiffness_ratio: 1.21}\naxes: [{param: angle, from: 0,1, "
              "to: 1, points: 3}]\n",
     "3:21: '21' is a number where a name is expected; decimals have a point: 1.21, not 1,21\n"
     "4:31: '1' is a number where a name is expected; decimals have a point: 1.21, not 1,21"},
    {"a search without anything", PENDULUM NO_ANGLE "search: {}\n",
     "4:9: missing key 'find' in 'search', allowed: <searches>"},
    {"a search without its keys", PENDULUM NO_ANGLE "search: {find: boundary}\n",
     "4:9: missing key 'over' for find: boundary\n"
     "4:9: missing key 'of' for find: boundary\n"
     "4:9: missing key 'in' for find: boundary"},
    {"an unknown search",
     PENDULUM NO_ANGLE
     "search: {over: {param: angle, from: 1 deg, to: 80 deg}, find: maximal, of: duration}\n",
     "4:63: unknown search 'maximal' (did you mean 'maximum'?)"},
    {"an empty range of an unknown parameter",
     PENDULUM "fixed: {stiffness_ratio: 1}\nsearch: {over: {param: angel, from: 3, to: 1}, find: "
              "boundary, of: mode, in: wedge}\n",
     "4:24: unknown parameter 'angel' (did you mean 'angle'?)\n"
     "4:44: the range of 'angel' is empty, from must be less than to"},
    {"an unknown search, and all else that is wrong with it",
     PENDULUM NO_ANGLE
     "search: {over: {param: angle, from: 80 deg, to: 1 deg, samples: 1}, find: boundary of,\n  "
     "of: mode, in: [wegde], tolerance: 3, max_roots: 900}\noutputs: [root, mode_above]\n",
     "4:49: the range of 'angle' is empty, from must be less than to\n"
     "4:65: samples is 1, allowed are 2 to 65536\n"
     "4:75: unknown search 'boundary of' (did you mean 'boundary'?)\n"
     "5:18: unknown mode 'wegde' (did you mean 'wedge'?)\n"
     "5:37: tolerance is 3, it must be a part of the range: above 0 and below 1, or limit\n"
     "5:51: max_roots is 900, allowed are 1 to 64"},
    {"an unknown search, and what is wrong elsewhere",
     "model: compliant\nchoose: {body: pendulum, law: linear}\naxes: [{param: stiffness_ratio, "
     "values: [-1]}]\nfixed: {yield_speed: -1}\nsearch: {over: {param: angle, from: 1 deg, to: 80 "
     "deg}, find: maximal, of: duration}\n",
     "3:42: 'stiffness_ratio' is -1, outside its range (0, inf)\n"
     "4:22: 'yield_speed' is -1 m/s, outside its range (0, inf) m/s\n"
     "5:63: unknown search 'maximal' (did you mean 'maximum'?)"},
    {"a search for nothing, over too much",
     PENDULUM NO_ANGLE "search: {over: [{param: angle, from: 1 deg, to: 80 deg}, {}, {}], of: "
                       "sequence, value: 1,5}\n",
     "4:9: missing key 'find' in 'search', allowed: <searches>\n"
     "4:16: 'over' has 3 parameters, a search takes one or two\n"
     "4:90: '5' is a number where a name is expected; decimals have a point: 1.21, not 1,21"},
    {"an unknown key of a search",
     PENDULUM NO_ANGLE "search: {over: {param: angle, from: 1 deg, to: 80 deg}, find: maximum, of: "
                       "duration, tolerence: 1}\n",
     "4:86: unknown key 'tolerence' in 'search' (did you mean 'tolerance'?)"},
    {"a search over a swept parameter",
     PENDULUM "fixed: {stiffness_ratio: 1}\naxes: [{param: friction, values: [1]}]\nsearch: {over: "
              "{param: friction, from: 0, to: 1}, find: maximum, of: duration}\n",
     "3:8: missing parameter 'angle' (range (0, 1.570796) rad = (0, 90) deg, no default)\n"
     "4:16: 'friction' is searched over, it cannot be fixed or swept as well"},
    {"a search over a fixed parameter",
     PENDULUM NO_ANGLE
     "axes: []\nsearch: {over: {param: friction, from: 0, to: 1}, find: maximum, of: duration}\n",
     "3:8: missing parameter 'angle' (range (0, 1.570796) rad = (0, 90) deg, no default)\n"
     "3:9: 'friction' is searched over, it cannot be fixed or swept as well"},
    {"the stand-in of a searched parameter",
     PENDULUM "fixed: {friction: 1, angle: 1, poisson_ratio: 0.3}\nsearch: {over: {param: "
              "stiffness_ratio, from: 1, to: 2}, find: maximum, of: duration}\n",
     "3:32: 'poisson_ratio' is searched over, it cannot be fixed or swept as well"},
    {"a search over a choice",
     PENDULUM NO_ANGLE
     "search: {over: {param: body, from: 0, to: 1}, find: maximum, of: duration}\n",
     "4:24: 'body' is a choice, a search goes over a parameter"},
    {"a search over an unknown parameter",
     PENDULUM NO_ANGLE
     "search: {over: {param: angel, from: 0, to: 1}, find: maximum, of: duration}\n",
     "4:24: unknown parameter 'angel' (did you mean 'angle'?)"},
    {"a search over a parameter that does not apply",
     PENDULUM "fixed: {friction: 0.3, stiffness_ratio: 1.21, angle: 1}\nsearch: {over: {param: "
              "b11, from: 1, to: 2}, find: maximum, of: duration}\n",
     "4:24: 'b11' is searched over, but does not apply in every cell"},
    {"an empty range",
     PENDULUM NO_ANGLE
     "search: {over: {param: angle, from: 2 deg, to: 2 deg}, find: maximum, of: duration}\n",
     "4:48: the range of 'angle' is empty, from must be less than to"},
    {"a range beyond the parameter's",
     PENDULUM NO_ANGLE
     "search: {over: {param: angle, from: -2 deg, to: 95 deg}, find: maximum, of: duration}\n",
     "4:37: 'angle' is -0.03490659 rad (-2 deg), outside its range (0, 1.570796) rad = (0, 90) "
     "deg\n"
     "4:49: 'angle' is 1.658063 rad (95 deg), outside its range (0, 1.570796) rad = (0, 90) deg"},
    {"too few samples",
     PENDULUM NO_ANGLE "search: {over: {param: angle, from: 1 deg, to: 80 deg, samples: 1, "
                       "spacing: lag}, find: maximum, of: duration}\n",
     "4:65: samples is 1, allowed are 2 to 65536\n"
     "4:77: unknown spacing 'lag' (did you mean 'log'?)"},
    {"logarithms of nothing",
     ROD "fixed: {friction: 0.3, stiffness_ratio: 1.21, angle: 1}\nsearch: {over: {param: "
         "velocity_ratio, from: -1, to: 1, spacing: log}, find: maximum, of: duration}\n",
     "4:66: spacing log needs from and to above 0"},
    {"two parameters for a boundary",
     PENDULUM NO_ANGLE "search: {over: [{param: angle, from: 1deg, to: 2deg}, {param: mass, from: "
                       "1, to: 2}], find: boundary, of: mode, in: wedge}\n",
     "4:16: 'over' has 2 parameters, find: boundary takes one"},
    {"one parameter twice",
     PENDULUM NO_ANGLE "search: {over: [{param: angle, from: 1deg, to: 2deg}, {param: angle, from: "
                       "1, to: 1.5}], find: minimum, of: duration}\n",
     "4:63: 'angle' is searched over twice"},
    {"a junction over one parameter",
     PENDULUM NO_ANGLE
     "search: {over: {param: angle, from: 1 deg, to: 80 deg}, find: junction, of: mode}\n",
     "4:16: 'over' has 1 parameter, find: junction takes two"},
    {"a junction over a list of one",
     PENDULUM NO_ANGLE
     "search: {over: [{param: angle, from: 1 deg, to: 80 deg}], find: junction, of: mode}\n",
     "4:16: 'over' has 1 parameter, find: junction takes two"},
    {"a junction over one parameter twice",
     PENDULUM NO_ANGLE "search: {over: [{param: angle, from: 1deg, to: 2deg}, {param: angle, from: "
                       "1, to: 1.5}], find: junction, of: mode}\n",
     "4:63: 'angle' is searched over twice"},
    {"a junction of a real output, and of one that there is not",
     PENDULUM NO_ANGLE "search: {over: [{param: angle, from: 1deg, to: 2deg}, {param: friction, "
                       "from: 0.1, to: 1.5, samples: 2000}], find: junction, of: duration}\n",
     "4:102: samples is 2000, allowed are 2 to 1024\n"
     "4:130: 'duration' is a real output; find: junction needs a category, a sequence or a count"},
    {"a junction of an unknown output with keys of other searches",
     PENDULUM NO_ANGLE "search: {over: [{param: angle, from: 1deg, to: 2deg}, {param: friction, "
                       "from: 0.1, to: 1.5}], find: junction, of: mod, in: wedge, value: 2}\n",
     "4:115: unknown output 'mod' (did you mean 'mode'?)\n"
     "4:120: 'in' does not go with find: junction\n"
     "4:131: 'value' does not go with find: junction"},
    {"a turning point over one parameter, and its tolerance",
     PENDULUM NO_ANGLE "search: {over: {param: angle, from: 1 deg, to: 80 deg}, find: turning, of: "
                       "mode, tolerance: 2}\n",
     "4:16: 'over' has 1 parameter, find: turning takes two\n"
     "4:93: tolerance is 2, it must be a part of the range: above 0 and below 1, or limit"},
    {"a turning point of a real output without a level",
     PENDULUM NO_ANGLE "search: {over: [{param: angle, from: 1deg, to: 2deg}, {param: friction, "
                       "from: 0.1, to: 1.5}], find: turning, of: duration}\n",
     "4:9: missing key 'value', the level of 'duration' that turns"},
    {"a turning point of a real output with a set",
     PENDULUM NO_ANGLE "search: {over: [{param: angle, from: 1deg, to: 2deg}, {param: friction, "
                       "from: 0.1, to: 1.5}], find: turning, of: duration, in: wedge, value: x}\n",
     "4:124: 'in' does not go with 'duration', a real output: it has a level, 'value'\n"
     "4:142: value: 'x' is not a number with an optional unit"},
    {"a turning point of a mode that there is not",
     PENDULUM NO_ANGLE "search: {over: [{param: angle, from: 1deg, to: 2deg}, {param: friction, "
                       "from: 0.1, to: 1.5}], find: turning, of: mode, in: [wegde]}\n",
     "4:125: unknown mode 'wegde' (did you mean 'wedge'?)"},
    {"a category that does not exist",
     PENDULUM NO_ANGLE "search: {over: {param: angle, from: 1 deg, to: 80 deg}, find: boundary, "
                       "of: mode, in: [wedge, stuck]}\n",
     "4:95: unknown mode 'stuck', allowed: gross_stick, stick_slip, slip_stick_slip_reversed, "
     "slip_stick_slip_same, gross_slip, stick_slip_stick_slip, multiple, wedge"},
    {"an empty set",
     PENDULUM NO_ANGLE
     "search: {over: {param: angle, from: 1 deg, to: 80 deg}, find: boundary, of: mode, in: []}\n",
     "4:87: 'in' is empty, list at least one value"},
    {"a target of a category that is no mode",
     PENDULUM NO_ANGLE
     "search: {over: {param: angle, from: 1 deg, to: 80 deg}, find: target, of: mode, value: 1}\n",
     "4:88: unknown mode '1', allowed: gross_stick, stick_slip, slip_stick_slip_reversed, "
     "slip_stick_slip_same, gross_slip, stick_slip_stick_slip, multiple, wedge"},
    {"a set of sequences with a phase that there is not",
     PENDULUM NO_ANGLE "search: {over: {param: angle, from: 1 deg, to: 80 deg}, find: boundary, "
                       "of: sequence, in: [slip- stick, slip stick]}\n",
     "4:105: 'slip stick' is not a sequence, such as 'slip- stick slip+': phases are stick, slip-, "
     "slip+, partial-, partial+"},
    {"the largest sequence",
     PENDULUM NO_ANGLE
     "search: {over: {param: angle, from: 1 deg, to: 80 deg}, find: maximum, of: sequence}\n",
     "4:76: 'sequence' is a sequence; find: maximum needs a real output"},
    {"a boundary of a real output",
     PENDULUM NO_ANGLE "search: {over: {param: angle, from: 1 deg, to: 80 deg}, find: boundary, "
                       "of: duration, in: [wedge]}\n",
     "4:77: 'duration' is a real output; find: boundary needs a category, a sequence or a count"},
    {"an unknown output of a search",
     PENDULUM NO_ANGLE
     "search: {over: {param: angle, from: 1 deg, to: 80 deg}, find: maximum, of: durations}\n",
     "4:76: unknown output 'durations' (did you mean 'duration'?)"},
    {"keys of another search",
     PENDULUM NO_ANGLE "search: {over: {param: angle, from: 1 deg, to: 80 deg}, find: maximum, of: "
                       "duration, in: [wedge], value: 2, max_roots: 3}\n",
     "4:86: 'in' does not go with find: maximum\n"
     "4:99: 'value' does not go with find: maximum\n"
     "4:109: 'max_roots' does not go with find: maximum"},
    {"a tolerance of 0",
     PENDULUM NO_ANGLE "search: {over: {param: angle, from: 1 deg, to: 80 deg}, find: maximum, of: "
                       "duration, tolerance: 0}\n",
     "4:97: tolerance is 0, it must be a part of the range: above 0 and below 1, or limit"},
    {"a tolerance below 0",
     PENDULUM NO_ANGLE "search: {over: {param: angle, from: 1 deg, to: 80 deg}, find: target, of: "
                       "duration, value: x, tolerance: -1e-9, max_roots: 65}\n",
     "4:92: value: 'x' is not a number with an optional unit\n"
     "4:106: tolerance is -1e-9, it must be a part of the range: above 0 and below 1, or limit\n"
     "4:124: max_roots is 65, allowed are 1 to 64"},
    {"an output that not every cell has",
     "model: compliant\naxes: [{param: body, values: [pendulum, rod]}]\nfixed: {friction: 0.3, "
     "stiffness_ratio: 1.21, velocity_ratio: 1}\nsearch: {over: {param: angle, from: 1 deg, to: 80 "
     "deg}, find: target, of: body_energy_loss, value: 1}\n",
     "4:75: the search needs the output 'body_energy_loss', which not every cell of this sweep "
     "has"},
    {"a name that a search takes",
     PENDULUM
     "fixed: {stiffness_ratio: 1}\naxes: [{table: friction.csv, name: root_number}]\nsearch: "
     "{over: {param: angle, from: 1 deg, to: 80 deg}, find: boundary, of: mode, in: wedge}\n",
     "4:36: name: 'root_number' is taken, the dimension needs a name of its own"},

    /* the figure */
    {"a figure that is a word", FIGURE "lines\n",
     "6:9: 'figure' must be a mapping, not a single value"},
    {"a figure that is wrong in every way",
     FIGURE "{as: lins, x: frction, field: [mode, duration, mode], curves: angle, font_size: -1,\n "
            " slice: {friction: 2}, limits: {friction: [1, 0]}, one_scale: maybe, cmap: virids,\n  "
            "sizes: one, label: {mode: }, log: mode}\n",
     "6:14: unknown kind of figure 'lins' (did you mean 'lines'?)\n"
     "6:23: unknown axis or output 'frction' in the figure (did you mean 'friction'?)\n"
     "6:46: the output 'duration' is not stored; add it to 'outputs'\n"
     "6:56: 'mode' is named twice under 'field'\n"
     "6:71: 'angle' is on no axis of this sweep\n"
     "6:89: font_size: '-1' is not above 0\n"
     "7:21: friction: 2 is outside the axis, which runs from 0 to 1\n"
     "7:44: friction: the lower limit is not below the upper one\n"
     "7:64: unknown one_scale 'maybe', allowed: true, false\n"
     "7:77: unknown cmap 'virids' (did you mean 'viridis'?)\n"
     "8:3: unknown key 'sizes' in the figure (did you mean 'size'?)\n"
     "8:29: the value of 'label' is missing"},
    {"a name in the figure that is nearly that of an axis which is wrong itself",
     "model: compliant\nchoose: {body: pendulum}\naxes:\n  - {param: friction, from: 0, to: 1, "
     "points: x}\n  - {param: angle, from: 1 deg, to: 80 deg, points: 3}\nfixed: {stiffness_ratio: "
     "1.21}\nfigure: {as: lines, x: frictoin}\n",
     "4:47: points: 'x' is not a whole number written in digits alone\n"
     "7:24: unknown axis or output 'frictoin' in the figure (did you mean 'friction'?)"},
    {"a name in the figure that is nearly that of an axis whose name is wrong too",
     "model: compliant\nchoose: {body: pendulum}\naxes:\n  - {param: friciton, from: 0, to: 1, "
     "points: 3}\n  - {param: angle, from: 1 deg, to: 80 deg, points: 3}\nfixed: {stiffness_ratio: "
     "1.21}\nfigure: {as: lines, x: frictoin}\n",
     "4:13: unknown parameter or choice 'friciton' (did you mean 'friction'?)\n"
     "7:24: unknown axis or output 'frictoin' in the figure (did you mean 'friction'?)"},
    {"keys that do not go with the kind of figure",
     FIGURE "{as: map, curves: friction, psi: true, each: true}\n",
     "6:19: 'curves' does not go with the figure 'map'; it goes with: lines\n"
     "6:37: 'psi' does not go with the figure 'map'; it goes with: lines table\n"
     "6:48: 'each' does not go with the figure 'map'; it goes with: lines"},
    {"differences and ratios at once",
     FIGURE "{as: map, minus: {friction: 0.2}, ratio_to: {friction: 0.2}}\n",
     "6:43: 'ratio_to' does not go with 'minus'; leave out one of them"},
    {"a figure of a table",
     "model: compliant\n# a pendulum and a rod\nfixed: {stiffness_ratio: 1, velocity_ratio: "
     "1}\naxes: [{table: good/cases.csv, name: case}]\nfigure: {x: friction, slice: {case: 3, "
     "body: rod}}\n",
     "5:13: 'friction' is a column of the axis 'case'; name the axis\n"
     "5:37: case: '3' is not a number from 0 to 2\n"
     "5:40: 'body' is a column of the axis 'case'; name the axis"},
    {"columns in the figure of a table",
     "model: compliant\n# a pendulum and a rod\nfixed: {stiffness_ratio: 1, velocity_ratio: "
     "1}\naxes: [{table: good/cases.csv, name: case}]\nfigure: {as: table, key: [friction, "
     "fricton], label: {friction: f}, unit: {friction: '%', mass: g}}\n",
     "5:37: unknown axis 'fricton' in the figure (did you mean 'friction'?)\n"
     "5:91: 'mass' is on no axis of this sweep"},
    {"the unit of a line", FIGURE "{as: lines, x: friction, unit: {energy_loss: '%'}}\n",
     "6:34: 'unit' does not go with the figure 'lines'; it goes with: table"},

    /* --set */

    /* refine */
    {"refine with only one range",
     REFINED
     "{depth: 9}\naxes: [{param: angle, values: [1]}, {param: friction, from: 0.1, to: 1}]\n",
     "5:7: refine needs two to four axes that are ranges without points, here is 1"},
    {"refine of a range with points",
     REFINED "{depth: 9}\naxes: [{param: angle, from: 0.1, to: 1, points: 5}, {param: friction, "
             "from: 0.1, to: 1}]\n",
     "5:7: refine needs two to four axes that are ranges without points, here is 1"},
    {"refine of an empty range",
     REFINED "{depth: 9}\naxes: [{param: angle, from: 0.1, to: 0.1}, {param: friction, from: 0, "
             "to: 1, spacing: log}]\n",
     "5:38: from and to are equal, a range to refine needs two different ends\n"
     "5:87: spacing log needs from and to of the same sign and not 0"},
    {"refine without a goal", REFINED "{base: 64}\n" RANGES,
     "4:9: missing key 'depth' or 'boundary' in 'refine'"},
    {"refine by a list", REFINED "[12]\n" RANGES, "4:9: 'refine' must be a mapping, not a list"},
    {"refine with wrong numbers",
     REFINED "{base: 65, depth: 4, boundary: 0.5, budget: 0, audit: 1.5}\n" RANGES,
     "4:16: base is 65, with 2 refined axes a power of 2 from 2 to 4096 is expected\n"
     "4:27: depth is 4, allowed are 6 (base is 2^6) to 20\n"
     "4:40: boundary is 0.5, with 2 refined axes it must be from 4.66e-10 to 1/base = 0.015625\n"
     "4:53: budget is 0, a whole number from 1 to 4000000000 is expected\n"
     "4:63: audit is 1.5, a whole number from 0 to 100000000 is expected"},
    {"a budget below the points of the base", REFINED "{depth: 8, budget: 1000}\n" RANGES,
     "4:28: budget is 1000, less than the 4225 points of the base, 65 along each of 2 axes"},
    {"more points of the base than the default budget", REFINED "{base: 4096, depth: 12}\n" RANGES,
     "4:16: budget is 10000000, less than the 16785409 points of the base, 4097 along each of 2 "
     "axes"},
    {"a budget below the points of a base that is none",
     REFINED "{base: 48, depth: 8, budget: 1000}\n" RANGES,
     "4:16: base is 48, with 2 refined axes a power of 2 from 2 to 4096 is expected"},
    {"refine with other words",
     REFINED "{base: x, dept: 9, boundary: -1, on: [], budget: many}\n" RANGES,
     "4:16: base: 'x' is not a number\n"
     "4:19: unknown key 'dept' in 'refine' (did you mean 'depth'?)\n"
     "4:38: boundary is -1, it must be a part of the range: above 0 and below 1\n"
     "4:46: 'on' is empty, list at least one output (or leave the key out for the mode)\n"
     "4:58: budget: 'many' is not a number"},
    {"refine with wrong rules",
     REFINED "{depth: 9, on: [mode, energy_loss, mode, {output: mode, level: 3}, {output: "
             "energy_loss, level: 1, jump: 1}, {output: duration}, {level: 1}, {output: duration, "
             "jump: -1}, mod]}\n" RANGES,
     "4:31: 'energy_loss' is a real output, it needs a level or a jump: {output: energy_loss, "
     "level: NUMBER} or {output: energy_loss, jump: NUMBER}\n"
     "4:44: this rule is listed twice in 'on'\n"
     "4:59: 'mode' has no level, list its name alone\n"
     "4:76: 'level' and 'jump' are two rules, list them one by one\n"
     "4:118: missing key 'level' or 'jump' in 'on'\n"
     "4:138: missing key 'output' in 'on'\n"
     "4:175: jump is -1, it must be above 0\n"
     "4:180: unknown output 'mod' (did you mean 'mode'?)"},
    {"refine on an output that is not stored",
     REFINED "{depth: 9}\noutputs: [energy_loss]\n" RANGES,
     "4:9: refine uses the output 'mode', which 'outputs' does not list; add it"},
    {"refine in steps that no double has",
     REFINED "{depth: 9, boundary: 1e-9}\naxes: [{param: angle, from: 0.1, to: 1}, {param: "
             "friction, from: 1, to: 1.0000001}]\n",
     "5:66: the smallest steps of 'friction' are too small to differ in a double; take a smaller "
     "depth or a larger boundary"},

    /* cases */
    {"a tolerance of events that there cannot be", REFINED "{depth: 7, tolerance: 1e-6}\n" RANGES,
     "4:31: tolerance is that of events, which need an axis beside the refined ones: a range with "
     "points or a list of numbers"},
    {"a tolerance of events above 1", REFINED "{depth: 7, tolerance: 2}\n" RANGES,
     "4:31: tolerance is 2, it must be a part of the range: above 0 and below 1"},
    {"no cases", "axes: [{cases: {}}]\n", "1:16: 'cases' is empty, list at least one"},
    {"cases that are a list", "axes: [{cases: [a]}]\n",
     "1:16: 'cases' must be a mapping, not a list"},
    {"a case that is a word", "axes: [{cases: {a: compliant}}]\n",
     "1:20: a case must be a mapping, not a single value"},
    {"two cases of one name", CASES("a: {model: compliant, body: rod}", "a: {model: continuum}"),
     "4:7: two cases are called 'a'"},
    {"a name of a case",
     CASES("'a b': {model: compliant}", "c: {model: rigid, body: rod, law: newton}"),
     "3:7: 'a b' is no name of a case: a word of letters, digits and _ (at most 63)"},
    {"a case without a model", CASES("a: {law: linear}", "b: {model: compliant, body: rod}"),
     "3:7: missing key 'model' in the case 'a', the name of a theory"},
    {"a case with an unknown model",
     CASES("a: {model: complaint}", "b: {model: compliant, body: rod}"),
     "3:18: unknown theory 'complaint' (did you mean 'compliant'?)"},
    {"cases beside a model", "model: compliant\n" BOTH REST_OF,
     "1:1: 'model' does not go with cases, each of which has its own"},
    {"theories that do not fit",
     CASES("a: {model: compliant, body: rod}", "b: {model: swerve, body: sphere3d, law: newton}"),
     "4:7: the case 'b': swerve does not go with compliant of the case 'a', in which the same "
     "names mean other things"},
    {"a choice that no case has and a missing one",
     CASES("a: {model: compliant}", "b: {model: compliant, body: rod}") "choose: {bdy: rod}\n",
     "3:7: missing choice 'body' of the case 'a', allowed: <bodies>\n"
     "5:10: unknown choice 'bdy', which no case has (did you mean 'body'?)"},
    {"a parameter under choose", BOTH "choose: {friction: 1}\n" REST_OF,
     "5:10: 'friction' is a parameter, write it under 'fixed'"},
    {"an option that a case does not know",
     CASES("a: {model: compliant, body: pendulum}",
           "b: {model: rigid, body: pendulum, restitution: 1}") "choose: {law: linear}\n" REST_OF,
     "5:15: unknown option 'linear' of 'law' (theories that take it: <theories with linear>), "
     "allowed: newton, poisson, energetic, compromise, impulse_ratio"},
    {"an unknown option, parameters that do not apply or are wrong",
     CASES("a: {model: compliant, body: rod, law: hrtz, dampin: 1}",
           "b: {model: compliant, body: rod, damping: 1, friction: -1, velocity_ratio: 1x}"),
     "3:45: unknown option 'hrtz' of 'law' (did you mean 'hertz'?)\n"
     "3:51: unknown parameter or choice 'dampin' (did you mean 'damping'?)\n"
     "4:40: 'damping' does not apply to the case 'b', which is compliant body=rod law=linear "
     "friction=-1\n"
     "4:62: 'friction' is -1, outside its range [0, inf)\n"
     "4:82: velocity_ratio: '1x' is not a number"},
    {"two parameters for one value in a case",
     CASES("a: {model: compliant, body: pendulum, stiffness_ratio: 1, poisson_ratio: 0.3}",
           "b: {model: compliant, body: pendulum}") REST_OF,
     "3:7: 'poisson_ratio' and 'stiffness_ratio' set the same value, give one of them in the case "
     "'a'"},
    {"formulas in a case",
     CASES("a: {model: compliant, body: pendulum, stiffness_ratio: =frction + 1, mass: {equals: "
           "mass}}",
           "b: {model: compliant, body: pendulum, mass: {equal: 1}, length: =1/0}") REST_OF,
     "3:63: unknown parameter 'frction' in the formula of 'stiffness_ratio' (did you mean "
     "'friction'?)\n"
     "3:91: 'mass' follows itself\n"
     "4:52: unknown key 'equal' in a fixed parameter (did you mean 'equals'?)"},
    {"a formula in a case without a finite value",
     CASES("a: {model: compliant, body: pendulum, stiffness_ratio: =1/0}",
           "b: {model: compliant, body: pendulum}") REST_OF,
     "3:63: the formula of 'stiffness_ratio' has no finite value"},
    {"a formula in a case that reads what nothing gives",
     CASES("a: {model: compliant, body: pendulum, mass: =stiffness_ratio}",
           "b: {model: compliant, body: pendulum}") "fixed: {angle: 1, friction: 1, poisson_ratio: "
                                                    "0.3}\n",
     "5:8: in the case 'a' 'mass' follows 'stiffness_ratio', which has no value in this sweep"},
    {"an axis that only one case knows",
     BOTH "  - {param: stiffness_ratio, values: [1, 2]}\nfixed: {angle: 1, friction: 1}\n",
     "5:13: 'stiffness_ratio' is on an axis, and the case rigid fixes or does not know it; an axis "
     "belongs to every case, what only some know stands under 'fixed' or in a case"},
    {"an axis that a case fixes",
     CASES("a: {model: compliant, body: pendulum, stiffness_ratio: 1}",
           "b: {model: compliant, body: pendulum, stiffness_ratio: 1, friction: 1}") "  - {param: "
                                                                                     "friction, "
                                                                                     "values: [1, "
                                                                                     "2]}\nfixed: "
                                                                                     "{angle: 1}\n",
     "5:13: 'friction' is on an axis, and the case b fixes or does not know it; an axis belongs to "
     "every case, what only some know stands under 'fixed' or in a case"},
    {"a name that no case knows",
     BOTH "fixed: {angle: 1, friction: 1, stiffness_ratio: 1, l1: 1}\n",
     "5:52: unknown parameter 'l1', allowed: friction, stiffness_ratio, poisson_ratio, "
     "normal_speed, angle, mass, length, radius, normal_stiffness, restitution, yield_speed"},
    {"defaults that differ",
     CASES("a: {model: compliant, body: pendulum}",
           "b: {model: rigid, body: pendulum, law: newton}") REST_OF,
     "5:8: missing parameter 'restitution' (range (0, 1] or [0, 1]), or 'yield_speed' in its place "
     "(range (0, inf) m/s): its default is 1 for case=a, none for case=b; give one value under "
     "'fixed', or several in the cases or on an axis"},
    {"defaults that differ between the options of an axis",
     "model: compliant\naxes: [{param: body, values: [pendulum, two_laminae, sphere, "
     "lamina]}]\nfixed: {friction: 1, angle: 1, stiffness_ratio: 1, velocity_ratio: 1, offset_t: "
     "1, offset_n: 1,\n  mass_2: 1, gyration_radius_2: 1, offset_t_2: 1, offset_n_2: 1}\n",
     "3:8: missing parameter 'mass' (range (0, inf) kg): its default is 1 kg for body=sphere and "
     "body=pendulum and body=lamina, none for body=two_laminae; give one value under 'fixed', or "
     "several on an axis\n"
     "3:8: missing parameter 'radius' (range (0, inf) m or [0, inf) m): its default is 1 m for "
     "body=sphere, 0 m for body=pendulum; give one value under 'fixed', or several on an axis"},
    {"defaults that differ with the case and the option",
     "axes:\n- {param: body, values: [pendulum, capsule]}\n- cases: {a: {model: compliant}, b: "
     "{model: rigid, law: newton, radius: 2}}\nfixed: {friction: 1, angle: 1, stiffness_ratio: 1, "
     "restitution: 1, slenderness: 1}\n",
     "4:8: missing parameter 'radius' (range [0, inf) m or (0, inf) m): its default is 0 m for "
     "body=pendulum, 1 m for body=capsule; give one value under 'fixed', or several in the cases "
     "or on an axis\n"
     "4:8: missing parameter 'velocity_ratio' (range (-inf, inf), no default)"},
    {"units that differ",
     CASES("a: {model: compliant, body: pendulum}",
           "b: {model: continuum, body: pendulum}") "fixed: {angle: 1, friction: 1, "
                                                    "stiffness_ratio: 1, normal_stiffness: 3}\n",
     "5:52: 'normal_stiffness' has the unit N/m in the case 'a' and N/m^1.5 in 'b', give its value "
     "in each case"},
    {"a choice on an axis that a case makes itself",
     BOTH "  - {param: law, values: [linear, hertz]}\n" REST_OF,
     "5:13: 'law' is on an axis, and the case rigid makes this choice itself; an axis belongs to "
     "every case"},
    {"an option that no case knows, on an axis of all",
     CASES("a: {model: compliant, law: linear}",
           "b: {model: rigid, law: newton}") "  - {param: body, values: [rod, pendulm]}\nfixed: "
                                             "{angle: 1, friction: 1, restitution: 1, "
                                             "stiffness_ratio: 1, velocity_ratio: 1}\n",
     "5:33: unknown option 'pendulm' of 'body' (did you mean 'pendulum'?)"},
    {"a choice on an axis that a case does not know",
     CASES("a: {model: compliant, body: pendulum}",
           "b: {model: continuum, body: pendulum}") "  - {param: law, values: [linear, "
                                                    "hertz]}\n" REST_OF,
     "5:13: 'law' is on an axis, and the case b does not know this choice; an axis belongs to "
     "every case"},
    {"an option on an axis that a case does not know",
     CASES("a: {model: compliant, body: pendulum}",
           "b: {model: rigid, body: pendulum, restitution: 1}") "  - {param: law, values: "
                                                                "[hertz]}\n" REST_OF,
     "5:27: unknown option 'hertz' of 'law' (theories that take it: compliant), allowed: newton, "
     "poisson, energetic, compromise, impulse_ratio"},
    {"a choice on an axis and under choose",
     CASES(
         "a: {model: compliant}",
         "b: {model: continuum}") "  - {param: body, values: [rod]}\nchoose: {body: rod}\n" REST_OF,
     "5:13: 'body' is both chosen and on an axis"},
    {"too many cases with options",
     CASES("a: {model: compliant}",
           "b: {model: continuum}") "  - {param: body, values: [rod, pendulum, general, matrix, "
                                    "lamina]}\n  - {param: law, values: [linear, hertz, coupled, "
                                    "hysteretic]}\n" REST_OF,
     "6:13: too many cases with all options of 'law', at most 32 are allowed"},
    {"two axes of cases", BOTH "  - cases: {a: {model: rigid}}\n" REST_OF,
     "5:12: 'case' is on an axis already"},
    {"a key that does not go with cases",
     "axes:\n  - {cases: {a: {model: compliant, body: pendulum}}, name: b}\n" REST_OF,
     "2:54: 'name' does not go with 'cases'"},

    /* together, what is wrong on its own: where a choice, the search or an axis is unknown too */
    {"axes and values beside a case with a misspelt option",
     CASES("a: {model: compliant, body: rod, law: hrtz}",
           "b: {model: compliant, body: rod, angle: 1}") "  - {param: stiffness_ratio, values: "
                                                         "[]}\nfixed: {friction: yes, frction: 1, "
                                                         "velocity_ratio: [1]}\n",
     "3:45: unknown option 'hrtz' of 'law' (did you mean 'hertz'?)\n"
     "5:38: 'values' is empty, an axis has at least 1 value\n"
     "6:19: friction: 'yes' is not a number\n"
     "6:24: unknown parameter 'frction' (did you mean 'friction'?)\n"
     "6:52: 'velocity_ratio' must be a single value, not a list"},
    {"units and ranges beside a case with a misspelt option, which may have others",
     CASES("a: {model: compliant, body: rod, law: hetz}",
           "b: {model: compliant, body: rod, law: linear}") "fixed: {normal_stiffness: 1 N/m^1.5, "
                                                            "friction: -1, velocity_ratio: 1x}\n",
     "3:45: unknown option 'hetz' of 'law' (did you mean 'hertz'?)\n"
     "5:68: velocity_ratio: '1x' is not a number"},
    {"all keys beside a case of an unknown theory",
     CASES(
         "a: {model: complaint}",
         "b: {model: rigid, law: newton}") "  - {param: body, values: [rod, pendulm]}\n  - {param: "
                                           "newness, values: []}\nfixed: {friction: yes, oldness: "
                                           "[1]}\noutputs: [age, age, []]\nprecision: half\n",
     "3:18: unknown theory 'complaint' (did you mean 'compliant'?)\n"
     "5:33: unknown option 'pendulm' of 'body' (did you mean 'pendulum'?)\n"
     "6:30: 'values' is empty, an axis has at least 1 value\n"
     "7:19: friction: 'yes' is not a number\n"
     "7:33: 'oldness' must be a single value, not a list\n"
     "8:21: 'outputs' must be a single value, not a list\n"
     "9:12: unknown precision 'half', allowed: float32, float64"},
    {"all keys beside theories that do not fit",
     CASES("a: {model: compliant, body: rod}",
           "b: {model: swerve, body: sphere3d, law: newton}") "  - {param: friction, from: 1, to: "
                                                              "0, points: 0}\nfixed: {mass: 1x}\n",
     "4:7: the case 'b': swerve does not go with compliant of the case 'a', in which the same "
     "names mean other things\n"
     "5:47: points is 0, an axis has at least 1\n"
     "6:15: mass: '1x' is not a number with an optional unit such as kg"},
    {"all keys beside an unknown model",
     "model: complaint\nvariables: {tilt: furlong}\naxes:\n  - {param: friction, values: []}\n  - "
     "{param: angle, from: 1, to: 2, points: 0, spacing: lg}\n  - {table: none.csv, name: "
     "case}\nfixed: {mass: [1], tilt: {equal: 1}}\nsearch: {find: boundry, over: {param: age, "
     "from: 1}, of: mode}\nfigure: {as: mp}\n",
     "1:8: unknown theory 'complaint' (did you mean 'compliant'?)\n"
     "2:19: 'furlong' is no SI unit for 'tilt', such as rad, m, kg, N/m, or 1 for a number; its "
     "values may have other units\n"
     "4:31: 'values' is empty, an axis has at least 1 value\n"
     "5:44: points is 0, an axis has at least 1\n"
     "5:56: unknown spacing 'lg' (did you mean 'log'?)\n"
     "6:13: cannot read the table 'none.csv': No such file or directory\n"
     "7:15: 'mass' must be a single value, not a list\n"
     "7:27: unknown key 'equal' in a fixed parameter (did you mean 'equals'?)\n"
     "8:16: unknown search 'boundry' (did you mean 'boundary'?)\n"
     "8:31: missing key 'to' in 'over'\n"
     "9:14: unknown kind of figure 'mp' (did you mean 'map'?)"},
    {"an unknown parameter with an empty list and a list of wrong values",
     PENDULUM NO_FRICTION
     "axes: [{param: frction, values: []}, {param: anglee, values: [1e999, [1]]}]\n",
     "4:16: unknown parameter or choice 'frction' (did you mean 'friction'?)\n"
     "4:33: 'values' is empty, an axis has at least 1 value\n"
     "4:46: unknown parameter or choice 'anglee' (did you mean 'angle'?)\n"
     "4:63: '1e999' is too large for a double\n"
     "4:70: 'values' must be a single value, not a list"},
    {"ends of a search beside a misspelt value and a missing choice",
     "model: rigid\nchoose: {law: newton}\nsearch: {find: boundary, over: {param: restitution, "
     "from: 0, to: 2}, of: mode, in: wegde}\n",
     "2:9: missing choice 'body', allowed: <bodies>\n"
     "3:66: 'restitution' is 2, outside its range [0, 1]\n"
     "3:84: unknown mode 'wegde' (did you mean 'wedge'?)"},
    {"ends of a search beside a missing choice",
     "model: rigid\nchoose: {law: newton}\nsearch: {find: minimum, over: {param: restitution, "
     "from: -1, to: 1}, of: energy_loss}\n",
     "2:9: missing choice 'body', allowed: <bodies>\n"
     "3:58: 'restitution' is -1, outside its range [0, 1]"},
    {"values beside a missing choice",
     "model: compliant\naxes:\n  - {param: friction, from: -3, to: 1, points: 5}\n  - {param: "
     "frictoin, from: 0, to: 1e400, points: 5}\nfixed: {stiffness_ratio: -1, contact_end: forse}\n",
     "1:1: missing choice 'body', allowed: <bodies>\n"
     "3:29: 'friction' is -3, outside its range [0, inf)\n"
     "4:13: unknown parameter or choice 'frictoin' (did you mean 'friction'?)\n"
     "4:36: '1e400' is too large for a double\n"
     "5:26: 'stiffness_ratio' is -1, outside its range (0, inf)\n"
     "5:43: contact_end is 'forse', force or elongation is expected"},
    {"values beside one that is unreadable",
     PENDULUM
     "axes:\n  - {param: friction, values: [0.1, -0.2, x, -.inf]}\n  - {param: stiffness_ratio, "
     "from: -1, to: 1e400, points: 3}\n  - {param: angle, from: 1 deg, to: 95 deg, points: few}\n",
     "4:37: 'friction' is -0.2, outside its range [0, inf)\n"
     "4:43: friction: 'x' is not a number\n"
     "4:46: friction: '-.inf' is not finite; its range is [0, inf)\n"
     "5:36: 'stiffness_ratio' is -1, outside its range (0, inf)\n"
     "5:44: stiffness_ratio: '1e400' is too large for a double; its range is (0, inf)\n"
     "6:37: 'angle' is 1.658063 rad (95 deg), outside its range [-1.570796, 1.570796] rad = [-90, "
     "90] deg or (0, 1.570796) rad = (0, 90) deg\n"
     "6:53: points: 'few' is not a whole number written in digits alone"},
    {"refine beside a wrong search",
     PENDULUM "search: {find: junktion}\nrefine: {base: 48, depth: -1, on: [mode, root_count, "
              "{output: duration}]}\n" RANGES "fixed: {stiffness_ratio: 1.21}\n",
     "3:16: unknown search 'junktion' (did you mean 'junction'?)\n"
     "4:16: base is 48, with 2 refined axes a power of 2 from 2 to 4096 is expected\n"
     "4:27: depth is -1, a whole number from 1 to 20 is expected\n"
     "4:54: missing key 'level' or 'jump' in 'on'"},
    {"base beside a lost axis",
     REFINED "{base: 3, depth: 4}\naxes: [{param: angle, from: 0.1, to: 1}, {param: friction, "
             "from: 0.1, too: 1}]\n",
     "4:16: base is 3, a power of 2 is expected\n"
     "5:71: unknown key 'too' in an axis (did you mean 'to'?)"},
};

static const struct bad_override {
    const char *name, *text, *expected, *override;
} bad_overrides[] = {
    {"override by the stand-in of a fixed parameter", PENDULUM REST,
     "--set poisson_ratio=0.3: error: 'poisson_ratio' and 'stiffness_ratio' set the same value, "
     "give one of them",
     "poisson_ratio=0.3"},
    {"a formula on the command line", PENDULUM REST,
     "--set friction==mas: error: unknown parameter 'mas' in the formula of 'friction' (did you "
     "mean 'mass'?)",
     "friction==mas"},
    {"variables on the command line", PENDULUM REST,
     "--set variables=tilt:rad: error: unknown parameter or choice 'variables', allowed: body, "
     "law, <parameters>",
     "variables=tilt:rad"},
    {"override without value", PENDULUM REST,
     "--set friction: error: 'friction' is not of the form key=value", "friction"},
    {"override of nothing", PENDULUM REST, "--set =1: error: '=1' is not of the form key=value",
     "=1"},
    {"override of an unknown key", PENDULUM REST,
     "--set frictoin=1: error: unknown parameter or choice 'frictoin' (did you mean 'friction'?)",
     "frictoin=1"},
    {"override of the model", PENDULUM REST,
     "--set outputs=mode: error: unknown parameter or choice 'outputs', allowed: body, "
     "law, " ALL_PARAMETERS,
     "outputs=mode"},
    {"bad override", PENDULUM REST,
     "--set friction=12abc: error: friction: '12abc' is not a number", "friction=12abc"},
    {"empty override", PENDULUM REST, "--set friction=: error: friction: '' is not a number",
     "friction="},
    {"override outside the range", PENDULUM REST,
     "--set angle=100deg: error: 'angle' is 1.745329 rad (100 deg), outside its range (0, "
     "1.570796) rad = (0, 90) deg",
     "angle=100deg"},
    {"override of a column",
     PENDULUM "fixed: {stiffness_ratio: 1}\naxes: [{table: ranges.csv, name: case}]\n",
     "--set friction=1: error: 'friction' is one of several columns of the axis 'case' and cannot "
     "be set\n"
     "ranges.csv:3:3: error: 'friction' is -1, outside its range [0, inf)\n"
     "ranges.csv:4:8: error: 'angle' is 1.570796 rad (90 deg), outside its range (0, 1.570796) rad "
     "= (0, 90) deg",
     "friction=1"},
    {"override of a swept parameter, outside its range",
     PENDULUM NO_FRICTION "axes: [{param: friction, values: [1]}]\n",
     "--set friction=-1: error: 'friction' is -1, outside its range [0, inf)", "friction=-1"},
    {"override by an incomplete range", PENDULUM NO_FRICTION AXIS,
     "--set friction=1:2: error: a range is written FROM:TO:POINTS, or FROM:TO:POINTS:log (or "
     "linear)",
     "friction=1:2"},
    {"override by a range, every part of it wrong", PENDULUM NO_FRICTION AXIS,
     "--set friction=a:1deg:x:lgo: error: friction: 'a' is not a number\n"
     "--set friction=a:1deg:x:lgo: error: friction: '1deg' has the unit of an angle where none is "
     "allowed\n"
     "--set friction=a:1deg:x:lgo: error: points: 'x' is not a whole number written in digits "
     "alone\n"
     "--set friction=a:1deg:x:lgo: error: unknown spacing 'lgo' (did you mean 'log'?)",
     "friction=a:1deg:x:lgo"},
    {"override by a range without points", PENDULUM NO_FRICTION AXIS,
     "--set friction=0:1:0: error: points is 0, an axis has 1 to 2^28", "friction=0:1:0"},
    {"override of the first of two axes by no range",
     PENDULUM "axes: [{param: friction, values: [1]}, {param: angle, values: [0.5]}]\nfixed: "
              "{stiffness_ratio: 1.21}\n",
     "--set friction=0:much:3: error: friction: 'much' is not a number", "friction=0:much:3"},
    {"override by a range that cannot be logarithmic", PENDULUM NO_FRICTION AXIS,
     "--set friction=0:1:5:log: error: spacing log needs from and to of the same sign and not 0",
     "friction=0:1:5:log"},
    {"override by a range whose points are too close", PENDULUM NO_FRICTION AXIS,
     "--set friction=1:1.0000000000000002:9: error: 9 points of 'friction' are too close to differ "
     "in a double; take fewer points or a wider range",
     "friction=1:1.0000000000000002:9"},
    {"override by a range outside", PENDULUM NO_FRICTION AXIS,
     "--set friction=-1:1:5: error: 'friction' is -1, outside its range [0, inf)",
     "friction=-1:1:5"},
    {"override by a list", PENDULUM NO_FRICTION AXIS,
     "--set friction=[1, 2x, 1]: error: friction: '2x' is not a number\n"
     "--set friction=[1, 2x, 1]: error: '1' repeats a value of this axis",
     "friction=[1, 2x, 1]"},
    {"override by a list that does not end", PENDULUM NO_FRICTION AXIS,
     "--set friction=[1: error: a list is written [FIRST, SECOND, ...], in quotes for the shell",
     "friction=[1"},
    {"override of a fixed parameter by a range", PENDULUM REST,
     "--set friction=1:2:3: error: 'friction' is on no axis of the config, one value is expected",
     "friction=1:2:3"},
    {"override of options by a range",
     "model: compliant\naxes: [{param: body, values: [pendulum]}]\n" REST,
     "--set body=rod:lamina:2: error: options have no range; list them: [FIRST, SECOND, ...]",
     "body=rod:lamina:2"},
    {"override of a range to refine", REFINED "{depth: 9}\n" RANGES,
     "5:7: refine needs two to four axes that are ranges without points, here is 1",
     "friction=0.1:0.5:50:log"},
    {"override of a range to refine by too many parts", REFINED "{depth: 9}\n" RANGES,
     "--set friction=0.1:0.5:50:log:2: error: a range is written FROM:TO:POINTS, or "
     "FROM:TO:POINTS:log (or linear)",
     "friction=0.1:0.5:50:log:2"},
    {"override of a range to refine by one value", REFINED "{depth: 9}\n" RANGES,
     "5:7: refine needs two to four axes that are ranges without points, here is 1",
     "friction=0.1"},
    {"override of a choice", PENDULUM REST,
     "--set body=sphee: error: unknown option 'sphee' of 'body' (did you mean 'sphere'?)",
     "body=sphee"},
    {"override that makes others wrong", PENDULUM REST,
     "3:8: missing parameter 'velocity_ratio' (range (-inf, inf), no default)\n"
     "3:9: 'angle' does not apply to body=sphere; it applies to <bodies with angle>",
     "body=sphere"},
    {"override that does not apply", PENDULUM REST,
     "--set b11=1: error: 'b11' does not apply to body=pendulum; it applies to body=matrix",
     "b11=1"},
    {"override of a case", BOTH REST_OF,
     "--set case=sprungs: error: unknown option 'sprungs' of 'case' (did you mean 'springs'?)",
     "case=sprungs"},
    {"override of a choice of a case", BOTH REST_OF,
     "--set springs.law=hrtz: error: unknown option 'hrtz' of 'law' (did you mean 'hertz'?)",
     "springs.law=hrtz"},
    {"override of a case that is not there", BOTH REST_OF,
     "--set sprngs.law=hertz: error: unknown case 'sprngs' (did you mean 'springs'?)",
     "sprngs.law=hertz"},
    {"override of a parameter that a case does not know", BOTH REST_OF,
     "--set rigid.yeild_speed=1: error: unknown parameter or choice 'yeild_speed' (did you mean "
     "'yield_speed'?)",
     "rigid.yeild_speed=1"},
    {"override of a parameter of a case that is no number", BOTH REST_OF,
     "--set springs.friction=1:2:3: error: friction: '1:2:3' is not a number",
     "springs.friction=1:2:3"},
    {"override of the theory of a case", BOTH REST_OF,
     "--set springs.model=rigid: error: 'model' of a case is changed in the config",
     "springs.model=rigid"},
    {"override of a choice that every case makes", BOTH REST_OF,
     "--set body=rod: error: every case makes the choice 'body' itself; set it in a case: "
     "springs.body=rod",
     "body=rod"},
    {"override of the precision", PENDULUM REST,
     "--set precision=float16: error: unknown precision 'float16' (did you mean 'float32'?)",
     "precision=float16"},
};
