import { type Mesh, threes } from './mesh.ts'

/** Additive Manufacturing File Format (ISO/ASTM 52915), in millimetres. */
export const amf = ({ points, triangles }: Mesh) => `<?xml version="1.0" encoding="UTF-8"?>
<amf unit="millimeter" version="1.1">
<object id="1"><mesh><vertices>
${threes(points, (x, y, z) => `<vertex><coordinates><x>${x}</x><y>${y}</y><z>${z}</z></coordinates></vertex>`)}
</vertices><volume>
${threes(triangles, (a, b, c) => `<triangle><v1>${a}</v1><v2>${b}</v2><v3>${c}</v3></triangle>`)}
</volume></mesh></object>
</amf>
`

/** Object File Format. @see http://www.geomview.org/docs/html/OFF.html */
export const off = ({ points, triangles }: Mesh) => `OFF
${points.length / 3} ${triangles.length / 3} 0
${threes(points, (x, y, z) => `${x} ${y} ${z}`)}
${threes(triangles, (a, b, c) => `3 ${a} ${b} ${c}`)}
`

/** Extensible 3D (ISO/IEC 19776-1), one shape. */
export const x3d = ({ points, triangles }: Mesh) => `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE X3D PUBLIC "ISO//Web3D//DTD X3D 3.3//EN" "http://www.web3d.org/specifications/x3d-3.3.dtd">
<X3D profile="Interchange" version="3.3">
<Scene><Shape>
<Appearance><Material diffuseColor="0.7 0.7 0.75"/></Appearance>
<IndexedFaceSet solid="false" coordIndex="
${threes(triangles, (a, b, c) => `${a} ${b} ${c} -1`)}">
<Coordinate point="
${threes(points, (x, y, z) => `${x} ${y} ${z}`)}"/>
</IndexedFaceSet>
</Shape></Scene>
</X3D>
`
