import type { Pair } from './pairs.ts'

type Pointer = number

/** The functions of LibreDWG that tell of objects. */
export interface Objects {
  dwg_get_num_objects(drawing: Pointer): number
  dwg_get_object(drawing: Pointer, at: number): Pointer
  dwg_object_get_supertype(object: Pointer): number
  dwg_object_get_dxfname(object: Pointer): string
  dwg_object_get_handle_object(object: Pointer): { value: bigint }
  dwg_object_to_entity(object: Pointer): Pointer
  dwg_object_entity_get_layer_object_ref(entity: Pointer): { absolute_ref: bigint }
  dwg_object_entity_get_ownerhandle_object(entity: Pointer): { absolute_ref: bigint }
  dwg_object_entity_get_color_object(entity: Pointer): { index: number }
  dwg_entity_get_preview(object: Pointer): Uint8Array | null
  /** The module beneath, for functions that the library does not pass on. */
  wasmInstance: {
    dwg_object_entity_get_entmode(entity: Pointer): number
    dwg_object_entity_get_invisible(entity: Pointer): number
  }
}

/** Super type of entities; where one is, by its mode: in a block, on the paper. */
const ENTITY = 0
const IN_BLOCK = 0
const ON_PAPER = 1
/** Bytes of graphics without anything in them. */
const EMPTY = 8
/** Bytes in a line. */
const LINE = 127
/** Entities that are part of others. */
const parts = /^(BLOCK|ENDBLK|SEQEND|VERTEX|ATTRIB|VIEWPORT)/

/** An entity that LibreDWG does not write, as the lines that its program stored for others (a proxy). */
export interface Lost {
  /** Handle of the block that it is in; none in the model and on the paper. */
  block: string | undefined
  pairs: Pair[]
}

const hex = (value: bigint | Buffer) => {
  return (typeof value === 'bigint' ? value.toString(16) : value.toString('hex')).toUpperCase()
}

/** Lines of hexadecimal digits, as DXF holds bytes. */
function hexLines(data: Buffer) {
  const lines: Pair[] = []
  for (let at = 0; at < data.length; at += LINE) lines.push([310, hex(data.subarray(at, at + LINE))])
  return lines
}

/**
 * Finds the entities that are not in the DXF: those of other programs, such as walls of AutoCAD Architecture.
 *
 * @param written the handles in the DXF
 * @param layerNames names of layers by their handles
 * @param length group code of the length of graphics, which differs between versions of DXF
 * @returns those that can be drawn, and the types of the others
 */
export function lostIn(
  library: Objects,
  drawing: Pointer,
  { written, layerNames, length }: { written: Set<string>; layerNames: Map<string, string>; length: number },
) {
  const found: Lost[] = []
  const unknown: string[] = []
  for (let at = 0; at < library.dwg_get_num_objects(drawing); at++) {
    const object = library.dwg_get_object(drawing, at)
    if (library.dwg_object_get_supertype(object) !== ENTITY) continue
    const handle = hex(library.dwg_object_get_handle_object(object).value)
    const name = library.dwg_object_get_dxfname(object)
    if (handle === '0' || written.has(handle) || parts.test(name)) continue
    const graphics = library.dwg_entity_get_preview(object)
    if (graphics && graphics.length > EMPTY) found.push(proxy(object, handle, Buffer.from(graphics)))
    else unknown.push(name)
  }
  return { found, unknown }

  function proxy(object: Pointer, handle: string, graphics: Buffer): Lost {
    const entity = library.dwg_object_to_entity(object)
    const mode = library.wasmInstance.dwg_object_entity_get_entmode(entity)
    const hidden = library.wasmInstance.dwg_object_entity_get_invisible(entity)
    const layer = hex(library.dwg_object_entity_get_layer_object_ref(entity).absolute_ref)
    const pairs: Pair[] = [
      [0, 'ACAD_PROXY_ENTITY'],
      [5, handle],
      [100, 'AcDbEntity'],
      [67, mode === ON_PAPER ? '1' : '0'],
      [8, layerNames.get(layer) ?? '0'],
      [62, String(library.dwg_object_entity_get_color_object(entity).index)],
      [60, hidden ? '1' : '0'],
      [100, 'AcDbProxyEntity'],
      [90, '498'],
      [91, '500'],
      [length, String(graphics.length)],
      ...hexLines(graphics),
      [94, '0'],
    ]
    if (mode !== IN_BLOCK) return { block: undefined, pairs }
    return { block: hex(library.dwg_object_entity_get_ownerhandle_object(entity).absolute_ref), pairs }
  }
}
