"""Every figure and table of PAMC, drawn from coarse maps."""

from gallery_items import Items


class Pamc(Items):
    SOURCE = "pamc"
    SAYS = {"figure-13-linear.png": ["τ = time / duration", "φ_t = F_t / (μ", "ψ₁ 0.5", "ψ₁ 5",
                                     "ψ₁: velocity ratio / (friction · stiffness ratio)"],
            "figure-14.png": ["A: linear springs", "B: Maw, Barber and Fawcett", "ψ₁ = velocity ratio / (friction · stiffness ratio)"],
            "figure-23.png": ["coupled", "Hertz"],
            "figure-26.png": ["angle (deg)", "extreme kinematic restitution", "0.25", "0.75", "largest", "smallest"],
            "figure-27-largest.png": ["its velocity ratio", "linear springs", "rigid: slip stops at the end of compression"],
            "table-2.png": ["0.6029", "2.202", "21.7724"],
            "table-3.png": ["0.5335", "0.6057"]}


del Items  # has no source of its own
