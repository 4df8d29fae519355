import type { Format } from '../../kernel/contract.ts'

const drawing = ['pdf', 'svg', 'png', 'dxf', 'jpg', 'eps', 'ps', 'emf']
const solid = ['step', 'stl', 'iges', 'obj', 'glb', 'brep', '3mf', 'ply', 'svg', 'png', 'gltf', 'dae']
const mesh = ['stl', 'obj', 'glb', '3mf', 'ply', 'gltf', 'dae', 'step', 'fbx', 'off', 'png', 'x3d']

/** Drawings, solids and meshes. */
export const formats = {
  dxf: { mime: 'image/vnd.dxf', wanted: drawing },
  dwg: { mime: 'image/vnd.dwg', wanted: drawing },
  step: { mime: 'model/step', aliases: ['stp'], wanted: solid },
  iges: { mime: 'model/iges', aliases: ['igs'], wanted: solid },
  brep: { mime: 'application/x-brep', label: 'BREP', aliases: ['brp'], wanted: solid },
  fcstd: { mime: 'application/x-extension-fcstd', label: 'FreeCAD', wanted: solid },
  stl: { mime: 'model/stl', wanted: mesh },
  obj: { mime: 'model/obj', wanted: mesh },
  ply: { mime: 'application/x-ply', wanted: mesh },
  off: { mime: 'application/x-off', wanted: mesh },
  '3mf': { mime: 'model/3mf', wanted: mesh },
  amf: { mime: 'application/x-amf', wanted: mesh },
  gltf: { mime: 'model/gltf+json', label: 'glTF', wanted: mesh },
  glb: { mime: 'model/gltf-binary', wanted: mesh },
  fbx: { mime: 'application/x-fbx', wanted: mesh },
  dae: { mime: 'model/vnd.collada+xml', label: 'COLLADA', wanted: mesh },
  '3ds': { mime: 'application/x-3ds', wanted: mesh },
  x3d: { mime: 'model/x3d+xml', wanted: mesh },
  x: { mime: 'application/x-directx', label: 'DirectX X', wanted: mesh },
  lwo: { mime: 'image/x-lwo', label: 'LightWave', wanted: mesh },
  ac: { mime: 'application/x-ac3d', label: 'AC3D', wanted: mesh },
  ase: { mime: 'application/x-ase', wanted: mesh },
  blend: { mime: 'application/x-blender', label: 'Blender', wanted: mesh },
  ifc: { mime: 'application/x-step', wanted: mesh },
  scad: { mime: 'application/x-openscad', label: 'OpenSCAD', wanted: mesh },
} satisfies Record<string, Format>
