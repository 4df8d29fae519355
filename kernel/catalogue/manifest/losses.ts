import type { LossKind } from '../../contract.ts'
import { condition } from './route-shape.ts'
import { call } from './shape.ts'

/** What happened, for people, by kind of loss. Every kind is here, and only here. */
export const LOSSES: Readonly<Record<LossKind, string>> = {
  alpha: 'The alpha channel was dropped, and transparent areas were filled',
  animation: 'Only the first frame was kept',
  fonts: 'Fonts were replaced by similar ones',
  layers: 'Layers were merged into one picture',
  macros: 'Macros were removed',
  metadata: 'Metadata were removed',
  streams: 'Streams were left out',
}

const kinds = Object.keys(LOSSES)

/** The shape of one loss as JSON Schema. */
export const lossShape = {
  type: 'object',
  expected: 'a loss: an object with kind and when',
  required: ['kind', 'when'],
  additionalProperties: false,
  properties: {
    kind: { enum: kinds, expected: `one of ${kinds.join(', ')}` },
    when: condition,
    names: call('that takes facts and a job, and returns a list of names'),
  },
}
