/** Saved web pages as browsers and word processors write them: one file with everything, and nothing from elsewhere. */
import sharp from 'sharp'
import t from 'tap'
import { program } from '../../fixtures/program.ts'
import { blink, type Part, webArchive } from '../../fixtures/web-archive.ts'
import { bare } from '../bare.ts'
import { reader } from '../reading.ts'

t.setTimeout(30 * 60_000)
const own = await bare(t, ['document'])
const { made, raw } = reader(own)

const create = { width: 40, height: 20, channels: 3 as const, background: '#ff8000' }
const picture = await sharp({ create }).png().toBuffer()
const image = (location: string, id?: string): Part => ({
  type: 'image/png',
  location,
  content: picture,
  ...(id && { id }),
})
const embedded = `data:image/png;base64,${picture.toString('base64')}`

const chrome = await webArchive(blink('https://h.example/a/'), [
  {
    type: 'text/html',
    id: 'frame-1@mhtml.blink',
    location: 'https://h.example/a/',
    encoding: 'quoted-printable',
    content: `<!DOCTYPE html><html lang="de"><head><meta charset="utf-8"><title>Häfen &amp; Türme</title>
<link rel="stylesheet" href="cid:css-1@mhtml.blink"><script>document.title = 'scripted'</script></head>
<body onload="alert(1)"><h1>Überschrift</h1><p>Grün und <b>fett</b>. <a href="b.html">weiter</a>
<a href="https://h.example/a/#e">Ende</a> <a href="javascript:alert(1)">nein</a></p>
<table><tr><th>A</th></tr><tr><td>Zelle</td></tr></table><img srcset="../p.png 2x, ../q.png" src="missing.png" alt="Bild">
<iframe src="cid:frame-2@mhtml.blink"></iframe><iframe srcdoc="&lt;p&gt;innen&lt;script&gt;alert(1)&lt;/script&gt;"></iframe>
<p id="e">Ende 漢字 Привет</p><img src="http://127.0.0.1:1/out.png"><a href="http://[your-site]/">Ort</a></body></html>`,
  },
  { type: 'text/html', id: 'frame-2@mhtml.blink', content: '<html><body><p>Im Rahmen</p></body></html>' },
  image('https://h.example/p.png'),
  { type: 'text/css', location: 'https://h.example/a/t.css', content: 'h1 { background: url("../p.png") }' },
  {
    type: 'text/css',
    location: 'cid:css-1@mhtml.blink',
    content: '@import url("https://h.example/a/t.css") screen; p { color: red }',
  },
] as Part[])

/** A set of frames that is not the first page, in Shift_JIS. */
const frames = await webArchive(
  ['From: "Saved by UnMHT"', 'Subject: Frames', 'Content-Location: http://f.example/'],
  [
    { type: 'text/html', location: 'menu.html', content: '<p>Menu text</p>' },
    {
      type: 'text/html',
      location: 'index.html',
      id: 'top@x',
      content: '<html><frameset cols="20%,80%"><frame src="menu.html"><frame src="cid:main@x"></frameset></html>',
    },
    { type: 'text/html; charset=shift_jis', id: 'main@x', content: Buffer.from('93fa967b8cea82cc967b95b6', 'hex') },
  ],
  '; start="<top@x>"',
)

t.test('a page of Chromium', async (t) => {
  const html = await raw(chrome, 'mht>html')
  t.match(html, '<title>Häfen &amp; Türme</title>')
  t.equal(html.split(embedded).length - 1, 2, 'the picture of the page and that of the style sheet')
  t.match(html, /@media screen \{\s*h1 \{ background: url\("data:/)
  t.match(html, '<a href="#e">Ende')
  t.match(html, '<a href="https://h.example/a/b.html">weiter')
  t.notMatch(html, /script|alert|cid:/i)
  t.notMatch(html, 'out.png', 'nothing is loaded from elsewhere')
  t.match(html, /srcdoc=[^>]*Im Rahmen[\s\S]*innen/)
  const md = await raw(chrome, 'mht>md')
  t.match(md, /# Überschrift\s+Grün und \*\*fett\*\*/)
  t.match(md, /\| Zelle[\s\S]*Im Rahmen\s+innen\s+Ende 漢字 Привет/)
})

t.test('a set of frames', async (t) => {
  t.match(await raw(frames, 'mht>txt'), /Menu text\s+日本語の本文/)
})

t.test('paper has frames and pictures, and nothing from elsewhere', async (t) => {
  const { path: pdf } = await made(chrome, 'mht>pdf')
  t.match(String(await program('pdftotext', pdf, '-')), /Überschrift[\s\S]*Zelle[\s\S]*Im Rahmen[\s\S]*漢字/)
  t.match(String(await program('pdfimages', '-list', pdf)), / 40 +20 /)
})

t.test('an archive without a page is refused', async (t) => {
  const none = await webArchive(blink('http://a.example/'), [image('http://a.example/p.png')])
  t.equal((await own.failure(none, 'mht>html')).code, 'CONVERSION_ERROR')
})
