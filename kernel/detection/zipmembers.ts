import type { Source } from './peek.ts'
import { iwork, type LookIn } from './verdict.ts'
import { type Entry, listZip, readEntry } from './zip.ts'

/** Content types of the main part (ECMA-376 part 1, §15.2), and the format that each means. Lower case. */
const MAIN_PARTS: [string, string][] = [
  ['wordprocessingml.document.main+xml', 'docx'],
  ['wordprocessingml.template.main+xml', 'dotx'],
  ['ms-word.document.macroenabled.main+xml', 'docm'],
  ['ms-word.template.macroenabledtemplate.main+xml', 'docm'],
  ['spreadsheetml.sheet.main+xml', 'xlsx'],
  ['spreadsheetml.template.main+xml', 'xlsx'],
  ['ms-excel.sheet.macroenabled.main+xml', 'xlsm'],
  ['ms-excel.template.macroenabled.main+xml', 'xlsm'],
  ['ms-excel.sheet.binary.macroenabled.main', 'xlsb'],
  ['presentationml.presentation.main+xml', 'pptx'],
  ['presentationml.slideshow.main+xml', 'ppsx'],
  ['presentationml.template.main+xml', 'potx'],
  ['ms-powerpoint.presentation.macroenabled.main+xml', 'pptm'],
  ['ms-powerpoint.slideshow.macroenabled.main+xml', 'pptm'],
  ['ms-powerpoint.template.macroenabled.main+xml', 'pptm'],
  ['ms-visio.drawing.', 'vsdx'],
  ['ms-visio.template.', 'vsdx'],
  ['3dmanufacturing-3dmodel+xml', '3mf'],
  ['fixeddocumentsequence+xml', 'xps'],
]

/** Media types of OpenDocument (1.3 part 2, §3.3), its predecessor and EPUB. Templates without a reader of their own count as documents. */
const MEDIA_TYPES: Record<string, string> = {
  'application/epub+zip': 'epub',
  'application/vnd.oasis.opendocument.text': 'odt',
  'application/vnd.oasis.opendocument.text-master': 'odt',
  'application/vnd.oasis.opendocument.text-template': 'ott',
  'application/vnd.oasis.opendocument.spreadsheet': 'ods',
  'application/vnd.oasis.opendocument.spreadsheet-template': 'ods',
  'application/vnd.oasis.opendocument.presentation': 'odp',
  'application/vnd.oasis.opendocument.presentation-template': 'odp',
  'application/vnd.oasis.opendocument.graphics': 'odg',
  'application/vnd.oasis.opendocument.graphics-template': 'odg',
  'application/vnd.sun.xml.writer': 'sxw',
  'application/vnd.sun.xml.writer.template': 'sxw',
  'application/vnd.sun.xml.writer.global': 'sxw',
}

/** Tells by its members what a zip is; a zip that is nothing else is `zip`. */
export const zipMembers: LookIn = async (file, hint) => {
  const entries = await listZip(file)
  const byName = new Map(entries.map((entry) => [entry.name, entry]))
  const text = async (name: string) => {
    const entry = byName.get(name)
    return entry ? (await readEntry(file, entry)).toString('latin1').toLowerCase() : ''
  }
  if (await isIWork(entries, text)) return iwork

  const media = MEDIA_TYPES[(await text('mimetype')).trim()]
  if (media) return media
  if (byName.has('[content_types].xml')) {
    const types = await text('[content_types].xml')
    const main = MAIN_PARTS.find(([type]) => types.includes(type))
    if (main) return main[1]
  }
  const part = officePart(byName)
  if (part) return part
  if (byName.has('meta-inf/container.xml') && entries.some(({ name }) => name.endsWith('.opf'))) return 'epub'
  const manifest = /application\/vnd\.(oasis\.opendocument|sun\.xml)\.[a-z.-]{1,40}/.exec(
    await text('meta-inf/manifest.xml'),
  )
  if (manifest) return MEDIA_TYPES[manifest[0]] ?? 'zip'
  return (await isFreeCad(file, byName)) ? 'fcstd' : (book(entries, byName, hint) ?? plain(byName))
}

