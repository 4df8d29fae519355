/** Builds what the service serves at /docs, the API reference and the guides of docs/, and the help for people. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildOnce, bundle, compressAll, fill, hashed } from './bundle.mjs'

/**
 * Builds the documentation, unless that was done for these sources.
 *
 * @throws Error with the messages of the compiler.
 */
export async function buildDocs(root) {
  const source = join(root, 'page/docs')
  // In a container image, setup runs before the sources are copied.
  if (!existsSync(source)) return
  const docs = join(root, 'docs')
  const readme = join(root, 'README.md')
  await buildOnce(root, 'athanor-docs', [import.meta.dirname, join(root, 'page'), docs, readme], async (folder) => {
    const entries = { docs: join(source, 'docs.css'), reference: join(source, 'reference.ts') }
    const { docs: common, reference } = await bundle('documentation', entries, folder)
    const values = { icon: hashed(join(root, 'page/mark.svg'), folder), common: common.style, ...reference }
    compressAll(folder)
    const template = fill(readFileSync(join(source, 'docs.html'), 'utf8'), values)
    const order = existsSync(readme) ? readFileSync(readme, 'utf8').split('## Read more').at(-1) : ''
    const guides = await readGuides(docs, order)
    const links = (current) =>
      [{ name: '', title: 'API reference' }, ...guides]
        .map(({ name, title }) => {
          const mark = name === current ? ' aria-current="page"' : ''
          return `<li><a href="{{up}}docs${name && '/'}${name}"${mark}>${title}</a></li>`
        })
        .join('\n')
    const write = (file, values) => writeFileSync(join(folder, file), fill(template, values))
    const extras = fill(
      '<link rel="stylesheet" href="docs/{{style}}">\n<script type="module" src="docs/{{script}}"></script>',
      values,
    )
    write('index.html', { title: 'API reference', links: links(''), content: REFERENCE, extras })
    for (const { name, title, html } of guides)
      write(`${name}.html`, {
        title,
        links: links(name),
        content: `<main id="content">\n<article class="guide">\n${html}</article>\n</main>`,
        extras: '',
      })
    await writeHelp(join(root, 'page/help'), folder, values)
  })
}

/** Swagger UI has a `main` element of its own. */
const REFERENCE = `<div id="content">
<div id="reference"></div>
<noscript><p>The reference needs JavaScript in your browser. The document that it shows is
<a href="api/openapi.json">api/openapi.json</a>.</p></noscript>
</div>`

/** Renders the help as one page for each language, which needs no script. */
async function writeHelp(source, folder, values) {
  const { Marked } = await import('marked')
  const template = fill(readFileSync(join(source, 'help.html'), 'utf8'), values)
  const languages = JSON.parse(readFileSync(join(source, '../languages.json'), 'utf8'))
  for (const language of Object.keys(languages)) {
    const content = new Marked({ renderer, gfm: true }).parse(readFileSync(join(source, `${language}.md`), 'utf8'))
    const links = Object.entries(languages).map(([one, name]) => {
      const mark = one === language ? ' aria-current="page"' : ''
      return `<li><a href="{{up}}help/${one}" lang="${one}" hreflang="${one}"${mark}>${name}</a></li>`
    })
    const title = /<h1[^>]*>(.*)<\/h1>/.exec(content)[1]
    const attributes = `lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}"`
    const page = fill(template, { title, links: links.join('\n'), content })
    writeFileSync(join(folder, `help.${language}.html`), page.replace('lang="en" dir="ltr"', attributes))
  }
}

/** Renders the guides, in the order in which the end of the README names them; others come last, by name. */
async function readGuides(docs, order) {
  if (!existsSync(docs)) return []
  const { Marked } = await import('marked')
  const names = readdirSync(docs).filter((file) => file.endsWith('.md'))
  const rank = (file) => (order.indexOf(`docs/${file}`) + order.length + 1) % (order.length + 1)
  return names
    .sort((one, other) => rank(one) - rank(other) || (one < other ? -1 : 1))
    .map((file) => {
      const markdown = readFileSync(join(docs, file), 'utf8')
      const html = new Marked({ renderer, gfm: true }).parse(markdown).replaceAll('{{', '&#123;{')
      return { name: file.slice(0, -3), title: /^# (.*)$/m.exec(markdown)[1], html }
    })
}

const renderer = {
  /** Anchors as GitHub makes them, so that links between the guides work in both places. */
  heading({ tokens, depth, text }) {
    const id = text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-')
    return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`
  },
  /** Other guides are pages beside this one. Files of the repository are not served. */
  link({ href, tokens }) {
    const inner = this.parser.parseInline(tokens)
    const [, guide, anchor = ''] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? []
    if (guide) return `<a href="${guide}${anchor}">${inner}</a>`
    return /^(https?:|#)/.test(href) ? `<a href="${href}">${inner}</a>` : inner
  },
  /** The keyboard scrolls long lines. */
  code({ text }) {
    const signs = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
    return `<pre tabindex="0"><code>${text.replace(/[&<>]/g, (sign) => signs[sign])}</code></pre>\n`
  },
  /** A wide table scrolls in its own frame. */
  table(token) {
    const row = (cells, tag) =>
      `<tr>${cells.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')}</tr>`
    const body = token.rows.map((cells) => row(cells, 'td')).join('\n')
    return `<div class="wide" tabindex="0"><table><thead>${row(token.header, 'th')}</thead><tbody>${body}</tbody></table></div>\n`
  },
}
