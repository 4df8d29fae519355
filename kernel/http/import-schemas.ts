import { s3 } from '../imports/s3.ts'
import { webdav } from '../imports/webdav.ts'
import { flag, list, nextCursor, record, reference, text } from './response-schema.ts'
import type { ObjectSchema } from './validation.ts'

/** What the requests of imports must look like. */
export const importUrlBody: ObjectSchema = {
  type: 'object',
  required: ['url'],
  properties: {
    url: {
      type: 'string',
      minLength: 1,
      maxLength: 8192,
      description: 'An http or https URL of a public server; no user name or password in it, at most 5 redirects.',
    },
    fileName: {
      type: 'string',
      minLength: 1,
      maxLength: 255,
      description: 'Names the file. Default: as Content-Disposition says, else the last part of the path.',
    },
    headers: {
      type: 'object',
      description:
        'Up to 20 headers to send, their values text. To another origin that a redirect leads to, only Accept, ' +
        'Accept-Language and User-Agent are sent.',
      published: { type: 'object', additionalProperties: { type: 'string' } },
    },
  },
}

/** Whatever connecting one of the providers takes; which of it, the provider's `fields` say. */
export const connectProviderBody: ObjectSchema = {
  type: 'object',
  properties: Object.fromEntries(
    [s3, webdav].flatMap(({ label, fields }) =>
      Object.entries(fields).map(([name, { description }]) => [
        name,
        { type: 'string' as const, description: `${label}: ${description}` },
      ]),
    ),
  ),
}

export const listCloudFilesQuery: ObjectSchema = {
  type: 'object',
  properties: {
    folder: { type: 'string', minLength: 1, maxLength: 4096, description: 'The `ref` of a folder. Default: the top.' },
    cursor: { type: 'string', minLength: 1, maxLength: 4096, description: 'The `nextCursor` of the page before.' },
  },
}

export const finishConnectionQuery: ObjectSchema = {
  type: 'object',
  properties: {
    code: { type: 'string', description: 'From the provider (RFC 6749 §4.1.2).' },
    state: { type: 'string', description: 'From the provider, as `authorizeUrl` carried it.' },
    error: { type: 'string', description: 'From the provider, when it was not allowed.' },
  },
}

export const importFileBody: ObjectSchema = {
  type: 'object',
  required: ['ref'],
  properties: { ref: { type: 'string', minLength: 1, maxLength: 4096, description: 'As the listing gave it.' } },
}

/** What imports answer, beside what uploads do. */
export const importResponses = {
  Provider: record({
    name: text('Names the provider in paths.'),
    label: text('For people.'),
    kind: text('How it is connected: by opening `authorizeUrl`, or by sending its fields.', {
      enum: ['oauth', 'credentials'],
    }),
    connected: flag('Whether you have.'),
    fields: {
      type: 'array',
      description: 'What connecting takes; empty with `oauth`.',
      items: record({ name: text('Key of the body.'), description: text('For people.'), required: flag('Is it?') }),
    },
  }),
  ProviderResponse: record({ provider: reference('Provider') }),
  ProviderList: record({ providers: list('Provider') }),
  ConnectResponse: record({
    authorizeUrl: {
      type: ['string', 'null'],
      description: 'To be opened in a browser; null when it is connected now.',
    },
  }),
  CloudFile: record({
    ref: text('Names the file or folder. Opaque.'),
    name: text('For people.'),
    size: { type: ['integer', 'null'], minimum: 0, description: 'Bytes; null where it is not known.' },
    isFolder: flag('Whether its `ref` can be listed, rather than imported.'),
  }),
  CloudFileList: record({ files: list('CloudFile'), nextCursor }),
}
