/** `write.ts off|3mf|amf|x3d|dxf INPUT.stl OUTPUT`, `write.ts gltf INPUT.glb OUTPUT` */
import { writeFileSync } from 'node:fs'
import { amf } from './amf.ts'
import { dxf } from './dxf.ts'
import { gltf } from './gltf.ts'
import { corners, weld } from './mesh.ts'
import { off } from './off.ts'
import { threeMf } from './three-mf.ts'
import { x3d } from './x3d.ts'

const writers = { off, '3mf': threeMf, amf, x3d, dxf }

const [format, input, output] = process.argv.slice(2) as [keyof typeof writers | 'gltf', string, string]
writeFileSync(output, format === 'gltf' ? gltf(input) : await writers[format](weld(corners(input))))
