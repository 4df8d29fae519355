/** What runs for each kind of pair, best route first, with answers instead of programs. */
import t from 'tap'
import cad from '../../../plugins/cad/index.ts'
import { routeLines } from '../../harness/command-lines.ts'
import { agreeOnRoutes } from '../routes.ts'

const browsed = 'svg-page file large | chromium | pdftocairo -svg -f 1 -l 1 | svg-sized /scratch/drawing.html'
const along =
  'svg-plain mended | svgo alone | inkscape --export-type=svg --export-plain-svg --export-text-to-path | svg-along /scratch/named.svg'
const distil = 'ghostscript -sDEVICE=pdfwrite -dFirstPage=1 -dLastPage=1001'
const outlines = 'svgo outlined | librsvg -f eps -d 96 -p 96 | pstoedit -f dxf: -mm | dxf-outlines /out/file.dxf'
const stl = 'assimp -fstlb -tri'
const faceted = `${stl} --drop-normals --gen-normals`

const expected = `
svg>dxf: svg-plain mended | ${outlines}
svg>dxf: ${browsed} | ${outlines}
svg>dxf: ${along} | ${outlines}
svg>dxf: svg-plain mended | ${outlines}
png>dxf: tracer 99 | ${outlines}
dwg>dxf: libredwg
emf>dxf: inkscape --export-type=svg --export-plain-svg | ${outlines}
pdf>dxf: pdfinfo | pdftocairo -svg -f 1 -l 1 | ${outlines}
ai>dxf: pdfinfo | pdftocairo -svg -f 1 -l 1 | ${outlines}
ai>dxf: via svg
ps>dxf: ${distil} | pdfinfo | pdftocairo -svg -f 1 -l 1 | ${outlines}
eps>dxf: via svg
amf>ply: mesh-mender | ${stl} | assimp -fplyb -tri
off>ply: assimp -fplyb -tri
stl>obj: assimp -fobjnomtl -tri
obj>stl: ${stl}
stl>stl: mesh-shrinker stl
glb>glb: mesh-shrinker glb
stl>off: ${stl} | mesh-writer off
stl>gltf: mesh-mender | assimp -fglb2 -tri | mesh-writer gltf
3mf>stl: mesh-mender | ${stl}
3mf>stl: mesh-mender | 3mf-reader
blend>stl: blend-opener | ${faceted}
blend>ply: blend-opener | ${faceted} | assimp -fplyb -tri
blend>obj: blend-opener | ${faceted} | mesh-writer off | assimp -fobjnomtl -tri --drop-normals --gen-normals
blend>gltf: blend-opener | ${faceted} | mesh-writer off | assimp -fglb2 -tri --drop-normals --gen-normals | mesh-writer gltf
blend>3ds: blend-opener | ${faceted} | mesh-writer off | assimp -f3ds -tri --drop-normals --gen-normals -ptv
step>stl: freecad
step>obj: freecad | assimp -fobjnomtl -tri
scad>dxf: openscad --export-format binstl | mesh-writer dxf
scad>stl: openscad --export-format binstl
step>iges: freecad
scad>step: openscad --export-format binstl | freecad
stl>step: ${stl} | freecad
3mf>brep: mesh-mender | ${stl} | freecad
3mf>brep: mesh-mender | 3mf-reader | freecad
obj>dae: assimp -fcollada -tri
obj>3ds: assimp -f3ds -tri -ptv
obj>fbx: assimp -ffbxa -tri
obj>glb: assimp -fglb2 -tri
`
t.test('each kind of pair', (t) => agreeOnRoutes(t, cad, expected, { density: 99 }, { pdfinfo: 'Pages: 1' }))

t.test('what findings change', async (t) => {
  const refused = Object.assign(new Error('refused'), { code: 'CONVERSION_ERROR' })
  const [line] = await routeLines(cad, 'scad>dxf', {}, { openscad: [refused, ''] })
  t.equal(line, 'openscad --export-format binstl | openscad')
  for (const pair of ['scad>stl', 'scad>dxf'])
    await t.rejects(routeLines(cad, pair, {}, { openscad: "Can't open file" }), { message: /other files/ })
  await t.rejects(routeLines(cad, '3mf>stl', {}, { 'mesh-mender': 'parts' }), { message: /several parts/ })
})
