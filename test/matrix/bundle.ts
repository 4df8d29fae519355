import { program } from '../fixtures/program.ts'
import { withFolder } from '../harness/folder.ts'
import { decode } from './decode.ts'
import { Unlike } from './verdict.ts'

/** Markdown's references to files. */
const FILE = /!\[[^\]]*\]\((images\/[^)\s]+)|<img[^>]*\ssrc="(images\/[^"]+)"/g

/**
 * Checks Markdown with pictures: the text comes first, names each file beside it, and nothing else, and every picture
 * can be decoded. Throws `Unlike` if not.
 */
export const expectBundle = (path: string): Promise<void> =>
  withFolder(async (folder) => {
    const names = (await program('unzip', '-Z1', path)).toString().trim().split('\n')
    await program('unzip', '-q', path, '-d', folder)
    const text = (await program('unzip', '-p', path, 'document.md')).toString()
    if (names[0] !== 'document.md') throw new Unlike(`the text is not the first of ${names.join(' ')}`)
    if (text.includes('data:image')) throw new Unlike('the text holds pictures')
    const named = new Set([...text.matchAll(FILE)].map(([, markdown, html]) => markdown ?? html!))
    const files = new Set(names.slice(1))
    if (named.symmetricDifference(files).size > 0) throw new Unlike(`files: ${names}; named: ${[...named].join(' ')}`)
    for (const name of files)
      if (/\.(png|jpg|gif|webp)$/.test(name)) await decode(`${folder}/${name}`, name.slice(name.lastIndexOf('.') + 1))
  })
