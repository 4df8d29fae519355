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
    },
  },
}
