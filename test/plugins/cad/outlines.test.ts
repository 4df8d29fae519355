/** Shapes that DXF holds by their outlines: also those with shading, transparency and pictures beside them. */
import t from 'tap'
import { bare } from '../bare.ts'

t.setTimeout(30 * 60_000)
const { convert, failure } = await bare(t, ['cad', 'vector'])

/** The number of closed outlines in a text DXF. */
const outlines = (dxf: Buffer) => `${dxf}`.match(/\n *0\r?\n(LW)?POLYLINE\r?\n/g)?.length ?? 0

const shading = (kind: string) => `%!PS-Adobe-3.0 EPSF-3.0
%%BoundingBox: 0 0 200 100
gsave 20 20 60 60 rectclip << ${kind} /ColorSpace /DeviceRGB
/Function << /FunctionType 2 /Domain [0 1] /C0 [1 0 0] /C1 [0 0 1] /N 1 >> >> shfill grestore
0 setgray 120 20 60 60 rectfill
showpage
`
const mesh = `%!PS-Adobe-3.0 EPSF-3.0
%%BoundingBox: 0 0 200 100
<< /ShadingType 4 /ColorSpace /DeviceRGB /DataSource [0 10 10 1 0 0 0 90 10 0 1 0 0 50 90 0 0 1] >> shfill
0 setgray 120 20 60 60 rectfill
showpage
`

t.test('the outline of a shaded area', async (t) => {
  const linear = '/ShadingType 2 /Coords [20 20 80 80] /Extend [true true]'
  t.equal(outlines((await convert(Buffer.from(shading(linear)), 'eps>dxf')).bytes), 2)
})

t.test('a mesh of colours has no outline, and does not take the rest with it', async (t) => {
  t.equal(outlines((await convert(Buffer.from(mesh), 'eps>dxf')).bytes), 1)
})

t.test('transparent and filtered shapes, and shapes beside a picture', async (t) => {
  const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='
  const image = `<image width="50" height="50" href="data:image/png;base64,${pixel}"/>`
  const svg = (...parts: string[]) =>
    `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100">${parts.join('')}</svg>`
  const square = (more: string) => `<rect x="20" y="20" width="60" height="60" ${more}/>`
  const filter = '<filter id="f"><feGaussianBlur stdDeviation="3"/></filter>'
  const hidden = '<g opacity="0"><rect width="9" height="9"/></g>'
  const ways = ['opacity=".5"', 'style="fill: #00f; fill-opacity: 0.5"', 'filter="url(#f)"'].map(square)
  const shown = svg(filter, image, hidden, ...ways)
  t.equal(outlines((await convert(Buffer.from(shown), 'svg>dxf')).bytes), 3, 'but nothing that nobody sees')
  const illustrator = `<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd" [
<!ENTITY ns_svg "http://www.w3.org/2000/svg">]><svg xmlns="&ns_svg;" width="200" height="100">${square('')}</svg>`
  t.equal(outlines((await convert(Buffer.from(illustrator), 'svg>dxf')).bytes), 1, 'entities of Illustrator')
  t.match(await failure(Buffer.from(svg(image)), 'svg>dxf'), { code: 'CONVERSION_ERROR', message: /outlines/ })
})
