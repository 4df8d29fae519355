import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import type { Format, Plugin } from '../../kernel/contract.ts'
import { pluginNamed } from '../fixtures/plugin.ts'
import { hintOf } from './detection.ts'

const categories = ['image', 'document', 'video', 'audio', 'archive', 'vector', 'cad', 'ebook']
const owned: { category: string; extension: string; format: Format }[] = []
for (const category of categories) {
  const { formats } = await pluginNamed(category)
  for (const [extension, format] of Object.entries<Format>(formats)) owned.push({ category, extension, format })
}
const canonical = new Set(owned.map(({ extension }) => extension))

t.test('every extension has one owner and one meaning', async (t) => {
  const names = owned.flatMap(({ extension, format }) => [extension, ...(format.aliases ?? [])])
  t.same(
    names.filter((name, index) => names.indexOf(name) !== index),
    [],
  )
  t.same(
    names.filter((name) => !/^[a-z0-9]+(\.[a-z0-9]+)?$/.test(name)),
    [],
  )
  for (const { extension, format } of owned) {
    t.match(
      format.mime,
      /^(application|audio|font|image|message|model|text|video)\/[\w.+-]+(; codecs=\w+)?$/,
      extension,
    )
    for (const target of format.wanted ?? []) t.ok(canonical.has(target), `${extension} wants ${target}`)
  }
})

t.test('a name hints at the format that its extension is an alias of', async (t) => {
  for (const { extension, format } of owned) {
    // These are only written. When they are read, the names mean XML and PDF.
    const written: Readonly<Record<string, string>> = { 'jats.xml': 'xml', 'ocr.pdf': 'pdf', 'pdfa.pdf': 'pdf' }
    t.equal(hintOf(`a.${extension}`), written[extension] ?? extension)
    for (const alias of format.aliases ?? [])
      t.ok([extension, alias].includes(hintOf(`A.${alias.toUpperCase()}`)), alias)
  }
  t.equal(hintOf('C:\\folder.x\\report.tar.GZ '), 'tar.gz')
  t.equal(hintOf('no extension'), '')
})

t.test('the interface lists every option, and all targets are formats', async (t) => {
  const keys: Record<string, string[]> = {
    video: ['resolution', 'codec', 'crf', 'bitrate', 'framerate', 'audioBitrate', 'stripAudio'],
    audio: ['bitrate', 'sampleRate', 'channels', 'normalize'],
    document: ['metadata'],
    vector: ['density'],
    archive: ['compression'],
    cad: ['density'],
    ebook: [],
  }
  for (const [category, expected] of Object.entries(keys)) {
    const plugin = await pluginNamed(category)
    t.equal(plugin.category, category)
    t.same(Object.keys(plugin.options), expected, category)
    for (const [key, schema] of Object.entries<Plugin['options'][string]>(plugin.options)) {
      for (const target of [...(schema.effect ?? []), ...Object.keys(schema.defaults ?? {})])
        t.ok(canonical.has(target), `${key}: ${target}`)
      const defaults = [schema.default, ...Object.values(schema.defaults ?? {})].filter((value) => value !== undefined)
      for (const value of defaults) {
        t.equal(typeof value, schema.type === 'integer' ? 'number' : schema.type)
        if (schema.enum) t.ok(schema.enum.includes(value as string))
        if (schema.minimum !== undefined)
          t.ok((value as number) >= schema.minimum && (value as number) <= schema.maximum!)
      }
    }
    for (const target of plugin.wanted ?? []) t.ok(canonical.has(target), `${category} wants ${target}`)
  }
})

const corpus = process.env.ATHANOR_CORPUS ?? join(import.meta.dirname, '../../../shared/corpus')
const list = join(corpus, 'video-audio-archive/labelled.tsv')
const skip = !existsSync(list) && 'no corpus here'

/** The labels say that PostScript is a drawing. As a target it is a document, and the category as target counts. */
const written = { ps: 'document' } as Record<string, string>

t.test('formats belong to the category of the labelled files', { skip }, async (t) => {
  for (const line of readFileSync(list, 'utf8').trim().split('\n').slice(1)) {
    const [file, extension, category] = line.split('\t')
    const owner = owned.find((entry) => entry.extension === extension)
    t.equal(owner?.category ?? 'none', written[extension!] ?? category, `${file}: ${extension}`)
  }
})
