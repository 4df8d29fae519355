import type { Catalogue } from '../catalogue/catalogue.ts'
import { type Detected, detect, peekFile } from '../detection/detect.ts'

/** Tells what a file on this machine is, by its content and a name. Undefined when nothing is recognised. */
export type Recognise = (path: string, name: string) => Promise<Detected | undefined>

/** Detection with the sniffers of the catalogue's formats. */
export function createRecognise({ known }: Pick<Catalogue, 'known'>): Recognise {
  const own = [...known.values()].filter((format) => format.sniff)
  const sniffers = new Map(own.map(({ extension, sniff }) => [extension, sniff!]))
  return async (path, name) => {
    await using peek = await peekFile(path)
    // Not a bare return: the file must stay open until detection has looked.
    return await detect(peek, name, { sniffers })
  }
}
