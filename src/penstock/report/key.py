"""Samples for the key of the figures: the line as it is drawn, as inline SVG."""

from penstock.report.look import Look

WIDTH, HEIGHT = 46, 16
MIDDLE_X, MIDDLE_Y = WIDTH / 2, HEIGHT / 2
FULL_PX = 7.0

# Outlines round (0, 0), in the proportions of plotly's markers of 8 px.
_OUTLINES: dict[str, str] = {
    "circle": "M4,0A4,4 0 1,1 -4,0A4,4 0 1,1 4,0Z",
    "square": "M-4,-4H4V4H-4Z",
    "diamond": "M0,-5.2L5.2,0L0,5.2L-5.2,0Z",
    "triangle-up": "M0,-5L4.6,3H-4.6Z",
    "triangle-down": "M0,5L4.6,-3H-4.6Z",
    "triangle-left": "M-5,0L3,4.6V-4.6Z",
    "hourglass": "M-4,-4H4L-4,4H4Z",
    "x": "M0,-2L2.4,-4.4L4.4,-2.4L2,0L4.4,2.4L2.4,4.4L0,2L-2.4,4.4L-4.4,2.4L-2,0L-4.4,-2.4L-2.4,-4.4Z",
    "pentagon": "M0,-4.6L4.4,-1.4L2.7,3.7H-2.7L-4.4,-1.4Z",
    "cross": "M-1.6,-4.6H1.6V-1.6H4.6V1.6H1.6V4.6H-1.6V1.6H-4.6V-1.6H-1.6Z",
    "bowtie": "M-4.4,-4V4L4.4,-4V4Z",
    "star": "M0,-5.2L1.4,-1.7L5,-1.6L2.1,.7L3.1,4.2L0,2.1L-3.1,4.2L-2.1,.7L-5,-1.6L-1.4,-1.7Z",
    "hexagon": "M4.4,-2.5V2.5L0,5L-4.4,2.5V-2.5L0,-5Z",
}


def line_sample(look: Look) -> str:
    """A short piece of the line with one marker on it."""
    dash = "" if look.dash == "solid" else f' stroke-dasharray="{look.dash.replace("px", "")}"'
    return (
        f'<svg class="sample" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}"'
        ' aria-hidden="true">'
        f'<path d="M0,{MIDDLE_Y:g}H{WIDTH}" stroke="{look.colour}" stroke-width="{look.width_px:g}"{dash}'
        ' fill="none"/>'
        f'<path d="{_OUTLINES[look.marker]}" fill="{look.colour}"'
        f' transform="translate({MIDDLE_X:g},{MIDDLE_Y:g}) scale({look.marker_px / FULL_PX:.2g})"/>'
        "</svg>"
    )
