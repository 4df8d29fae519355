import type { Look, Source } from '../../../kernel/contract.ts'
import { books, comics } from '../book.ts'
import { drawings } from '../drawing.ts'
import { listed } from '../family.ts'
import { meshes } from '../model/models.ts'
import { diagrams } from '../office/diagrams.ts'
import { sheets } from '../office/sheets.ts'
import { slides } from '../office/slides.ts'
import { olderTexts, texts } from '../office/texts.ts'
import { pages } from '../page/pages.ts'
import { iwork } from '../refusals.ts'
import { type Entry, listZip, readEntry } from './zip.ts'

const families = {
  ...texts,
  ...sheets,
  ...slides,
  ...diagrams,
  ...olderTexts,
  ...drawings,
  ...meshes,
  ...pages,
  ...books,
}

/** Formats by the content type of the main part, and by media type. */
const MAIN_PARTS = listed(families, ({ zip }) => zip?.main)
const MEDIA_TYPES = new Map(listed(families, ({ zip }) => zip?.types))

/** Identifies a zip-based format by its members. Any other zip is `zip`. */
export const zipMembers: Look = async (file, hint) => {
  const entries = await listZip(file)
  const byName = new Map(entries.map((entry) => [entry.name, entry]))
  const text = async (name: string) => {
    const entry = byName.get(name)
    return entry ? (await readEntry(file, entry)).toString('latin1').toLowerCase() : ''
  }
  if (await isIWork(entries, text)) return iwork

  const media = MEDIA_TYPES.get((await text('mimetype')).trim())
  if (media) return media
  if (byName.has('[content_types].xml')) {
    const types = await text('[content_types].xml')
    const main = MAIN_PARTS.find(([type]) => types.includes(type))
    if (main) return main[1]
  }
  const part = officePart(byName)
  if (part) return part
  const packaged = byName.has('meta-inf/container.xml') || hint === 'epub'
  if (packaged && entries.some(({ name }) => name.endsWith('.opf'))) return 'epub'
  const manifest = /application\/vnd\.(oasis\.opendocument|sun\.xml)\.[a-z.-]{1,40}/.exec(
    await text('meta-inf/manifest.xml'),
  )
  if (manifest) return MEDIA_TYPES.get(manifest[0]) ?? 'zip'
  return (await isFreeCad(file, byName)) ? 'fcstd' : (book(entries, byName, hint) ?? plain(byName))
}

/** Pages, Numbers and Keynote of 2013 and of 2005, also zipped with their folder. */
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
  if (entries.length === 1 && has('.amf')) return 'amf'
  if (has('.fdseq')) return 'xps'
  if ((described || hint === 'pmlz' || names.has('index.pml')) && has('.pml')) return 'pmlz'
  if ((described && names.has('index.html')) || (hint === 'htmlz' && has('.html'))) return 'htmlz'
  if ((described || hint === 'txtz') && has('.txt')) return 'txtz'
  if (has('riffdata.cdr') || names.has('content/root.dat')) return 'cdr'
  if (!comics.includes(hint) && !names.has('comicinfo.xml')) return undefined
  const files = entries.filter(({ name }) => !CLUTTER.test(name))
  const pictures = files.filter(({ name }) => PICTURE.test(name))
  return pictures.length > 0 && pictures.length >= files.length * 0.9 ? 'cbz' : undefined
}

/** A jar has a manifest. Android and Mozilla packages have one, too, but are no jars. */
function plain(names: Map<string, Entry>): string {
  const other = ['androidmanifest.xml', 'manifest.json', 'install.rdf'].some((name) => names.has(name))
  return names.has('meta-inf/manifest.mf') && !other ? 'jar' : 'zip'
}
