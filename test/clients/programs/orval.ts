import { downloadFile, getConversion, startConversion, uploadFile } from './orval-client'

/** Uploads, converts, polls and downloads. The address of the service is in the generated code. */
export async function convert(_baseUrl: string, source: Blob): Promise<string> {
  const uploaded = await uploadFile({ file: source })
  if (uploaded.status !== 201) throw new Error(uploaded.data.error.message)
  const { fileId } = uploaded.data.file
  const started = await startConversion({ fileId, toFormat: 'bust', options: { sleep: 1 } })
  if (started.status !== 201) throw new Error(started.data.error.code)
  const id = started.data.conversionId
  const polled = await getConversion(id, { wait: 30 })
  if (polled.status !== 200) throw new Error(polled.data.error.message)
  const { conversion } = polled.data
  if (conversion.status !== 'completed' || !conversion.outputUrl) throw new Error(conversion.error?.message)
  const token = new URL(conversion.outputUrl).searchParams.get('token') ?? ''
  const result = await downloadFile(id, { token })
  if (result.status !== 200) throw new Error('no result')
  return result.data.text()
}
