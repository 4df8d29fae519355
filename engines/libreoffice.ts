import type { Engine } from '../kernel/contract.ts'
import { outlines } from './fonts/outlines.ts'
import { pythonProgram } from './python/program.ts'

const { command, binary, sandbox } = pythonProgram('libreoffice', 'office.py')

/** A filter of LibreOffice by name, with its settings; undefined: the one that LibreOffice finds. */
export type Filter = string | readonly [name: string, settings: string] | undefined

/** A task for LibreOffice, as `programs/libreoffice/office.py` reads it. */
export interface OfficeTask {
  /** Media descriptor for loading: `FilterName`, `FilterOptions`, … */
  load: Readonly<Record<string, unknown>>
  /** Media descriptor for storing. */
  store: Readonly<Record<string, unknown>>
  /** The service that the loaded document must have, such as `com.sun.star.text.TextDocument`. */
  service: string
  /** Detects the character set of plain text. */
  text?: boolean
  /** Removes title, author and other properties. */
  strip?: boolean
  /** The title of a result whose source has none. */
  title?: string | undefined
  /** The result is plain text. */
  plain?: boolean
  /** The result cannot hold tracked changes: deleted text is left out. */
  final?: boolean
  /** Makes the first page as large as the picture on it. */
  fit?: boolean
}

/** How many pages or slides a document has, as our program printed it, for reports. */
export function pagesIn(lines: readonly string[]): number | undefined {
  const pageLine = /^\{"pages": (\d+)\}$/.exec(lines.findLast((line) => line.startsWith('{"pages"')) ?? '')
  return pageLine ? Number(pageLine[1]) : undefined
}

/** The task that draws the Windows metafiles in a package of a document as PNG, and leaves everything else as it is. */
export const drawMetafiles = JSON.stringify({ metafiles: true })

/** LibreOffice's filters for Windows metafiles. */
const metafiles = {
  emf: 'EMF - MS Windows Metafile',
  wmf: 'WMF - MS Windows Metafile',
  pict: 'PCT - Mac Pict',
}

/** The task that prints a metafile to PDF, on one page of its size. */
export const printMetafile = (format: string): string => {
  const task: OfficeTask = {
    load: { FilterName: metafiles[format as keyof typeof metafiles] },
    store: { FilterName: 'draw_pdf_Export' },
    service: 'com.sun.star.drawing.DrawingDocument',
    fit: true,
  }
  return JSON.stringify(task)
}

/**
 * LibreOffice. Our program keeps it running and talks to it. The argument is an `OfficeTask` as JSON. `features` are
 * the installed parts: `writer`, `calc`, `impress`, `math`.
 */
export const libreoffice: Engine = {
  name: 'libreoffice',
  binary,
  version: [...command, '--version'],
  features: [...command, '--features'],
  package: 'libreoffice-writer',
  argv: (job, args) => [job.input, job.output, args],
  sandbox: {
    binds: [...sandbox.binds, ...outlines.binds, '/etc/libreoffice', '/var/lib/libreoffice', '/var/spool/libreoffice'],
    env: { ...outlines.env, SAL_USE_VCLPLUGIN: 'svp', PYTHONUNBUFFERED: '1' },
    addressSpace: 8 * 1024 ** 3,
    processes: 128,
    unixSockets: true,
  },
  warm: { argv: command, jobs: 100, memory: 48 * 1024 ** 2 },
}
