import { exiftool } from '../../engines/exiftool.ts'
import { sharp } from '../../engines/sharp.ts'
import type { Engine, Route } from '../../kernel/contract.ts'
import { avifSequenceDecoder, avifSequenceEncoder } from './animation.ts'
import { decoders } from './decoders.ts'
import { encoders } from './encoders.ts'
import { mayCarry } from './metadata.ts'
import type { ImageOptions } from './options.ts'
import { pipeline, type Stages } from './pipeline.ts'
import { readable, writable } from './sharp.ts'

const unlike = (formats: readonly string[], known: readonly string[]) => formats.filter((name) => !known.includes(name))

/** What may bring an animation: sharp's own formats, and decoders of others. */
const moving: readonly string[] = ['gif', 'webp', 'apng']
const animated = [undefined, ...decoders.filter((decoder) => decoder.animated)]

/**
 * Animations into AVIF; then every decoder with every encoder, by sharp, where what sharp reads or writes itself needs
 * none; last AVIF sequences, which sharp refuses.
 */
export const conversions: Route<ImageOptions>[] = [
  ...animated.flatMap((decoder) => routes({ decoder, animator: avifSequenceEncoder })),
  ...[undefined, ...decoders, avifSequenceDecoder].flatMap((decoder) =>
    [undefined, ...encoders].flatMap((encoder) => routes({ decoder, encoder })),
  ),
].filter((route) => 'from' in route && route.from.some((from) => route.to.some((to) => to !== from)))

/** Several, since some pairs need one engine more, and AVIF out of what may move is the animator's. */
function routes(stages: Stages): Route<ImageOptions>[] {
  const { decoder, encoder, animator } = stages
  const groups = Map.groupBy(sources(stages), (source) => (source === 'tif' || moving.includes(source) ? source : ''))
  return [...groups].flatMap(([source, from]) => {
    const native = decoder?.animated || moving.includes(source) ? unlike(writable, avifSequenceEncoder.to) : writable
    const targets = animator?.to ?? (encoder ? unlike(encoder.to, writable) : native)
    const described = targets.filter((target) => mayCarry(source, decoder, target))
    const plain = unlike(targets, described)
    return [route(stages, { from, to: plain }, []), route(stages, { from, to: described }, [exiftool])]
  })
}

interface Pairs {
  from: readonly string[]
  to: readonly string[]
}

function route({ decoder, encoder, animator }: Stages, pairs: Pairs, more: Engine[]): Route<ImageOptions> {
  // The catalogue looks up needs in the engine that the route is named after.
  const codecs = [animator, encoder, decoder].filter((codec) => codec !== undefined)
  const [leader] = codecs.toSorted((a, b) => Number(!a.needs) - Number(!b.needs))
  const engine = leader?.engine ?? sharp
  const others = codecs.flatMap((codec) => [codec.engine, ...(codec.uses ?? [])])
  const engines = new Set<Engine>([...others, sharp, ...more])
  return {
    ...pairs,
    engine,
    needs: codecs.filter((codec) => codec.engine === engine).flatMap((codec) => codec.needs ?? []),
    uses: [...engines].filter((other) => other !== engine),
    convert: pipeline({ decoder, encoder, animator }),
  }
}

function sources({ decoder, animator }: Stages): readonly string[] {
  if (decoder) return decoder === avifSequenceDecoder ? decoder.from : unlike(decoder.from, readable)
  return animator ? moving : readable
}
