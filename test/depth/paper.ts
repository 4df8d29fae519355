import { program } from '../fixtures/program.ts'

/** Size of the first page of a PDF in inches, upright. */
export async function paperOf(path: string): Promise<readonly [across: number, down: number]> {
  const told = (await program('pdfinfo', path)).toString()
  const [, width, height] = /^Page size:\s+([\d.]+) x ([\d.]+)/m.exec(told) ?? []
  const inches = [Number(width) / 72, Number(height) / 72] as const
  return /^Page rot:\s+(90|270)/m.test(told) ? [inches[1], inches[0]] : inches
}
