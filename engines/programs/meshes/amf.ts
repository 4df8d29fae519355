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