/** Pages, Numbers and Keynote, of 2013 and of 2005, also as a folder that was zipped with its name. */
async function isIWork(entries: Entry[], text: (name: string) => Promise<string>): Promise<boolean> {
  const top = /^[^/]{1,255}\//.exec(entries[0]?.name ?? '')?.[0] ?? ''
  const wrapped = entries.every(({ name }) => name.startsWith(top) || name.startsWith('__macosx/'))
  const folder = wrapped ? top : ''
  const names = new Set(entries.map(({ name }) => (name.startsWith(folder) ? name.slice(folder.length) : name)))
  for (const name of [...names, ...entries.map((entry) => entry.name)])
    if (/^index\/[^/]*\.iwa$/.test(name)) return true
  if (names.has('.iwpv2') || names.has('.iwph')) return true
  if (names.has('index.apxl') || names.has('index.apxl.gz')) return true
  const hasPreview = names.has('metadata/properties.plist') || names.has('metadata/buildversionhistory.plist')
  if (names.has('index.zip') && (hasPreview || names.has('preview.jpg') || names.has('preview-micro.jpg'))) return true
  if (!names.has('index.xml') && !names.has('index.xml.gz')) return false
  if (names.has('buildversionhistory.plist') || names.has('quicklook/thumbnail.jpg')) return true
  return (await text(`${folder}index.xml`)).includes('developer.apple.com/namespaces/')
}

function officePart(names: Map<string, Entry>): string | undefined {
  const macros = (folder: string) => names.has(`${folder}/vbaproject.bin`)
  if (names.has('word/document.xml')) return macros('word') ? 'docm' : 'docx'
  if (names.has('xl/workbook.bin')) return 'xlsb'
  if (names.has('xl/workbook.xml')) return macros('xl') ? 'xlsm' : 'xlsx'
  if (names.has('ppt/presentation.xml')) return macros('ppt') ? 'pptm' : 'pptx'
  if (names.has('visio/document.xml')) return 'vsdx'
  return undefined
}

async function isFreeCad(file: Source, names: Map<string, Entry>): Promise<boolean> {
  const entry = names.get('document.xml')
  if (!entry) return false
  if (names.has('guidocument.xml')) return true
  return (await readEntry(file, entry, 4096)).includes('FreeCAD')
}

const PICTURE = /\.(jpe?g|png|gif|webp|bmp|tiff?|avif|jxl|heic)$/
const CLUTTER = /(\/$|^__macosx\/|\.ds_store$|thumbs\.db$|\.(xml|txt|nfo|json|acbf)$)/

function book(entries: Entry[], names: Map<string, Entry>, hint: string): string | undefined {
  const has = (ending: string) => entries.some(({ name }) => name.endsWith(ending))
  const described = names.has('metadata.opf')
  if (entries.some(({ name }) => /^3d\/[^/]*\.model$/.test(name))) return '3mf'
  if (has('.fdseq')) return 'xps'
  if ((described || hint === 'pmlz' || names.has('index.pml')) && has('.pml')) return 'pmlz'
  if ((described && names.has('index.html')) || (hint === 'htmlz' && has('.html'))) return 'htmlz'
  if ((described || hint === 'txtz') && has('.txt')) return 'txtz'
  if (has('riffdata.cdr') || names.has('content/root.dat')) return 'cdr'
  if (hint !== 'cbz' && !names.has('comicinfo.xml')) return undefined
  const files = entries.filter(({ name }) => !CLUTTER.test(name))
  const pictures = files.filter(({ name }) => PICTURE.test(name))
  return pictures.length > 0 && pictures.length >= files.length * 0.9 ? 'cbz' : undefined
}

/** A jar has a manifest; Android and Mozilla packages have one too and are not Java's. */
function plain(names: Map<string, Entry>): string {
  const other = ['androidmanifest.xml', 'manifest.json', 'install.rdf'].some((name) => names.has(name))
  return names.has('meta-inf/manifest.mf') && !other ? 'jar' : 'zip'
}
