import { ffmpeg } from '../../fixtures/program.ts'
import type { Specimen } from '../family.ts'

/** Arguments of a command line. */
export const flags = (text: string): (string | number)[] => text.split(' ')
export const h264 = flags('-c:v libx264 -crf 16 -preset veryfast -pix_fmt yuv420p')
export const aac = flags('-c:a aac -b:a 128k')

export const titled = { truth: { title: 'Blitz Ω 音' } }
export const withTitle = ['-metadata', `title=${titled.truth.title}`]

/** Seconds that every scene lasts. */
const seconds = 2.4

/** When the flash and the beep begin, in seconds. Both last 0.2 s. */
const flash = 1

/** Colours of the quarters of the picture: above, then below, from left to right. */
const quarters = [
  [0xc0, 0x30, 0x30],
  [0x30, 0xa0, 0x40],
  [0x30, 0x40, 0xc0],
  [0xc0, 0xc0, 0x30],
] as const

/** Frequencies in hertz of the beep by channel. */
export const tones = [440, 660, 880, 110, 550, 770]

/** What is filmed. */
export interface Scene {
  /** Pixels as stored. Default 160 × 120. */
  width?: number
  height?: number
  /** Shape of a pixel, its width by its height. Default 1. */
  pixel?: number
  /** Frames a second, as ffmpeg writes it. Default 25. */
  rate?: string
  /** Channels; 0 without sound. Default 2. */
  channels?: 0 | 1 | 2 | 6
  /** Clockwise degrees by which players turn it. Default 0. */
  turn?: 0 | 90 | 270
  /** Second sound stream, one octave higher. */
  second?: boolean
}

/** 8 × 6 points of the picture before the flash, as red, green and blue. */
function grid(turn: 0 | 90 | 270): number[] {
  const order = { 0: [0, 1, 2, 3], 90: [2, 0, 3, 1], 270: [1, 3, 0, 2] }[turn]
  return Array.from({ length: 48 }, (_, at) => [
    ...quarters[order[(at >= 24 ? 2 : 0) + (at % 8 >= 4 ? 1 : 0)]!]!,
  ]).flat()
}

function pictureOf({ width = 160, height = 120, rate = '25' }: Scene): string {
  const boxes = quarters.map(([red, green, blue], at) => {
    const colour = Buffer.from([red, green, blue]).toString('hex')
    return `drawbox=${(at % 2) * (width / 2)}:${(at >> 1) * (height / 2)}:${width / 2}:${height / 2}:0x${colour}:fill`
  })
  const light = `drawbox=color=white:t=fill:enable='between(t,${flash - 0.01},${flash + 0.19})'`
  return [`color=s=${width}x${height}:r=${rate}:d=${seconds}`, 'format=rgb24', ...boxes, light].join(',')
}

function soundOf(channels: number, octave = 1): string {
  const beep = (hertz: number) => `0.5*sin(2*PI*${hertz * octave}*t)*between(t\\,${flash}\\,${flash + 0.2})`
  const layout = channels === 6 ? ':c=5.1' : ''
  return `aevalsrc=${tones.slice(0, channels).map(beep).join('|')}:s=48000:d=${seconds}${layout}`
}

/** Features that every film with sound has. */
const shown = ['size', 'look', 'duration', 'rate']

/** A film that ffmpeg writes: `args` follow the inputs, the picture as input 0 and the sounds after it. */
export function filmed(
  name: string,
  args: readonly (string | number)[],
  scene: Scene = {},
  more: { truth?: Specimen['truth'] } = {},
): Specimen {
  const { width = 160, height = 120, pixel = 1, rate = '25', channels = 2, turn = 0, second = false } = scene
  const [above, below = 1] = rate.split('/').map(Number) as [number, number?]
  const upright = { width: Math.round(width * pixel), height }
  const sounds = channels === 0 ? [] : [soundOf(channels), ...(second ? [soundOf(channels, 2)] : [])]
  const inputs = [pictureOf(scene), ...sounds].flatMap((source) => ['-f', 'lavfi', '-i', source])
  return {
    name,
    from: name.slice(name.indexOf('.') + 1),
    maker: 'FFmpeg',
    features: [...new Set([...shown, ...(channels > 0 ? ['sync', 'sound'] : []), ...Object.keys(more.truth ?? {})])],
    make: async (output) => ffmpeg(...inputs, ...args, '-shortest', output),
    truth: {
      size: turn ? { width: upright.height, height: upright.width } : upright,
      look: grid(turn),
      duration: seconds,
      rate: { mean: above / below, max: above / below },
      ...(channels > 0 && { sync: { flash, beep: flash }, sound: { hertz: tones.slice(0, channels), level: -9 } }),
      ...more.truth,
    },
  }
}

/** A film whose file another program makes of one by ffmpeg. */
export const refilmed = (
  of: Specimen,
  name: string,
  maker: string,
  pack: (input: string, output: string, scratch: string) => Promise<unknown>,
  more: { truth?: Specimen['truth'] } = {},
): Specimen => ({
  name,
  from: name.slice(name.indexOf('.') + 1),
  maker,
  features: [...of.features, ...Object.keys(more.truth ?? {})],
  truth: { ...of.truth, ...more.truth },
  make: async (output, scratch) => {
    await of.make(`${scratch}/source-${of.name}`, scratch)
    await pack(`${scratch}/source-${of.name}`, output, scratch)
  },
})
