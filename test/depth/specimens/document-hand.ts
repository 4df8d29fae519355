/** Texts that people write by hand, and files of programs that are not at hand. */
import type { Specimen } from '../family.ts'
import { bare, hand, log } from './document-log.ts'

const paragraph = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`
const lines = `Harbour log\n\nThe gale reached the quay at dawn, says the station.\none lantern lit\ntwo boats lost\n\nLosses at sea\nBoat Men\nTern 007\nGull 12\ntie the boat tight\nring the bell\nNobody slept.\n`
const page = `<h1>Harbour log</h1>
<p>The <em>gale</em> reached the <strong>quay</strong> at dawn, says <a href="https://example.org/station">the station</a>.</p>
<ul><li>one lantern lit</li><li>two boats lost</li></ul>
<h2>Losses at sea</h2>
<table><tr><th>Boat</th><th>Men</th></tr><tr><td>Tern</td><td>007</td></tr><tr><td>Gull</td><td>12</td></tr></table>
<ol><li>tie the boat tight</li><li>ring the bell</li></ol>
<p>Nobody slept.</p>
`
const soup = `<TITLE>Log</TITLE><META NAME=author CONTENT="Ida Storm">
<CENTER><FONT COLOR=navy><H1>Harbour log</H1></FONT></CENTER>
<P>The <I>gale</I> reached the <B>quay</B> at dawn, says <A HREF=https://example.org/station>the station</A>.
<UL><LI>one lantern lit<LI>two boats lost</UL>
<H2>Losses at sea</H2>
<TABLE BORDER><TR><TH>Boat<TH>Men<TR><TD>Tern<TD>007<TR><TD>Gull<TD>12</TABLE>
<OL><LI>tie the boat tight<LI>ring the bell</OL>
<P>Nobody slept.
`

/** Specimens by hand. */
export const handDocuments: readonly Specimen[] = [
  hand('unix.txt', lines, bare),
  hand('dos.txt', `\ufeff${lines.replaceAll('\n', '\r\n')}`, bare, 'utf16le'),
  hand(
    'latin.txt',
    lines.replace('Nobody', 'Zoë Größe'),
    { ...bare, words: { text: log.words.text.replace('Nobody', 'Zoë Größe') } },
    'latin1',
  ),
  hand(
    'page.html',
    `<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>Log</title><meta name="author" content="Ida Storm"></head><body>${page}</body></html>`,
    { title: 'Log', author: 'Ida Storm' },
  ),
  hand('soup.html', soup, { title: 'Log' }, 'latin1'),
  hand(
    'piece.xhtml',
    `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>Log</title></head><body>${page}</body></html>`,
    { title: 'Log' },
  ),
  hand(
    'strict.xhtml',
    `<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">\n<html xmlns="http://www.w3.org/1999/xhtml" xml:lang="en"><head><title>Log</title><meta name="author" content="Ida Storm" /></head><body>${page}</body></html>`,
    { title: 'Log', author: 'Ida Storm' },
  ),
  hand(
    'hand.rtf',
    String.raw`{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\froman Times New Roman;}}{\info{\title Log}{\author Ida Storm}}\paperw11340\paperh7938
\pard\f0\fs24 Harbour log\par
\pard The {\i gale} reached the {\b quay} at dawn, says the station.\par
one lantern lit\par two boats lost\par Losses at sea\par
\trowd\cellx2000\cellx4000\pard\intbl Boat\cell Men\cell\row
\trowd\cellx2000\cellx4000\pard\intbl Tern\cell 007\cell\row
\trowd\cellx2000\cellx4000\pard\intbl Gull\cell 12\cell\row
\pard tie the boat tight\par ring the bell\par Nobody slept.\par}`,
    {
      headings: undefined,
      lists: undefined,
      links: undefined,
      title: 'Log',
      author: 'Ida Storm',
      page: [200.025, 140.02],
    },
  ),
  hand(
    'hand.mht',
    `MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary="x"; type="text/html"\r\nSubject: Log\r\n\r\n--x\r\nContent-Type: text/html; charset="utf-8"\r\nContent-Location: https://example.org/log\r\n\r\n<html><head><title>Log</title></head><body>${page}</body></html>\r\n--x--\r\n`,
    { title: 'Log' },
  ),
  hand(
    'plain.eml',
    `From: Ida Storm <ida@example.org>\r\nTo: harbour@example.org\r\nSubject: Log\r\nDate: Sat, 04 Jan 2020 10:00:00 +0000\r\n\r\n${lines.replaceAll('\n', '\r\n')}`,
    {
      ...bare,
      words: {
        text: log.words.text,
        beside: 'From To Subject Date Log Ida Storm example org harbour Sat Saturday Jan January 2020 0000',
      },
      title: undefined,
    },
  ),
]

/** A document of Word 2003 in XML. */
export const wordml = hand(
  'wordml.doc',
  `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<?mso-application progid="Word.Document"?>\n<w:wordDocument xmlns:w="http://schemas.microsoft.com/office/word/2003/wordml" xmlns:o="urn:schemas-microsoft-com:office:office"><o:DocumentProperties><o:Title>Log</o:Title><o:Author>Ida Storm</o:Author></o:DocumentProperties><w:body>${paragraph('Harbour log')}<w:p><w:r><w:t>The </w:t></w:r><w:r><w:rPr><w:i/></w:rPr><w:t>gale</w:t></w:r><w:r><w:t> reached the </w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>quay</w:t></w:r><w:r><w:t> at dawn, says the station.</w:t></w:r></w:p>${['one lantern lit', 'two boats lost', 'Losses at sea'].map(paragraph).join('')}<w:tbl><w:tblPr><w:tblW w:w="4000" w:type="dxa"/></w:tblPr><w:tblGrid><w:gridCol w:w="2000"/><w:gridCol w:w="2000"/></w:tblGrid>${log.tables[0].map((row) => `<w:tr>${row.map((cell) => `<w:tc><w:tcPr><w:tcW w:w="2000" w:type="dxa"/></w:tcPr>${paragraph(cell)}</w:tc>`).join('')}</w:tr>`).join('')}</w:tbl>${['tie the boat tight', 'ring the bell', 'Nobody slept.'].map(paragraph).join('')}</w:body></w:wordDocument>\n`,
  { headings: undefined, lists: undefined, links: undefined, bold: undefined, italic: undefined },
)
