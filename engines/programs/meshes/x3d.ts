import { type Mesh, threes } from './mesh.ts'

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
