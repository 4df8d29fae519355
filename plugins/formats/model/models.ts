import { extensions, type Family } from '../family.ts'

const drawing = ['pdf', 'svg', 'png', 'dxf', 'jpg', 'eps', 'ps', 'emf']
const solidWanted = ['step', 'stl', 'iges', 'obj', 'glb', 'brep', '3mf', 'ply', 'svg', 'png', 'gltf', 'dae']
const meshWanted = ['stl', 'obj', 'glb', '3mf', 'ply', 'gltf', 'dae', 'step', 'fbx', 'off', 'png', 'x3d']

/** Technical drawings. */
export const plans = {
  dxf: { mime: 'image/vnd.dxf', signatures: ['AutoCAD Binary DXF'], wanted: drawing },
  dwg: {
    mime: 'image/vnd.dwg',
    signatures: ['AC1.', 'AC2.'],
    marks: [/^AC10\d\d/],
    fileType: 'dwg',
    wanted: drawing,
  },
} satisfies Family

/** Solids with curved faces. */
export const solids = {
  step: { mime: 'model/step', aliases: ['stp'], wanted: solidWanted },
  iges: { mime: 'model/iges', aliases: ['igs'], wanted: solidWanted },
  brep: {
    mime: 'application/x-brep',
    label: 'BREP',
    aliases: ['brp'],
    signatures: ['Open CASCADE Topology V'],
    wanted: solidWanted,
  },
  fcstd: { mime: 'application/x-extension-fcstd', label: 'FreeCAD', wanted: solidWanted },
} satisfies Family

/** Meshes and scenes with flat faces. */
export const meshes = {
  stl: { mime: 'model/stl', wanted: meshWanted },
  obj: { mime: 'model/obj', wanted: meshWanted },
  ply: {
    mime: 'application/x-ply',
    signatures: ['ply\nformat ', 'ply\r\nformat '],
    marks: [/^ply\r?\n/],
    wanted: meshWanted,
  },
  off: {
    mime: 'application/x-off',
    signatures: ['OFF BINARY'],
    marks: [/^(#[^\n]*\n\s*){0,20}(ST)?C?N?4?n?OFF( BINARY)?\s/],
    wanted: meshWanted,
  },
  '3mf': { mime: 'model/3mf', zip: { main: ['3dmanufacturing-3dmodel+xml'] }, wanted: meshWanted },
  amf: { mime: 'application/x-amf', xml: { root: 'amf' }, wanted: meshWanted },
  gltf: { mime: 'model/gltf+json', label: 'glTF', wanted: meshWanted },
  glb: { mime: 'model/gltf-binary', signatures: ['glTF'], wanted: meshWanted },
  fbx: {
    mime: 'application/x-fbx',
    signatures: ['Kaydara FBX Binary'],
    marks: [/^; FBX \d/],
    wanted: meshWanted,
  },
  dae: { mime: 'model/vnd.collada+xml', label: 'COLLADA', xml: { root: 'collada' }, wanted: meshWanted },
  '3ds': { mime: 'application/x-3ds', wanted: meshWanted },
  x3d: { mime: 'model/x3d+xml', xml: { root: 'x3d' }, wanted: meshWanted },
  x: {
    mime: 'application/x-directx',
    label: 'DirectX X',
    signatures: [/^xof 0\d0\d(txt|bin|tzip|bzip)/],
    marks: [/^xof 0\d0\dtxt/],
    wanted: meshWanted,
  },
  lwo: { mime: 'image/x-lwo', label: 'LightWave', wanted: meshWanted },
  ac: { mime: 'application/x-ac3d', label: 'AC3D', marks: [/^AC3D[0-9a-f]\s/], wanted: meshWanted },
  ase: { mime: 'application/x-ase', marks: [/^\*3DSMAX_ASCIIEXPORT/], wanted: meshWanted },
  blend: { mime: 'application/x-blender', label: 'Blender', signatures: ['BLENDER'], wanted: meshWanted },
  ifc: { mime: 'application/x-step', wanted: meshWanted },
} satisfies Family

/** Programs that construct a solid. */
export const programs = {
  scad: { mime: 'application/x-openscad', label: 'OpenSCAD', text: 'plain', wanted: meshWanted },
} satisfies Family

/** Technical drawings. */
export const plan = extensions(plans)

/** Solids with curved faces. */
export const solid = extensions(solids)

/** Meshes and scenes. */
export const mesh = extensions(meshes)

/** All of the above except plans. */
export const model = [...solid, ...mesh, ...extensions(programs)]
