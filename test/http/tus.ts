import { call, type Reply, type Service } from '../harness/service.ts'

export const TUS = { 'tus-resumable': '1.0.0' }
const encode = (text: string) => Buffer.from(text).toString('base64')

type Headers = Record<string, string>

/** Begins a resumable upload. */
export const begin = (service: Service, length: number | 'later', more: Headers = {}, name = 'note.stub') =>
  call(service, 'POST', '/api/uploads/tus', {
    headers: {
      ...TUS,
      ...(length === 'later' ? { 'upload-defer-length': '1' } : { 'upload-length': String(length) }),
      'upload-metadata': `filename ${encode(name)},filetype ${encode('text/html')}`,
      ...more,
    },
  })

/** The path of an upload that was begun. */
export const placeOf = ({ headers }: Reply) => new URL(headers.get('location')!, 'http://x/api/uploads/tus').pathname

/** Sends one part. */
export const send = (service: Service, path: string, offset: number, body: string, more: Headers = {}) =>
  call(service, 'PATCH', path, {
    body,
    headers: { ...TUS, 'content-type': 'application/offset+octet-stream', 'upload-offset': `${offset}`, ...more },
  })

export const head = (service: Service, path: string, more: Headers = {}) =>
  call(service, 'HEAD', path, { headers: { ...TUS, ...more } })

/** Returns how many bytes have arrived. */
export const offsetOf = async (service: Service, path: string, more: Headers = {}) =>
  Number((await head(service, path, more)).headers.get('upload-offset'))
