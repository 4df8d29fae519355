import { readFile } from 'node:fs/promises'
import { recall } from '../../fixtures/story.ts'
import { places } from '../../matrix/outlines.ts'
import { read } from '../../matrix/page.ts'
import type { Pixels } from '../../matrix/pixels.ts'
import type { Feature } from '../family.ts'
import { paperOf } from '../paper.ts'
import { alike, density, firstPage, flat, isSource, see } from '../sight.ts'
import { allNear, among, instead, lacks } from './compare.ts'
import { dotsOf } from './picture.ts'

type Pair = readonly [across: number, down: number]

const visible = ['png', 'jpg', 'webp', 'svg', 'pdf', 'eps']
const kept = among(visible)

/** Everything on white, at a quarter of the size. */
const look: Feature<Pixels> = {
  name: 'look',
  rule: (from, to) => (from === 'dxf' || from === 'dwg' ? undefined : kept(from, to)),
  read: see,
  differs: async (wanted, got, { specimen }) => {
    const floor = Number(specimen.truth?.likeness ?? 20)
    const level = await alike(wanted, got!)
    return level < floor ? `${level.toFixed(1)} dB, at least ${floor} wanted` : undefined
  },
}

/** Size on paper in inches, within a millimetre or 1.5 %. */
const paper: Feature<Pair> = {
  name: 'paper',
  // Plans have margins on paper, and no page of their own.
  rule: (from, to) => (['dxf', 'dwg'].includes(from) ? undefined : kept(from, to)),
  read: (subject) =>
    firstPage(subject, async (path): Promise<Pair> => {
      if (subject.format === 'pdf') return paperOf(path)
      const { width, height } = await see(subject)
      const [x, y] = ['svg', 'svgz', 'eps', 'ps', 'ai'].includes(subject.format)
        ? [density, density]
        : ((await dotsOf(subject)) ?? [96, 96])
      return [width / x, height / y]
    }),
  differs: (wanted, got) =>
    allNear(wanted, got, (side) => Math.max(0.04, side * 0.015)) ? undefined : instead(wanted, got, ' inches'),
}

const channels = (colour: string) => [...Buffer.from(colour.slice(1), 'hex')]

/** Colours of areas and lines, which the specimen states: each must cover at least one pixel in 3,000. */
const colours: Feature<readonly string[]> = {
  name: 'colours',
  rule: kept,
  read: async (subject) => {
    if (isSource(subject)) return undefined
    const { data } = await see(subject)
    const counts = new Map<string, number>()
    for (let at = 0; at < data.length; at += 4) {
      const name = `#${data.toString('hex', at, at + 3)}`
      counts.set(name, (counts.get(name) ?? 0) + 1)
    }
    return [...counts].filter(([, count]) => count > data.length / 4 / 3000).map(([name]) => name)
  },
  differs: (wanted, got) => lacks(wanted, got, (one, other) => allNear(channels(one), channels(other), () => 30)),
}

/** Words, which the specimen states. They are read from the page by sight: text can become outlines. */
const words: Feature<ReadonlySet<string>> = {
  name: 'words',
  rule: kept,
  read: async (subject) => (isSource(subject) ? undefined : new Set([await read(await see(subject), 11)])),
  differs: (wanted, got = new Set()) => {
    const lost = [...wanted].filter((word) => recall([...got].join(' '), new Set([word])) < 1)
    return lost.length > 0 ? `${lost.join(', ')} cannot be read` : undefined
  },
}

/** Width and height of all that a plan draws, in millimetres; without the half of lines. Specimens state it. */
const extent: Feature<Pair> = {
  name: 'extent',
  rule: among(['dxf']),
  read: async (subject) => {
    if (isSource(subject)) return undefined
    const found = places(await readFile(subject.path, 'latin1'))
    const [width, height] = [0, 1].map((axis) => {
      const along = found.map((place) => place[axis]!)
      return Math.max(...along) - Math.min(...along)
    })
    return [width!, height!]
  },
  differs: (wanted, got) =>
    allNear(wanted, got, (side) => Math.max(1, side * 0.02)) ? undefined : instead(wanted, got, ' mm'),
}

/** Whether there is anything to see. */
const shown: Feature<boolean> = {
  name: 'shown',
  rule: kept,
  read: async (subject) => {
    if (isSource(subject)) return true
    const { channels } = await flat(await see(subject)).stats()
    return channels.some(({ stdev, min, max }) => stdev > 1 || max - min > 64)
  },
  differs: (_, got) => (got ? undefined : 'it is blank'),
}

/** Features of drawings. */
export const drawingFeatures: readonly Feature[] = [look, paper, colours, words, extent, shown]
