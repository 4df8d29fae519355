/** The shape of a manifest as JSON Schema (2020-12). Each `expected` completes "… must be" in a fault. */

const extension = '^[a-z0-9]+(\\.[a-z0-9]+)*$'
/** Type, subtype (RFC 6838, section 4.2) and parameters. */
const mime = '^[a-z]+/[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]*(; ?[a-z]+=[A-Za-z0-9.-]+)*$'

const stringShape = { type: 'string', minLength: 1, expected: 'a string that is not empty' }
export const stringsShape = { type: 'array', items: stringShape, expected: 'a list of strings' }
export const format = {
  type: 'string',
  pattern: extension,
  expected: 'an extension in lower case without a dot, such as "png"',
}
const formats = { type: 'array', items: format, uniqueItems: true, expected: 'a list of extensions, each once' }
export const someFormats = { ...formats, minItems: 1, expected: 'a list of one or more extensions, each once' }
const signature = { signature: true, expected: 'bytes as text, { bytes, at } or a regular expression' }
export const call = (purpose: string) => ({ function: true, expected: `a function ${purpose}` })

const formatShape = {
  type: 'object',
  expected: 'an object such as { mime: "image/png" }',
  required: ['mime'],
  additionalProperties: false,
  properties: {
    mime: { type: 'string', pattern: mime, maxLength: 127, expected: 'a media type such as "image/png"' },
    label: { type: 'string', minLength: 1, maxLength: 60, expected: 'a name of 1 to 60 characters' },
    aliases: formats,
    hints: formats,
    signatures: { type: 'array', minItems: 1, expected: 'a list of one or more signatures', items: signature },
    marks: {
      type: 'array',
      minItems: 1,
      expected: 'a list of one or more regular expressions',
      items: { regExp: true, expected: 'a regular expression' },
    },
    text: { enum: ['plain', 'marked'], expected: '"plain" or "marked"' },
    holds: call('that takes the first bytes of a result and returns true or false'),
    sniff: call('that takes the first bytes of a file and returns true or false'),
    wanted: stringsShape,
  },
}

const optionShape = {
  type: 'object',
  expected: 'an object such as { type: "integer", description: "Pixels." }',
  required: ['type', 'description'],
  additionalProperties: false,
  properties: {
    type: {
      enum: ['integer', 'number', 'string', 'boolean'],
      expected: 'one of "integer", "number", "string", "boolean"',
    },
    title: stringShape,
    unit: stringShape,
    description: stringShape,
    enum: { type: 'array', minItems: 1, uniqueItems: true, expected: 'a list of one or more values, each once' },
    minimum: { type: 'number', expected: 'a number' },
    maximum: { type: 'number', expected: 'a number' },
    default: {},
    defaults: { type: 'object', expected: 'an object of defaults by target, such as { jpg: 80 }' },
    implied: { const: true, expected: 'true, or left out' },
    effect: formats,
  },
}

export const manifestShape = {
  type: 'object',
  expected: 'an object with category, formats, options and routes, or a function that returns one',
  required: ['category', 'formats', 'options', 'routes'],
  additionalProperties: false,
  properties: {
    category: {
      type: 'string',
      pattern: '^[a-z][a-z0-9-]*$',
      expected: 'a name of lower-case letters, digits and "-" that starts with a letter',
    },
    formats: {
      type: 'object',
      expected: 'an object of one or more formats by extension, such as { png: { mime: "image/png" } }',
      minProperties: 1,
      propertyNames: format,
      additionalProperties: formatShape,
    },
    options: {
      type: 'object',
      expected: 'an object of options by key; {} for none',
      propertyNames: {
        pattern: '^[a-z][A-Za-z0-9]*$',
        expected: 'a key of letters and digits that starts with a lower-case letter',
      },
      additionalProperties: optionShape,
    },
    rules: {
      type: 'array',
      expected: 'a list of rules',
      items: {
        type: 'object',
        expected: 'an object with forbid and message',
        required: ['forbid', 'message'],
        additionalProperties: false,
        properties: {
          to: someFormats,
          forbid: { type: 'object', expected: 'a JSON Schema' },
          message: { type: 'string', minLength: 10, expected: 'a sentence for the client' },
        },
      },
    },
    presets: {
      type: 'array',
      expected: 'a list of presets',
      items: {
        type: 'object',
        expected: 'an object with name, title and options',
        required: ['name', 'title', 'options'],
        additionalProperties: false,
        properties: {
          name: { type: 'string', pattern: '^[a-z][A-Za-z0-9]*$', expected: 'a name of letters and digits' },
          title: stringShape,
          options: { type: 'object', expected: 'an object of values by option' },
        },
      },
    },
    wanted: stringsShape,
    routes: { type: 'array', items: { type: 'object', expected: 'an object' }, expected: 'a list of routes' },
    losses: { type: 'array', items: { type: 'object', expected: 'an object' }, expected: 'a list of losses' },
    heavy: call('that takes a job and returns true or false'),
  },
}

export const engineShape = {
  type: 'object',
  expected: 'an engine: an object with name, binary, version and argv',
  required: ['name', 'binary', 'version', 'argv'],
  additionalProperties: false,
  properties: {
    name: {
      type: 'string',
      pattern: '^[a-zA-Z0-9][a-zA-Z0-9._-]*$',
      expected: 'a name of letters, digits, ".", "_", "-"',
    },
    binary: {
      type: 'array',
      minItems: 1,
      items: { type: 'string', pattern: '^(/.+|[^/]+)$', expected: 'the name of a program, or its absolute path' },
      expected: 'a list of one or more programs, such as ["openssl"]',
    },
    version: { type: 'array', items: { type: 'string' }, expected: 'the arguments that print the version' },
    package: stringShape,
    features: {
      type: 'array',
      items: { type: 'string' },
      expected: 'the arguments that list the features of the build',
    },
    argv: call('that takes a job and arguments and returns the whole command line'),
    progress: call('that returns a reader of lines'),
    reason: call('that takes the last lines and returns a sentence'),
    sandbox: {
      type: 'object',
      expected: 'an object of what the program needs beyond the defaults',
      additionalProperties: false,
      properties: {
        binds: {
          type: 'array',
          items: { type: 'string', pattern: '^/', expected: 'an absolute path' },
          expected: 'a list of absolute paths',
        },
        mounts: {
          type: 'array',
          items: {
            type: 'array',
            items: { type: 'string', pattern: '^/', expected: 'an absolute path' },
            minItems: 2,
            maxItems: 2,
            expected: 'a pair of absolute paths: source, then target',
          },
          expected: 'a list of pairs of absolute paths',
        },
        env: {
          type: 'object',
          additionalProperties: { type: 'string', expected: 'a string' },
          expected: 'an object of strings by name',
        },
        addressSpace: { type: 'integer', minimum: 0, expected: 'bytes, or 0 for no limit' },
        processes: { type: 'integer', minimum: 1, expected: 'an integer of at least 1' },
        unixSockets: { type: 'boolean', expected: 'true or false' },
      },
    },
    warm: {
      type: 'object',
      expected: 'an object with argv and jobs',
      required: ['argv', 'jobs'],
      additionalProperties: false,
      properties: {
        argv: { type: 'array', expected: 'the arguments that start the program' },
        jobs: { type: 'integer', minimum: 1, expected: 'an integer of at least 1' },
        memory: { type: 'integer', minimum: 1, expected: 'bytes, an integer of at least 1' },
      },
    },
  },
}
