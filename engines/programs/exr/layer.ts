/**
 * Gives the first layer of an OpenEXR picture the names that programs look for, `R`, `G`, `B` and `A`, if it has none
 * of them, as those of Photoshop and Blender: `layer.ts INPUT OUTPUT`. Other pictures stay as they are.
 *
 * @see https://openexr.com/en/latest/OpenEXRFileLayout.html
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { refuse } from '../refusal/refusal.ts'

const [input, output] = process.argv.slice(2) as [string, string]
const source = readFileSync(input)

/** Bytes before the header, of a channel behind its name, and of a place of pixels. */
const START = 8
const CHANNEL = 16
const PLACE = 8
const PARTS_OR_DEEP = 0x1800
const COLOURS = ['R', 'G', 'B'] as const
/** Names of layers that hold the whole picture, in Blender and others. */
const whole = /combined|composite|beauty|rgba/i

interface Attribute {
  name: string
  kind: string
  start: number
  value: Buffer
}

function text(at: number): { text: string; end: number } {
  const end = source.indexOf(0, at)
  if (end < 0) damaged()
  return { text: source.toString('latin1', at, end), end: end + 1 }
}

function damaged(): never {
  return refuse('The picture is damaged')
}

function header(): { attributes: Attribute[]; end: number } {
  const attributes: Attribute[] = []
  let at = START
  while (source[at] !== 0) {
    const name = text(at)
    const kind = text(name.end)
    if (kind.end + 4 > source.length) damaged()
    const start = kind.end + 4
    const end = start + source.readUInt32LE(kind.end)
    if (end >= source.length) damaged()
    attributes.push({ name: name.text, kind: kind.text, start: at, value: source.subarray(start, end) })
    at = end
  }
  return { attributes, end: at + 1 }
}

/** Names of channels and what else is known of them. */
function channelsOf(list: Buffer): { name: string; more: Buffer }[] {
  const channels: { name: string; more: Buffer }[] = []
  for (let at = 0; at < list.length && list[at] !== 0; ) {
    const end = list.indexOf(0, at) + 1
    if (end === 0 || end + CHANNEL > list.length) damaged()
    channels.push({ name: list.toString('latin1', at, end - 1), more: list.subarray(end, end + CHANNEL) })
    at = end + CHANNEL
  }
  return channels
}

/** The layer to show: one that tells that it is whole, else the first one with colours. */
function layerOf(names: string[]): string | undefined {
  const layers = names.filter((name) => name.endsWith('.R')).map((name) => name.slice(0, -1))
  const coloured = layers.filter((layer) => COLOURS.every((colour) => names.includes(layer + colour)))
  return coloured.find((layer) => whole.test(layer)) ?? coloured[0]
}

/** New names in the same order: programs expect pixels in the order of the names. */
function renamed(names: string[], layer: string): string[] {
  const own = names.filter((name) => name.startsWith(layer) && 'RGBA'.includes(name.slice(layer.length)))
  const [first, last] = [names.indexOf(own[0]!), names.indexOf(own.at(-1)!)]
  if (last - first + 1 !== own.length) return names
  return names.map((name, at) => {
    if (at < first) return `!${String(at).padStart(5, '0')}`
    return at > last ? `~${String(at).padStart(5, '0')}` : name.slice(layer.length)
  })
}

function mended(): Buffer {
  if (source.length < START || source.readUInt32LE(4) & PARTS_OR_DEEP) return source
  const { attributes, end } = header()
  const list = attributes.find(({ name, kind }) => name === 'channels' && kind === 'chlist')
  const channels = channelsOf(list?.value ?? Buffer.alloc(0))
  const names = channels.map(({ name }) => name)
  const layer = names.some((name) => /^[RGBY]$/.test(name)) ? undefined : layerOf(names)
  if (!list || layer === undefined) return source
  const shown = renamed(names, layer)
  const parts = channels.flatMap(({ more }, at) => [Buffer.from(`${shown[at]}\0`, 'latin1'), more])
  const value = Buffer.concat([...parts, Buffer.alloc(1)])
  const size = Buffer.alloc(4)
  size.writeUInt32LE(value.length)
  const before = source.subarray(0, list.start + 'channels\0chlist\0'.length)
  const behind = source.subarray(before.length + 4 + list.value.length, end)
  const moved = value.length - list.value.length
  // The places of all pixels come first, the nearest ones directly behind them.
  const places = placesAt(end)
  for (let at = 0; at < places.length; at += PLACE)
    places.writeBigUInt64LE(places.readBigUInt64LE(at) + BigInt(moved), at)
  return Buffer.concat([before, size, value, behind, places, source.subarray(end + places.length)])
}

function placesAt(start: number): Buffer {
  let nearest = source.length
  let at = start
  for (; at + PLACE <= nearest; at += PLACE) {
    const place = Number(source.readBigUInt64LE(at))
    if (place <= start || place > source.length) damaged()
    nearest = Math.min(nearest, place)
  }
  return Buffer.from(source.subarray(start, at))
}

writeFileSync(output, mended())
