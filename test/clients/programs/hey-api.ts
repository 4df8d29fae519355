import { createClient } from './hey/client'
import { downloadFile, getConversion, startConversion, uploadFile } from './hey/sdk.gen'

/** Uploads, converts, polls and downloads. */
export async function convert(baseUrl: string, source: Blob): Promise<string> {
  const client = createClient({ baseUrl })
  const uploaded = await uploadFile({ client, body: { file: source } })
  if (!uploaded.data) throw new Error(uploaded.error.error.message)
  const { fileId } = uploaded.data.file
  const started = await startConversion({ client, body: { fileId, toFormat: 'bust', options: { sleep: 1 } } })
  if (!started.data) throw new Error(started.error.error.code)
  const id = started.data.conversionId
  const polled = await getConversion({ client, path: { id }, query: { wait: 30 } })
  const conversion = polled.data?.conversion
  if (conversion?.status !== 'completed' || !conversion.outputUrl) throw new Error(conversion?.error?.message)
  const token = new URL(conversion.outputUrl).searchParams.get('token') ?? ''
  const result = await downloadFile({ client, path: { id }, query: { token }, parseAs: 'blob' })
  if (!result.data) throw new Error('no result')
  return result.data.text()
}
