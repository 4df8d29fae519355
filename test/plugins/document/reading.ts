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
