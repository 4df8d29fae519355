import { LOSSES } from '../../catalogue/manifest/losses.ts'
import type { LossKind, Measures } from '../../contract.ts'
import type { ConversionReport } from '../../jobs/records.ts'
import { count, orNull, type ResponseSchema, record, reference } from '../answer/response-schema.ts'
import { envelope } from '../answer/shape.ts'
import { sampleConversion } from './conversion-record.ts'

// docs/api.md explains the fields: descriptions would take room in the document.
const string = { type: 'string' }
const number = { type: 'number' }
const integer = { type: 'integer' }
const each = (properties: Record<string, ResponseSchema>) => ({ type: 'array', items: record(properties) })

/** Schema of a file in a report. */
export const reportSchemas = {
  ReportedFile: record(
    {
      format: string,
      size: count('Bytes.'),
      sha256: string,
      pages: integer,
      frames: integer,
      duration: number,
      width: integer,
      height: integer,
    },
    ['sha256', 'pages', 'frames', 'duration', 'width', 'height'],
  ),
}

/** What answers with a report. */
export const reportResponse = envelope(
  record({
    report: record(
      {
        status: reference('ConversionStatus'),
        engines: each({ name: string, version: orNull(string), package: orNull(string) }),
        cpuSeconds: number,
        wallSeconds: number,
        peakMemory: count('Bytes.'),
        source: reference('ReportedFile'),
        result: reference('ReportedFile'),
        losses: each({
          kind: string,
          description: string,
          names: { type: 'array', items: string },
        }),
      },
      ['result'],
    ),
  }),
  present,
  (pair): ConversionReport => ({
    conversion: sampleConversion(pair).conversion,
    sha256: null,
    summary: {
      engines: [{ name: 'sharp', version: '0.35.4', package: null }],
      cpu: 0.05,
      wall: 0.041,
      memory: 68_157_440,
      source: {},
      result: {},
      losses: [],
    },
  }),
)

function present({ conversion, sha256, summary }: ConversionReport) {
  const { status, fromFormat, toFormat, sourceSize, outputSize } = conversion
  const source = fileOf(fromFormat, sourceSize, { ...summary?.source, sha256: sha256 ?? undefined })
  return {
    report: {
      status,
      engines: summary?.engines ?? [],
      cpuSeconds: summary?.cpu ?? 0,
      wallSeconds: summary?.wall ?? 0,
      peakMemory: summary?.memory ?? 0,
      source,
      result: outputSize === undefined ? undefined : fileOf(toFormat, outputSize, summary?.result),
      losses: (summary?.losses ?? []).map(({ kind, names }) => ({
        kind,
        description: LOSSES[kind as LossKind],
        names,
      })),
    },
  }
}

function fileOf(format: string, size: number, known: Measures & { sha256?: string | undefined } = {}) {
  const { sha256, pages, frames, seconds, width, height } = known
  return { format, size, sha256, pages, frames, duration: seconds, width, height }
}
