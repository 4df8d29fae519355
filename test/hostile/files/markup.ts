import { zipped } from '../../fixtures/zip.ts'
import type { Lure, Trap } from './lure.ts'

/** Pages, texts and books that refer to other files. */
export const markup: Trap = async ({ folder, url, prey }) => {
  const file = (name: string) => `file://${folder}/${name}`
  const page = `<html><head><link rel="stylesheet" href="${file('secret.css')}"><link rel="stylesheet" href="${url}/a.css">
    <style>@import url("${url}/b.css"); @import url("${file('secret.css')}"); @font-face { font-family: f; src: url("${file('secret.ttf')}"), url("${url}/f.ttf") }
    body { font-family: f; background: url("${file('secret.png')}"), url("${url}/bg.png") }</style>
    <base href="${url}/base/"><meta http-equiv="refresh" content="0;url=${file('secret.html')}"></head>
    <body onload="document.body.append('moved')"><p>text</p><img src="${file('secret.png')}"><img src="${url}/a.png" srcset="${url}/b.png 2x">
    <iframe src="${file('secret.html')}"></iframe><iframe src="${url}/c.html"></iframe><object data="${file('secret.svg')}"></object>
    <embed src="${url}/d.svg"><video src="${url}/e.mp4" poster="${file('secret.png')}"></video><audio src="${file('secret.mp3')}"></audio>
    <svg><image href="${file('secret.png')}"/><use href="${file('secret.svg')}#x"/></svg><link rel="preload" as="image" href="${url}/p.png">
    <script src="${url}/s.js"></script><script>fetch("${url}/fetched"); new Image().src = "${url}/made.png"</script>
    <link rel="attachment" href="${file('secret.txt')}"></body></html>`
  const xml = (root: string, inner: string) =>
    `<?xml version="1.0"?><!DOCTYPE ${root} [<!ENTITY x SYSTEM "${file('secret.txt')}"><!ENTITY y SYSTEM "${url}/entity">
    <!ENTITY % d SYSTEM "${file('secret.dtd')}"> %d; <!ENTITY % e SYSTEM "${url}/e.dtd"> %e;]>${inner}`
  const chapter = `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>t</title><link rel="stylesheet" href="${url}/a.css" type="text/css"/></head>
    <body><p>text</p><img src="${file('secret.png')}"/><img src="${url}/a.png"/><img src="../../../../../../../..${folder}/secret.png"/><p><a href="${file('secret.html')}">l</a></p></body></html>`
  const opf = `<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="2.0" unique-identifier="i"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
    <dc:title>t</dc:title><dc:identifier id="i">i</dc:identifier><dc:language>en</dc:language></metadata><manifest><item id="c" href="c.xhtml" media-type="application/xhtml+xml"/>
    <item id="p" href="../../../../../../../..${folder}/secret.png" media-type="image/png"/><item id="q" href="${file('secret.css')}" media-type="text/css"/></manifest>
    <spine><itemref idref="c"/></spine><guide><reference type="cover" title="c" href="../../../../../../../..${folder}/secret.html"/></guide></package>`
  const book = {
    mimetype: 'application/epub+zip',
    'META-INF/container.xml':
      '<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="c.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
    'c.opf': opf,
  }
  const lures: Lure[] = [
    { what: 'a page that loads all that a page can', name: 'a.html', content: page },
    {
      what: 'Markdown with pictures and raw HTML',
      name: 'a.md',
      content: `# t\n\n![a](${file('secret.png')})\n\n![b](${url}/a.png)\n\n![c](${folder}/secret.png)\n\n<iframe src="${file('secret.html')}"></iframe>\n\n<img src="${url}/c.png">\n`,
    },
    {
      what: 'reStructuredText that includes',
      name: 'a.rst',
      content: `Title\n=====\n\n.. include:: ${folder}/secret.txt\n\n.. csv-table:: x\n   :file: ${folder}/secret.csv\n\n.. raw:: html\n   :url: ${url}/raw\n\n.. image:: ${url}/a.png\n\n.. image:: ${folder}/secret.png\n`,
    },
    {
      what: 'Org that includes',
      name: 'a.org',
      content: `* Title\n\n#+INCLUDE: "${folder}/secret.txt"\n#+SETUPFILE: ${url}/setup\n\n[[file:${folder}/secret.png]]\n\n[[${url}/a.png]]\n`,
    },
    {
      what: 'LaTeX that reads and runs',
      name: 'a.tex',
      content: `\\documentclass{article}\\usepackage{graphicx}\\input{${folder}/secret.tex}\\begin{document}text \\include{${folder}/secret} \\includegraphics{${folder}/secret.png} \\includegraphics{${url}/a.png}\\immediate\\write18{touch ${prey}/tex}\\end{document}`,
    },
    {
      what: 'AsciiDoc that includes',
      name: 'a.adoc',
      content: `= Title\n\ntext\n\ninclude::${folder}/secret.txt[]\n\ninclude::${url}/a.adoc[]\n\nimage::${folder}/secret.png[]\n\nimage::${url}/a.png[]\n`,
    },
    {
      what: 'DocBook with entities and XInclude',
      name: 'a.dbk',
      content: xml(
        'article',
        `<article xmlns="http://docbook.org/ns/docbook" xmlns:xi="http://www.w3.org/2001/XInclude" version="5.0"><title>t</title><para>text &x; &y;</para><xi:include href="${file('secret.txt')}" parse="text"/><mediaobject><imageobject><imagedata fileref="${file('secret.png')}"/></imageobject></mediaobject></article>`,
      ),
    },
    {
      what: 'FictionBook with entities',
      name: 'a.fb2',
      content: xml(
        'FictionBook',
        `<FictionBook xmlns="http://www.gribuser.ru/xml/fictionbook/2.0" xmlns:l="http://www.w3.org/1999/xlink"><description><title-info><book-title>t</book-title><coverpage><image l:href="${file('secret.png')}"/></coverpage></title-info></description><body><section><p>text &x;</p><image l:href="${url}/a.png"/></section></body></FictionBook>`,
      ),
    },
    { what: 'a book with pictures elsewhere', name: 'a.epub', content: await zipped({ ...book, 'c.xhtml': chapter }) },
    {
      what: 'a book with entities',
      name: 'b.epub',
      content: await zipped({
        ...book,
        'c.xhtml': xml(
          'html',
          '<html xmlns="http://www.w3.org/1999/xhtml"><head><title>t</title></head><body><p>text &x; &y;</p></body></html>',
        ),
      }),
    },
    { what: 'XML with entities', name: 'a.xml', content: xml('rows', '<rows><row><a>text &x; &y;</a></row></rows>') },
    {
      what: 'a mail with pictures elsewhere',
      name: 'a.eml',
      content: `From: a@b.example\r\nTo: c@d.example\r\nSubject: t\r\nMIME-Version: 1.0\r\nContent-Type: text/html\r\n\r\n${page}`,
    },
    {
      what: 'a table that calls',
      name: 'a.csv',
      content: `a,b\n"=WEBSERVICE(""${url}/csv"")",=1+1\n"=HYPERLINK(""${url}/x"")","='${file('secret.csv')}'#$secret.A1"\n`,
    },
  ]
  return lures
}
