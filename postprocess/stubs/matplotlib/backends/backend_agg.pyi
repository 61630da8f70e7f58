# What the package uses of matplotlib, which has no types of its own in Debian. Only the check of types reads this.

from ..figure import Figure
from ..font_manager import FontProperties

class RendererAgg:
    def get_text_width_height_descent(self, s: str, prop: FontProperties, ismath: bool) -> tuple[float, float, float]: ...

class FigureCanvasAgg:
    def __init__(self, figure: Figure) -> None: ...
    def get_renderer(self) -> RendererAgg: ...
