/** One sentence that fills two lines of a page. */
export const prose =
  'The harbour lies at the mouth of the river and has been dredged every spring since the dam was finished, because the silt that the river brings would close it within three years otherwise.'

const circle =
  '<svg xmlns="http://www.w3.org/2000/svg" width="120" height="80"><circle cx="60" cy="40" r="30" fill="#c81e1e"/></svg>'

const { default: sharp } = await import('sharp')
const picture = (await sharp(Buffer.from(circle)).png().toBuffer()).toString('base64')

const style = `
@page { size: A4; margin: 25mm 20mm; @bottom-center { content: "Page " counter(page) " of " counter(pages) } @top-left { content: "Harbour authority" } }
body { font: 11pt/1.4 "Liberation Serif" }
table { border-collapse: collapse }
.ruled td, .ruled th { border: 1px solid #444; padding: 3px 6px } .ruled th { background: #dde }
.across { border-top: 2px solid; border-bottom: 2px solid } .across th { border-bottom: 1px solid } .across td, .across th { padding: 2px 14px }
.shaded td, .shaded th { padding: 4px 10px } .shaded tr:nth-child(odd) { background: #e8eef8 }`

const row = (tag: string, ...cells: string[]) => `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`

/**
 * A page on A4 with what people have in reports: tables of three kinds, lists, marks, a link and a transparent picture.
 */
export const report = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Harbour report</title><style>${style}</style></head><body>
<h1>Harbour report</h1><p>${prose} ${prose}<sup>1</sup> The area is 12 km<sup>2</sup> and water is H<sub>2</sub>O. See <a href="https://example.org/silt">the survey</a>. <b>Bold words</b> and <i>slanted words</i>.</p>
<h2>Ships by quarter</h2>
<table class="ruled"><thead><tr><th rowspan="2">Port</th><th colspan="2">First half</th><th rowspan="2">Notes</th></tr>${row('th', 'Q1', 'Q2')}</thead>
${row('td', 'Hamburg', '1,204', '1,310', 'Including the ferries that only stop for an hour in the outer basin')}${row('td', 'Bremen', '0812', '-15', '')}
<tr><td rowspan="2">Kiel</td><td>7</td><td>3.5</td><td>low water</td></tr><tr><td colspan="3">closed in June</td></tr></table>
<h2>Lines only between rows</h2><table class="across">${row('th', 'Species', 'Count', 'Share')}${row('td', 'Herring gull', '412', '51 %')}${row('td', 'Common tern', '305', '38 %')}${row('td', 'Eider', '90', '11 %')}</table>
<h2>Rows on colours</h2><table class="shaded">${row('th', 'Month', 'Rain', 'Wind')}${row('td', 'January', '80 mm', 'SW 6')}${row('td', 'February', '62 mm', 'W 5')}${row('td', 'March', '55 mm', 'NW 4')}${row('td', 'April', '41 mm', 'N 3')}</table>
<p><img src="data:image/png;base64,${picture}"></p>
<h2>Lists</h2><ul><li>first bullet that is long enough to be wrapped onto a second line of the page, so that the reader can see the hanging indent<ul><li>inner point</li></ul></li><li>second bullet</li></ul>
<ol><li>one</li><li>two</li><li>three</li></ol><p>${prose} ${prose}</p><p>${prose}</p><h2>Second part</h2><p>${[prose, prose, prose].join(' ')}</p></body></html>`
