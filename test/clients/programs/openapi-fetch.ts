import createClient from 'openapi-fetch'
import type { paths } from './schema'

/** Uploads, converts, polls and downloads. */
export async function convert(baseUrl: string, source: Blob): Promise<string> {
  const client = createClient<paths>({ baseUrl })
  const uploaded = await client.POST('/api/uploads', {
    body: { file: source },
    bodySerializer({ file }) {
      const form = new FormData()
      form.append('file', file, 'note.stub')
      return form
    },
  })
  if (!uploaded.data) throw new Error(uploaded.error.error.message)
  const { fileId } = uploaded.data.file
  const started = await client.POST('/api/conversions', { body: { fileId, toFormat: 'bust', options: { sleep: 1 } } })
  if (!started.data) throw new Error(started.error.error.code)
  const id = started.data.conversionId
  const polled = await client.GET('/api/conversions/{id}', { params: { path: { id }, query: { wait: 30 } } })
  const conversion = polled.data?.conversion
  if (conversion?.status !== 'completed' || !conversion.outputUrl) throw new Error(conversion?.error?.message)
  const token = new URL(conversion.outputUrl).searchParams.get('token') ?? ''
  const result = await client.GET('/api/files/{id}/download', {
    params: { path: { id }, query: { token } },
    parseAs: 'blob',
  })
  if (!result.data) throw new Error('no result')
  return result.data.text()
}
