/** The shape of a manifest as JSON Schema (2020-12). Each `title` completes "… must be" in a fault. */

const extension = '^[a-z0-9]+(\\.[a-z0-9]+)*$'
/** Type, subtype (RFC 6838, section 4.2) and parameters. */
const mime = '^[a-z]+/[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]*(; ?[a-z]+=[A-Za-z0-9.-]+)*$'

export const stringShape = { type: 'string', minLength: 1, title: 'a string that is not empty' }
export const stringsShape = { type: 'array', items: stringShape, title: 'a list of strings' }
export const format = {
  type: 'string',
  pattern: extension,
  title: 'an extension in lower case without a dot, such as "png"',
}
const formats = { type: 'array', items: format, uniqueItems: true, title: 'a list of extensions, each once' }
export const someFormats = { ...formats, minItems: 1, title: 'a list of one or more extensions, each once' }
const signature = { signature: true, title: 'bytes as text, { bytes, at } or a regular expression' }
export const call = (title: string) => ({ function: true, title: `a function ${title}` })

export const formatShape = {
  type: 'object',
  title: 'an object such as { mime: "image/png" }',
  required: ['mime'],
  additionalProperties: false,
  properties: {
    mime: { type: 'string', pattern: mime, maxLength: 127, title: 'a media type such as "image/png"' },
    label: { type: 'string', minLength: 1, maxLength: 60, title: 'a name of 1 to 60 characters' },
    aliases: formats,
    hints: formats,
    signatures: { type: 'array', minItems: 1, title: 'a list of one or more signatures', items: signature },
    marks: {
      type: 'array',
      minItems: 1,
      title: 'a list of one or more regular expressions',
      items: { regExp: true, title: 'a regular expression' },
    },
    text: { enum: ['plain', 'marked'], title: '"plain" or "marked"' },
    holds: call('that takes the first bytes of a result and returns true or false'),
    sniff: call('that takes the first bytes of a file and returns true or false'),
    wanted: stringsShape,
  },
}

export const optionShape = {
  type: 'object',
  title: 'an object such as { type: "integer", description: "Pixels." }',
  required: ['type', 'description'],
  additionalProperties: false,
  properties: {
    type: {
      enum: ['integer', 'number', 'string', 'boolean'],
      title: 'one of "integer", "number", "string", "boolean"',
    },
    title: stringShape,
    unit: stringShape,
    description: stringShape,
    enum: { type: 'array', minItems: 1, uniqueItems: true, title: 'a list of one or more values, each once' },
    minimum: { type: 'number', title: 'a number' },
    maximum: { type: 'number', title: 'a number' },
    default: {},
    defaults: { type: 'object', title: 'an object of defaults by target, such as { jpg: 80 }' },
    implied: { const: true, title: 'true, or left out' },
    effect: formats,
  },
}

export const manifestShape = {
  type: 'object',
  title: 'an object with category, formats, options and routes, or a function that returns one',
  required: ['category', 'formats', 'options', 'routes'],
  additionalProperties: false,
  properties: {
    category: {
      type: 'string',
      pattern: '^[a-z][a-z0-9-]*$',
      title: 'a name of lower-case letters, digits and "-" that starts with a letter',
    },
    formats: {
      type: 'object',
      title: 'an object of one or more formats by extension, such as { png: { mime: "image/png" } }',
      minProperties: 1,
      propertyNames: format,
      additionalProperties: formatShape,
    },
    options: {
      type: 'object',
      title: 'an object of options by key; {} for none',
      propertyNames: {
        pattern: '^[a-z][A-Za-z0-9]*$',
        title: 'a key of letters and digits that starts with a lower-case letter',
      },
      additionalProperties: optionShape,
    },
    rules: {
      type: 'array',
      title: 'a list of rules',
      items: {
        type: 'object',
        title: 'an object with forbid and message',
        required: ['forbid', 'message'],
        additionalProperties: false,
        properties: {
          to: someFormats,
          forbid: { type: 'object', title: 'a JSON Schema' },
          message: { type: 'string', minLength: 10, title: 'a sentence for the client' },
        },
      },
    },
    presets: {
      type: 'array',
      title: 'a list of presets',
      items: {
        type: 'object',
        title: 'an object with name, title and options',
        required: ['name', 'title', 'options'],
        additionalProperties: false,
        properties: {
          name: { type: 'string', pattern: '^[a-z][A-Za-z0-9]*$', title: 'a name of letters and digits' },
          title: stringShape,
          options: { type: 'object', title: 'an object of values by option' },
        },
      },
    },
    wanted: stringsShape,
    routes: { type: 'array', items: { type: 'object', title: 'an object' }, title: 'a list of routes' },
    heavy: call('that takes a job and returns true or false'),
  },
}

export const engineShape = {
  type: 'object',
  title: 'an engine: an object with name, binary, version and argv',
  required: ['name', 'binary', 'version', 'argv'],
  additionalProperties: false,
  properties: {
    name: {
      type: 'string',
      pattern: '^[a-zA-Z0-9][a-zA-Z0-9._-]*$',
      title: 'a name of letters, digits, ".", "_", "-"',
    },
    binary: {
      type: 'array',
      minItems: 1,
      items: { type: 'string', pattern: '^(/.+|[^/]+)$', title: 'the name of a program, or its absolute path' },
      title: 'a list of one or more programs, such as ["openssl"]',
    },
    version: { type: 'array', items: { type: 'string' }, title: 'the arguments that print the version' },
    package: stringShape,
    features: { type: 'array', items: { type: 'string' }, title: 'the arguments that list the features of the build' },
    argv: call('that takes a job and arguments and returns the whole command line'),
    progress: call('that returns a reader of lines'),
    reason: call('that takes the last lines and returns a sentence'),
    sandbox: {
      type: 'object',
      title: 'an object of what the program needs beyond the defaults',
      additionalProperties: false,
      properties: {
        binds: {
          type: 'array',
          items: { type: 'string', pattern: '^/', title: 'an absolute path' },
          title: 'a list of absolute paths',
        },
        mounts: {
          type: 'array',
          items: {
            type: 'array',
            items: { type: 'string', pattern: '^/', title: 'an absolute path' },
            minItems: 2,
            maxItems: 2,
            title: 'a pair of absolute paths: source, then target',
          },
          title: 'a list of pairs of absolute paths',
        },
        env: {
          type: 'object',
          additionalProperties: { type: 'string', title: 'a string' },
          title: 'an object of strings by name',
        },
        addressSpace: { type: 'integer', minimum: 0, title: 'bytes, or 0 for no limit' },
        processes: { type: 'integer', minimum: 1, title: 'an integer of at least 1' },
        unixSockets: { type: 'boolean', title: 'true or false' },
      },
    },
    warm: {
      type: 'object',
      title: 'an object with argv and jobs',
      required: ['argv', 'jobs'],
      additionalProperties: false,
      properties: {
        argv: { type: 'array', title: 'the arguments that start the program' },
        jobs: { type: 'integer', minimum: 1, title: 'an integer of at least 1' },
        memory: { type: 'integer', minimum: 1, title: 'bytes, an integer of at least 1' },
      },
    },
  },
}
