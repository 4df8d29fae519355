import type { Route } from '../../kernel/contract.ts'
import { encoders } from './encoders.ts'
import type { ImageOptions } from './options.ts'
import { writable } from './sharp.ts'

const documents = [
  ...['docx', 'doc', 'docm', 'dotx', 'dot', 'odt', 'ott', 'fodt', 'rtf', 'txt', 'html', 'xhtml', 'md', 'rst', 'org'],
  ...['tex', 'adoc', 'textile', 'wiki', 'dbk', 'ipynb', 'opml', 'xps', 'xlsx', 'xls', 'xlsm', 'xlsb', 'ods', 'fods'],
  ...['csv', 'tsv', 'pptx', 'ppt', 'pptm', 'ppsx', 'pps', 'potx', 'odp', 'fodp', 'odg', 'vsd', 'vsdx', 'cdr', 'pub'],
  ...['wpd', 'wps', 'wri', 'hwp', 'sxw', 'eml', 'msg'],
]

/** Drawings and models that the vector category reads. */
const drawn = [
  ...['fig', 'dxf', 'stl', 'obj', 'ply', 'off', '3mf', 'amf', 'gltf', 'glb', 'fbx', 'dae', '3ds', 'x3d', 'x', 'lwo'],
  ...['ac', 'ase', 'blend', 'ifc', 'scad', 'step', 'iges', 'brep', 'fcstd', 'dwg'],
]

/** What people want pictures of them as. */
const pictures = ['png', 'jpg', 'webp']

/** What people want pages as. */
const pages = [...pictures, 'tif', 'gif', 'avif', 'bmp']

/** Documents page by page, drawings and models as they are drawn: by what the other categories make of them. */
export const detours: Route<ImageOptions>[] = [
  { from: documents, to: pages, via: 'pdf' },
  { from: drawn, to: pictures, via: 'svg' },
]

/** Windows metafiles by what the vector category draws of them; without it, by the decoder of this one. */
export const metafiles: Route<ImageOptions> = {
  from: ['emf', 'wmf'],
  to: [...writable, ...encoders.flatMap(({ to }) => to)],
  via: 'svg',
}
