"""Converts between solids and meshes: `solids.py INPUT OUTPUT`. File extensions name the formats.

`--version` prints FreeCAD's version, or exits with 127 if it is not installed.
"""

import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
LIBRARY = "/usr/lib/freecad-python3/lib"
sys.path[:0] = [HERE, os.path.dirname(HERE), LIBRARY, "/usr/lib/freecad/lib"]

from refusal.refusal import report  # noqa: E402

# Most triangles of a mesh that is made a solid: time grows with their square.
MOST = 20_000


def refuse(message, code="CONVERSION_ERROR"):
    report(message, code)
    # Skips FreeCAD's destructors, some of which crash.
    os._exit(1)


def main(source, target):
    # FreeCAD's other modules crash unless this one comes first.
    import FreeCAD  # noqa: F401
    import Part
    from document import shapes_of

    if source.endswith(".stl"):
        shape = from_mesh(Part, source)
    elif source.endswith(".fcstd"):
        shape = shapes_of(source)
    elif source.endswith(".brep") and not is_whole(source):
        refuse("The model is incomplete")
    else:
        shape = Part.Shape()
        shape.read(source)
    if shape is None or shape.isNull() or not shape.Faces:
        refuse("The model holds no faces")
    if target.endswith(".stl"):
        to_mesh(shape, target)
    elif target.endswith(".step"):
        shape.exportStep(target)
    elif target.endswith(".iges"):
        shape.exportIges(target)
    else:
        shape.exportBrep(target)


def is_whole(path):
    """Whether a BREP ends with the number of its root. OpenCASCADE never stops reading one that is cut off."""
    with open(path, "rb") as file:
        text = file.read()
    return b"\nTShapes " in text and re.search(rb"\n[+-]\d+ \d+\s*(\d+\s*)?$", text[-200:]) is not None


def to_mesh(shape, target):
    """Writes triangles no farther from the faces than a three-thousandth of the model's size."""
    import MeshPart

    size = shape.BoundBox.DiagonalLength
    mesh = MeshPart.meshFromShape(Shape=shape, LinearDeflection=size / 3000, AngularDeflection=0.25, Relative=False)
    if mesh.CountFacets == 0:
        refuse("The model holds no faces")
    if shape.Volume < 0 and is_closed(mesh):
        mesh.flipNormals()
    mesh.write(target)


def is_closed(mesh):
    """Whether a mesh has an inside. Faces that are meshed one by one have points of their own."""
    joined = mesh.copy()
    joined.removeDuplicatedPoints()
    return joined.isSolid()


def from_mesh(Part, source):
    """Makes one face of each plane of the mesh: a solid where they close, else a shell."""
    import Mesh

    mesh = Mesh.Mesh(source)
    if mesh.CountFacets > MOST:
        refuse(f"The model has {mesh.CountFacets} triangles; at most {MOST} can become faces of a solid", "RESOURCE_LIMIT")
    mesh.removeDuplicatedPoints()
    mesh.harmonizeNormals()
    shape = Part.Shape()
    shape.makeShapeFromMesh(mesh.Topology, mesh.BoundBox.DiagonalLength * 1e-6)
    closed = [shell for shell in shape.Shells if shell.isClosed()]
    if closed and len(closed) == len(shape.Shells):
        solids = [outwards(Part.Solid(shell)) for shell in closed]
        shape = solids[0] if len(solids) == 1 else Part.makeCompound(solids)
    try:
        return shape.removeSplitter()
    except Part.OCCError:
        return shape


def outwards(solid):
    if solid.Volume < 0:
        solid.reverse()
    return solid


if sys.argv[1:] == ["--version"]:
    if not os.path.exists(f"{LIBRARY}/Part.so"):
        sys.exit(127)
    import FreeCAD

    print(".".join(FreeCAD.Version()[:3]), flush=True)
    os._exit(0)
try:
    main(*sys.argv[1:])
except Exception as error:  # The bindings raise their own classes for errors of OpenCASCADE.
    print(f"{type(error).__name__}: {error}", file=sys.stderr)
    refuse("The model is damaged or of an unsupported kind")
os._exit(0)
