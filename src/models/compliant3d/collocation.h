/* Constants of the collocation at Gauss's points by which a step of slip is solved. */
#ifndef IMP_MODELS_COMPLIANT3D_COLLOCATION_H
#define IMP_MODELS_COMPLIANT3D_COLLOCATION_H

#include "models/compliant3d/slip_step.h"

/* Gauss-Legendre collocation on [0, 1]: weights of the points, integrals up to the points of the
 * polynomial through the stages, and its highest Legendre coefficient (by definition; Hairer and
 * Wanner 1996). */
static const double weight[IMP_SLIP_STAGES] = {0.085662246189585173, 0.1803807865240693,
                                               0.23395696728634552,  0.23395696728634552,
                                               0.1803807865240693,   0.085662246189585173};
static const double up_to[IMP_SLIP_STAGES][IMP_SLIP_STAGES] = {
    {0.042831123094792586, -0.014763725997197412, 0.0093250507064777512, -0.0056688580494835119,
     0.0028544333150993351, -0.00081278017126476211},
    {0.092673491430378863, 0.090190393262034652, -0.020300102293239586, 0.010363156240246424,
     -0.0048871929280376715, 0.0013555610554850618},
    {0.082247922612843874, 0.19603216233324501, 0.11697848364317276, -0.020482527745656098,
     0.0079899918996623358, -0.0020756257848663342},
    {0.087737871974451507, 0.17239079462440697, 0.25443949503200162, 0.11697848364317276,
     -0.015651375809175702, 0.0034143235767412987},
    {0.084306685134100111, 0.18526797945210698, 0.2235938110460991, 0.25425706957958511,
     0.090190393262034652, -0.0070112452407936907},
    {0.086475026360849935, 0.17752635320896997, 0.23962582533582904, 0.22463191657986777,
     0.19514451252126672, 0.042831123094792586},
};
static const double highest[IMP_SLIP_STAGES] = {-0.19383956497639704, 0.58413663668322694,
                                                -0.86115096417790722, 0.86115096417790722,
                                                -0.58413663668322694, 0.19383956497639704};

/* Lagrange's polynomial of stage j is lagrange[j] times the distances from the other points. */
static const double lagrange[IMP_SLIP_STAGES] = {-48.84757037405206,  147.20243244417318,
                                                 -217.01004297283254, 217.0100429728327,
                                                 -147.2024324441732,  48.84757037405205};

#endif
