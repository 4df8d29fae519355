/** `write.ts off|3mf|amf|x3d|dxf INPUT.stl OUTPUT`, `write.ts gltf INPUT.glb OUTPUT` */
import { readFileSync, writeFileSync } from 'node:fs'
import { dxf } from './dxf.ts'
import { gltf } from './glb.ts'
import { corners, weld } from './mesh.ts'
import { amf, off, x3d } from './texts.ts'
import { threeMf } from './three-mf.ts'

const writers = { off, '3mf': threeMf, amf, x3d, dxf }

const [format, input, output] = process.argv.slice(2) as [keyof typeof writers | 'gltf', string, string]
writeFileSync(output, format === 'gltf' ? gltf(readFileSync(input)) : await writers[format](weld(corners(input))))
