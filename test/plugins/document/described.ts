import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readMembers } from '../../../engines/programs/repack/members.ts'
import { facts } from '../../fixtures/story.ts'
import { zip } from '../../fixtures/zip.ts'

const schemas = 'http://schemas.openxmlformats.org'
const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

const core = `${declaration}<cp:coreProperties xmlns:cp="${schemas}/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${facts.title}</dc:title><dc:subject>${facts.subject}</dc:subject><dc:creator>${facts.author}</dc:creator><cp:lastModifiedBy>${facts.author}</cp:lastModifiedBy></cp:coreProperties>`

/** Gives an Office package properties that do not occur in its text. */
export async function describe(source: string, output: string): Promise<void> {
  const members = readMembers(await readFile(source)).map(({ name, content }) => [
    name,
    name === 'docProps/core.xml' ? core : content,
  ])
  await zip(output, Object.fromEntries(members))
}

const office = join(import.meta.dirname, '../../../engines/programs/libreoffice/office.py')

/** LibreOffice filters for OpenDocument files, by extension. */
const kinds: Readonly<Record<string, readonly [filter: string, service: string]>> = {
  odt: ['writer8', 'com.sun.star.text.TextDocument'],
  ods: ['calc8', 'com.sun.star.sheet.SpreadsheetDocument'],
  odp: ['impress8', 'com.sun.star.presentation.PresentationDocument'],
}

/** Makes LibreOffice save an OpenDocument file with a password. */
export function lock(source: string, output: string, FilterName: string): void {
  const store = { FilterName, Password: 'secret' }
  const [filter, service] = kinds[source.split('.').at(-1)!]!
  const spec = { load: { FilterName: filter }, service, store }
  const { stdout } = spawnSync('/usr/bin/python3', ['-E', '-s', '-B', office], {
    input: `${JSON.stringify([source, output, JSON.stringify(spec)])}\n`,
    env: { PATH: '/usr/bin', HOME: '/tmp', LANG: 'C.UTF-8', SAL_USE_VCLPLUGIN: 'svp' },
    timeout: 60_000,
  })
  if (!stdout.includes('"done"')) throw new Error(`not saved: ${stdout}`)
}
