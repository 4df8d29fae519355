import type { Route } from '../../kernel/contract.ts'
import { encoders } from './encoders.ts'
import type { ImageOptions } from './options.ts'
import { writable } from './sharp.ts'

/** Everything that is written, but svg and the like. */
const targets = [...new Set([...writable, ...encoders.flatMap(({ to }) => to)])]

const documents = [
  ...['docx', 'doc', 'docm', 'dotx', 'dot', 'odt', 'ott', 'fodt', 'rtf', 'txt', 'html', 'xhtml', 'md', 'rst', 'org'],
  ...['tex', 'adoc', 'textile', 'wiki', 'dbk', 'ipynb', 'opml', 'xps', 'xlsx', 'xls', 'xlsm', 'xlsb', 'ods', 'fods'],
  ...['csv', 'tsv', 'pptx', 'ppt', 'pptm', 'ppsx', 'pps', 'potx', 'odp', 'fodp', 'odg', 'vsd', 'vsdx', 'pub', 'wpd'],
  ...['wps', 'wri', 'hwp', 'sxw', 'eml', 'msg'],
]

/** Drawings and models that the vector category reads. */
const drawn = [
  ...['fig', 'dxf', 'stl', 'obj', 'ply', 'off', '3mf', 'amf', 'gltf', 'glb', 'fbx', 'dae', '3ds', 'x3d', 'x', 'lwo'],
  ...['ac', 'ase', 'ifc'],
]

/** What people want pictures of them as. */
const pictures = ['png', 'jpg', 'webp']

/** Documents page by page, drawings and models as they are drawn: by what the other categories make of them. */
export const detours: Route<ImageOptions>[] = [
  { from: documents, to: targets, via: 'pdf' },
  { from: drawn, to: pictures, via: 'svg' },
]
