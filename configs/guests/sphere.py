# A sphere strikes a plane: a law in Python as a guest.
import numpy as np
import impactsweep.guest as guest

@guest.theory(parameters={"angle": guest.number("rad", 0, 1.57, meaning="incidence, from the normal of the plane"),
                          "friction": guest.number("1", 0, 10, default=0.2),
                          "restitution": guest.number("1", 0, 1, default=0.8)},
              outputs={"mode": guest.modes(slip="slip lasts to the end", roll="slip ends"),
                       "slip_ratio": guest.output("1", "final velocity of slip over the initial normal speed")})
def law(angle, friction, restitution):
    slip = np.tan(angle) - 3.5 * friction * (1 + restitution)
    return {"mode": np.where(slip > 0, "slip", "roll"), "slip_ratio": np.maximum(slip, 0)}

guest.serve(law)
