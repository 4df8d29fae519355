import { LOSSES } from '../../catalogue/manifest/losses.ts'
import type { LossKind, Measures } from '../../contract.ts'
import type { ConversionReport } from '../../jobs/records.ts'
import { count, list, orNull, record, reference, text, texts } from '../answer/response-schema.ts'
import { envelope } from '../answer/shape.ts'
import { sampleConversion } from './conversion-record.ts'

const number = (description: string) => ({ type: 'number', description })

/** Schemas of a report. */
export const reportSchemas = {
  ReportedEngine: record({
    name: text('Name.'),
    version: orNull(text('Version; null: unknown.')),
    package: orNull(text('Debian package; null: part of the service.')),
  }),
  ReportedFile: record(
    {
      format: text('Format.'),
      size: count('Bytes.'),
      sha256: text('SHA-256 in hexadecimal.'),
      pages: count('Pages or pictures.'),
      frames: count('Frames of an animation.'),
      duration: number('Seconds.'),
      width: count('Pixels.'),
      height: count('Pixels.'),
    },
    ['sha256', 'pages', 'frames', 'duration', 'width', 'height'],
  ),
  Loss: record({
    kind: text('Kind.', { enum: Object.keys(LOSSES) }),
    description: text('What happened.'),
    names: texts('What exactly.'),
  }),
}

/** What answers with a report. */
export const reportResponse = envelope(
  record({
    report: record(
      {
        conversionId: text('Id.'),
        status: reference('ConversionStatus'),
        engines: list('ReportedEngine'),
        cpuSeconds: number('CPU time of the engines, at least.'),
        wallSeconds: number('Time that they ran.'),
        peakMemory: count('Bytes that the largest of them used, at least.'),
        source: reference('ReportedFile'),
        result: reference('ReportedFile'),
        losses: list('Loss'),
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
      source: { width: 640, height: 480 },
      result: { width: 640, height: 480 },
      losses: [{ kind: 'alpha', names: [] }],
    },
  }),
)

function present({ conversion, sha256, summary }: ConversionReport) {
  const { id, status, fromFormat, toFormat, sourceSize, outputSize } = conversion
  const source = fileOf(fromFormat, sourceSize, { ...summary?.source, sha256: sha256 ?? undefined })
  return {
    report: {
      conversionId: id,
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
