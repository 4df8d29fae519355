/** The shape of a route and its steps as JSON Schema; `shape.ts` describes the rest of the manifest. */

import { call, format, someFormats, stringsShape } from './shape.ts'

const ways = { needs: stringsShape, engine: {} }
const pairs = { from: someFormats, to: someFormats, transform: someFormats }

/** Name of a step's input or output: a file, one file per page, a folder, or a prefix of names in a folder. */
const stepFile = '^(source|[a-z0-9-]+/[a-z0-9-]*|([a-z0-9-]+/)?[a-z0-9-]*(%03d)?(\\.([a-z0-9]+|\\{from\\}|\\{to\\}))+)$'

const values = { type: 'array', minItems: 1, expected: 'a list of one or more values' }

export const condition = {
  type: 'object',
  expected: 'an object such as { options: { metadata: ["remove"] } }',
  additionalProperties: false,
  properties: {
    from: someFormats,
    to: someFormats,
    options: { type: 'object', expected: 'lists of values by option', additionalProperties: values },
    more: { type: 'object', expected: 'lists of values by name', additionalProperties: values },
    pages: { enum: ['one', 'several'], expected: '"one" or "several"' },
    moving: { type: 'boolean', expected: 'true or false' },
    written: { type: 'string', pattern: stepFile, expected: 'the output of an earlier step' },
    not: { type: 'object', expected: 'a condition' },
  },
}

/** One step of a route. `faults.ts` checks its engine separately. */
export const stepShape = {
  type: 'object',
  expected: 'a step: an object with engine and args, or engine and convert',
  additionalProperties: false,
  properties: {
    ...ways,
    when: condition,
    input: { type: 'string', pattern: stepFile, expected: '"source" or the output of an earlier step' },
    output: {
      type: ['string', 'boolean'],
      pattern: stepFile,
      not: { const: true },
      expected: 'a file such as "page.html" or "page-%03d.svg", a folder such as "pages/", or false',
    },
    each: { const: 'page', expected: '"page", or left out' },
    optional: { type: 'boolean', expected: 'true or false' },
    heavy: condition,
    args: call('that takes a job and facts, and returns the arguments'),
    facts: call('that takes lines and returns facts'),
    convert: call('that takes a job, a runner and facts'),
    uses: { type: 'array', expected: 'a list of engines' },
  },
}

/** Shapes of a route by the key that says how it works. `faults.ts` checks the engine separately. */
export const routeShapes = {
  via: { required: ['via'], properties: { ...pairs, via: format } },
  args: {
    required: ['args'],
    properties: { ...pairs, ...ways, args: call('that takes a job and returns the arguments') },
  },
  steps: {
    required: ['steps'],
    properties: { ...pairs, ...ways, steps: { type: 'array', minItems: 1, expected: 'a list of one or more steps' } },
  },
  convert: {
    required: ['convert'],
    properties: {
      ...pairs,
      ...ways,
      uses: { type: 'array', expected: 'a list of engines' },
      convert: call('that takes a job and a runner'),
    },
  },
}
