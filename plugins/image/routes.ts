import { sharp } from '../../engines/sharp.ts'
import type { Engine, Route } from '../../kernel/contract.ts'
import { avifSequenceDecoder, avifSequenceEncoder } from './animation.ts'
import { decoders } from './decoders.ts'
import { encoders } from './encoders.ts'
import type { ImageOptions } from './options.ts'
import { pipeline, type Stages } from './pipeline.ts'
import { readable, writable } from './sharp.ts'

const unlike = (formats: readonly string[], known: readonly string[]) => formats.filter((name) => !known.includes(name))

/** What may bring an animation: sharp's own formats, and decoders of others. */
const animated = [undefined, ...decoders.filter((decoder) => decoder.animated)]

/**
 * Animations into AVIF; then every decoder with every encoder, by sharp, where what sharp reads or writes itself needs
 * none; last AVIF sequences, which sharp refuses.
 */
export const conversions: Route<ImageOptions>[] = [
  ...animated.map((decoder) => route({ decoder, animator: avifSequenceEncoder })),
  ...[undefined, ...decoders, avifSequenceDecoder].flatMap((decoder) =>
    [undefined, ...encoders].map((encoder) => route({ decoder, encoder })),
  ),
].filter((route) => 'from' in route && route.from.length > 0 && route.to.length > 0)

function route({ decoder, encoder, animator }: Stages): Route<ImageOptions> {
  // The catalogue looks up needs in the engine that the route is named after.
  const codecs = [animator, encoder, decoder].filter((codec) => codec !== undefined)
  const [leader] = codecs.toSorted((a, b) => Number(!a.needs) - Number(!b.needs))
  const engine = leader?.engine ?? sharp
  const engines = new Set<Engine>([...codecs.flatMap((codec) => [codec.engine, ...(codec.uses ?? [])]), sharp])
  return {
    from: sources({ decoder, animator }),
    to: animator?.to ?? (encoder ? unlike(encoder.to, writable) : writable),
    engine,
    needs: codecs.filter((codec) => codec.engine === engine).flatMap((codec) => codec.needs ?? []),
    uses: [...engines].filter((other) => other !== engine),
    convert: pipeline({ decoder, encoder, animator }),
  }
}

function sources({ decoder, animator }: Stages): readonly string[] {
  if (decoder) return decoder === avifSequenceDecoder ? decoder.from : unlike(decoder.from, readable)
  return animator ? ['gif', 'webp', 'apng'] : readable
}
