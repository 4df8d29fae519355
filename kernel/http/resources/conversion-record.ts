import type { Kernel } from '../../boot/kernel.ts'
import { CONVERSION_STATUSES } from '../../database/tables/conversions.ts'
import { FAILURE_CODES } from '../../errors.ts'
import type { Conversion, LinkedConversion } from '../../jobs/records.ts'
import { downloadUrl } from '../../people/download-tokens.ts'
import { count, record, reference, text, time } from '../answer/response-schema.ts'
import { baseUrl, type Context } from '../context.ts'
import { SAMPLE_TIME, type SamplePair, sampleId } from '../openapi/sample-pair.ts'

/** Adds the download URL or the place. @param by What the URL names: the conversion, or the key of its result. */
export async function linkConversion(
  { config, tokens, scheduler }: Kernel,
  ctx: Context,
  conversion: Conversion,
  by: 'id' | 'outputKey' = 'id',
): Promise<LinkedConversion> {
  const { owner, outputKey, [by]: name } = conversion
  if (conversion.status === 'queued') return { conversion, queuePosition: scheduler.place(conversion.id) }
  if (!outputKey || !name) return { conversion }
  return { conversion, outputUrl: downloadUrl(baseUrl(config, ctx), name, await tokens.sign(owner, outputKey)) }
}

/** A completed conversion for the examples. */
export const sampleConversion = ({ from, to }: SamplePair): LinkedConversion => {
  const id = `conv_${sampleId('6')}`
  return {
    conversion: {
      id,
      owner: 'guest',
      status: 'completed',
      progress: 100,
      fromFormat: from.extension,
      toFormat: to.extension,
      name: 'photo',
      sourceSize: 18_234,
      outputKey: `outputs/2026/11/21/${sampleId('6')}/photo.${to.extension}`,
      outputSize: 9120,
      createdAt: SAMPLE_TIME,
      completedAt: SAMPLE_TIME + 1250,
    },
    outputUrl: downloadUrl('https://files.example', id, 'eyJhbGciOiJIUzI1NiJ9.e30.c2lnbmF0dXJl'),
  }
}

/** A queued conversion for the examples. */
export const samplePending = (pair: SamplePair): LinkedConversion => {
  const { outputKey: _, outputSize: __, completedAt: ___, ...conversion } = sampleConversion(pair).conversion
  return { conversion: { ...conversion, status: 'queued', progress: 0 }, queuePosition: 1 }
}

/** Schemas of a conversion as clients see it. */
export const conversionSchemas = {
  ConversionStatus: text('Ends as `completed` or `failed`.', { enum: CONVERSION_STATUSES }),
  ConversionError: record({ code: text('Why it failed.', { enum: FAILURE_CODES }), message: text('One sentence.') }),
  Conversion: record(
    {
      id: text('Id.'),
      status: reference('ConversionStatus'),
      progress: count('Percent; never falls.', { maximum: 100 }),
      queuePosition: count('Place in the queue; 1 is first.'),
      fromFormat: text('Source format.'),
      toFormat: text('Target format.'),
      name: text('Source name without extension.'),
      sourceSize: count('Bytes of the source.'),
      outputFileId: text('Storage key of the result.'),
      outputUrl: text('URL of the result; works for some minutes.', { format: 'uri' }),
      outputSize: count('Bytes of the result.'),
      createdAt: time('When it was requested.'),
      completedAt: time('When it was completed.'),
      error: { oneOf: [reference('ConversionError'), { type: 'null' }], description: 'Null unless it failed.' },
    },
    ['queuePosition', 'outputFileId', 'outputUrl', 'outputSize', 'completedAt'],
  ),
}
