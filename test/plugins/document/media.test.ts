/** Slides with a video inside, of which flat OpenDocument holds only the picture. */
import { readFile } from 'node:fs/promises'
import t from 'tap'
import { readMembers } from '../../../engines/programs/repack/members.ts'
import { sample } from '../../fixtures/samples.ts'
import { zip } from '../../fixtures/zip.ts'
import { textOf } from '../../matrix/document/text.ts'
import { studio } from './studio.ts'

t.setTimeout(60 * 60_000)
const documents = await studio()
t.teardown(() => documents[Symbol.asyncDispose]())
const { convert, folder } = documents

const video =
  '<p:pic><p:nvPicPr><p:cNvPr id="99" name="a.mp4"><a:hlinkClick r:id="" action="ppaction://media"/></p:cNvPr><p:cNvPicPr/><p:nvPr><a:videoFile r:link="v1"/><p:extLst><p:ext uri="{DAA4B4D4-6D71-4841-9C94-3DE7FCFB9230}"><p14:media xmlns:p14="http://schemas.microsoft.com/office/powerpoint/2010/main" r:embed="v2"/></p:ext></p:extLst></p:nvPr></p:nvPicPr><p:blipFill><a:blip r:embed="v3"/><a:stretch><a:fillRect/></a:stretch></p:blipFill><p:spPr><a:xfrm><a:off x="1000000" y="1000000"/><a:ext cx="2000000" cy="2000000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr></p:pic>'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const relationships = [
  `<Relationship Id="v1" Type="${office}/video" Target="../media/a.mp4"/>`,
  '<Relationship Id="v2" Type="http://schemas.microsoft.com/office/2007/relationships/media" Target="../media/a.mp4"/>',
  `<Relationship Id="v3" Type="${office}/image" Target="../media/poster.png"/>`,
].join('')

/** The sample's slides, with a video on the first. */
async function filmed(): Promise<string> {
  const changes: Record<string, [before: string, added: string]> = {
    'ppt/slides/slide1.xml': ['</p:spTree>', video],
    'ppt/slides/_rels/slide1.xml.rels': ['</Relationships>', relationships],
    '[Content_Types].xml': [
      '</Types>',
      '<Override PartName="/ppt/media/a.mp4" ContentType="video/mp4"/><Override PartName="/ppt/media/poster.png" ContentType="image/png"/>',
    ],
  }
  const members = readMembers(await readFile((await sample('pptx')).path)).map(({ name, content }) => {
    const [before, added] = changes[name] ?? ['', '']
    return [name, added ? content.toString().replace(before, `${added}${before}`) : content]
  })
  await zip(`${folder}/filmed.pptx`, {
    ...Object.fromEntries(members),
    'ppt/media/a.mp4': await readFile((await sample('mp4')).path),
    'ppt/media/poster.png': await readFile((await sample('png')).path),
  })
  return `${folder}/filmed.pptx`
}

t.test('slides with a video', async (t) => {
  const source = await filmed()
  const pictures = (text: string) => text.match(/iVBORw0KGgo/g)?.length ?? 0
  const before = pictures(await readFile((await convert((await sample('pptx')).path, 'fodp')).path, 'utf8'))
  const { path, bytes } = await convert(source, 'fodp')
  t.equal(pictures(bytes.toString()), before + 1, 'its picture stands for the video')
  t.match(await textOf(path, 'fodp'), 'Lighthouse harbour')
  for (const to of ['txt', 'html', 'docx', 'md'])
    t.match(await textOf((await convert(source, to)).path, to), 'Lighthouse harbour', to)
  const kept = await convert(source, 'odp')
  const names = readMembers(kept.bytes).map(({ name }) => name)
  t.match(names.join(' '), /media\/a\.mp4/, 'a package keeps it')
  t.match(await textOf((await convert(kept.path, 'fodp')).path, 'fodp'), 'Lighthouse harbour')
})
