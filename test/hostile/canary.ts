import { chmod, mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import sharp from 'sharp'
import { newFolder, removeFolder } from '../harness/folder.ts'

/** Files that every user can read, and a server that every process can reach. Each access to them is recorded. */
export interface Canary extends AsyncDisposable {
  /** Folder of the files `secret.txt`, `secret.png` and so on. */
  folder: string
  /** Base of the server. */
  url: string
  /** A folder that everybody can write to. */
  prey: string
  /** The content of the files. */
  word: string
  /** Returns reads, requests and writes since the last call. */
  betrayed(): Promise<string[]>
}

const word = 'Xylocarp7Vesuvian'
const LONG_AGO = new Date('2001-01-01T00:00:00Z')

/** Creates the files. Rejects if reading a file leaves no trace: then nothing can be proved. */
export async function startCanary(): Promise<Canary> {
  const folder = await newFolder()
  const prey = join(folder, 'prey')
  await mkdir(prey)
  await chmod(folder, 0o755)
  await chmod(prey, 0o777)
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><g id="x"><text>${word}</text></g></svg>`
  const image = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#01fe4d' } })
    .png()
    .toBuffer()
  const files: Record<string, string | Buffer> = {
    'secret.txt': `${word}\n`,
    'secret.png': image,
    'secret.svg': svg,
    'secret.css': `p::after{content:"${word}"}`,

    'secret.html': `<p>${word}</p>`,
    'secret.csv': `${word},1\n`,
    'secret.tex': word,
    'secret.mtl': `newmtl ${word}`,
    'secret.ttf': Buffer.alloc(64),
    'secret.dtd': `<!ENTITY inside "${word}">`,
    'secret.mp3': Buffer.alloc(4096),
  }
  const rearm = (name: string) => utimes(join(folder, name), LONG_AGO, new Date())
  for (const [name, content] of Object.entries(files)) {
    await writeFile(join(folder, name), content, { mode: 0o644 })
    await rearm(name)
  }
  await readFile(join(folder, 'secret.txt'))
  if ((await stat(join(folder, 'secret.txt'))).atime.getTime() === LONG_AGO.getTime()) {
    throw new Error(`${folder}: its file system does not note when files are read (noatime)`)
  }
  await rearm('secret.txt')

  const hits: string[] = []
  const server = createServer(({ method, url }, res) => {
    hits.push(`${method} ${url}`)
    const name = `secret.${url?.split('.').at(-1)}`
    res.end(files[name] ?? word)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo

  return {
    folder,
    prey,
    word,
    url: `http://127.0.0.1:${port}`,
    async betrayed() {
      const signs = hits.splice(0).map((hit) => `asked: ${hit}`)
      for (const name of Object.keys(files)) {
        if ((await stat(join(folder, name))).atime.getTime() === LONG_AGO.getTime()) continue
        signs.push(`read: ${name}`)
        await rearm(name)
      }
      for (const name of await readdir(prey)) {
        signs.push(`written: ${name}`)
        await rm(join(prey, name), { recursive: true })
      }
      return signs
    },
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      await removeFolder(folder)
    },
  }
}
