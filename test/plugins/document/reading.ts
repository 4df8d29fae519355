import { program } from '../../fixtures/program.ts'

/** Returns the metadata that exiftool finds, by tag. */
export async function facts(path: string): Promise<Record<string, string>> {
  const [found] = JSON.parse((await program('exiftool', '-j', '-a', '-api', 'struct=1', path)).toString())
  return found
}

/** Returns what a PDF says about itself, by the names of pdfinfo. */
export async function pdfFacts(path: string): Promise<Record<string, string>> {
  const text = (await program('pdfinfo', path)).toString()
  return Object.fromEntries([...text.matchAll(/^([\w ]+): *(.*)$/gm)].map(([, name, value]) => [name!, value!]))
}

/** A letter as MuPDF draws it. */
interface DrawnLetter {
  font: string
  letter: string
  /** Points from the left. */
  x: number
  /** Whether it is the box of a font that lacks the letter. */
  box: boolean
}

/** The letters of a PDF in order, without spaces. */
export async function lettersIn(path: string): Promise<DrawnLetter[]> {
  const trace = (await program('mutool', 'trace', path)).toString()
  const letters: DrawnLetter[] = []
  let font = ''
  for (const [, span, letter, glyph, x] of trace.matchAll(
    /<span font="([^"]*)"|<g unicode="([^"]*)" glyph="([^"]*)" x="([\d.]+)"/g,
  )) {
    if (span !== undefined) font = span.replace(/^[A-Z]{6}\+/, '')
    else if (letter!.trim()) letters.push({ font, letter: letter!, x: Number(x), box: /^(0|\.notdef)$/.test(glyph!) })
  }
  return letters
}
