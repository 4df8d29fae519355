"""Lines that programs store with objects of their own, for others to draw (proxy graphics). ezdxf draws arcs flat."""

import math

from ezdxf.math import Vec3
from ezdxf.proxygraphic import ProxyGraphic
from ezdxf.tools.binarydata import ByteStream

CHORDS = 64
flat_polyline, flat_polyline_with_normals = ProxyGraphic.polyline, ProxyGraphic.polyline_with_normals


def arc(self, data):
    """An arc through three points."""
    stream = ByteStream(data)
    return unfilled(self, lambda: self._polyline(points(*(Vec3(stream.read_vertex()) for _ in range(3)))))


def circle(self, data):
    stream = ByteStream(data)
    one, two, three = (Vec3(stream.read_vertex()) for _ in range(3))
    return self._polyline(points(one, two, three, whole=True))


def points(first, middle, last, whole=False):
    """Points along the arc in space; the three if they are in a line."""
    one, two = middle - first, last - first
    normal = one.cross(two)
    if normal.magnitude < 1e-12 * max(one.magnitude, two.magnitude) ** 2 or normal.magnitude == 0:
        return [first, middle, last]
    across = (two.cross(normal) * -one.dot(one) + one.cross(normal) * two.dot(two)) / (2 * normal.dot(normal))
    centre = first - across
    x = first - centre
    y = normal.normalize().cross(x)
    end = last - centre
    turn = 2 * math.pi if whole else math.atan2(end.dot(y), end.dot(x)) % (2 * math.pi)
    steps = [turn * at / CHORDS for at in range(CHORDS + 1)]
    return [centre + x * math.cos(step) + y * math.sin(step) for step in steps]


def unfilled(self, drawn):
    """Open lines have no area."""
    fill, self.fill = self.fill, False
    try:
        return drawn()
    finally:
        self.fill = fill


ProxyGraphic.circular_arc_3p = arc
ProxyGraphic.circle_3p = circle
ProxyGraphic.polyline = lambda self, data: unfilled(self, lambda: flat_polyline(self, data))
ProxyGraphic.polyline_with_normals = lambda self, data: unfilled(self, lambda: flat_polyline_with_normals(self, data))
