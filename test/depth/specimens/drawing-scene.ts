import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { made } from '../../fixtures/cache.ts'
import { program } from '../../fixtures/program.ts'
import { pixelsOf } from '../../matrix/decode.ts'
import type { Specimen } from '../family.ts'
import { formatOf } from '../saved.ts'

/** Millimetres of the scene's page. */
export const page = { width: 120, height: 80 } as const

/** Colours of the scene, as `#rrggbb`: of areas, lines and the ends of a gradient. */
export const paints = ['#cc0000', '#0000cc', '#008000', '#ffcc00'] as const

/** Areas, lines, a gradient, transparency, dashes and words, in millimetres. */
export const scene = (words = true) => `<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" width="${page.width}mm" height="${page.height}mm" viewBox="0 0 ${page.width} ${page.height}">
<defs><linearGradient id="g"><stop offset="0" stop-color="#ffcc00"/><stop offset="1" stop-color="#0000cc"/></linearGradient></defs>
<g id="areas"><rect width="${page.width}" height="${page.height}" fill="#ffffff"/>
<rect x="5" y="5" width="30" height="20" fill="#cc0000"/>
<circle cx="60" cy="16" r="10" fill="none" stroke="#0000cc" stroke-width="3"/>
<rect x="80" y="5" width="35" height="20" fill="url(#g)"/></g>
<g id="lines" fill="none" stroke="#008000" stroke-width="2"><path d="M5 35C35 25 60 45 115 33"/><path d="M5 45H115" stroke-dasharray="6 3"/></g>
<rect x="25" y="15" width="20" height="15" fill="#ffcc00" fill-opacity="0.5"/>
${words ? '<text x="8" y="66" font-family="Liberation Sans" font-size="11" fill="#000000">Harbour 4821 Dunlin</text>' : ''}
</svg>
`

const spoken = new Set(['harbour', '4821', 'dunlin'])

/** The scene as Inkscape sees it, at 150 dpi. */
const look = (words: boolean) => async () => {
  const path = await made(`depth-scene-${words}.png`, async (output, scratch) => {
    await writeFile(join(scratch, 'in.svg'), scene(words))
    const target = ['--export-type=png', '--export-dpi=150', `--export-filename=${output}`]
    await program('inkscape', ...target, join(scratch, 'in.svg'))
  })
  return pixelsOf(sharp(path))
}

const inches = [page.width / 25.4, page.height / 25.4]

/** What a drawing of the scene shows. */
export const truth = (words = true) => ({
  look: look(words),
  paper: inches,
  colours: paints,
  likeness: 20,
  ...(words && { words: spoken }),
})

/** A drawing of the scene. `make` gets the scene as SVG and as PDF by cairo. */
export const drawn = (
  name: string,
  maker: string,
  make: (files: { svg: string; pdf: string; scratch: string }, output: string) => Promise<unknown>,
  { words = true, ...others }: { words?: boolean } & Record<string, unknown> = {},
): Specimen => ({
  name,
  from: formatOf(name),
  maker,
  features: ['look', 'paper', 'colours', ...(words ? ['words'] : [])].filter((one) => !(one in others) || others[one]),
  truth: Object.fromEntries(Object.entries({ ...truth(words), ...others }).filter(([, value]) => value !== undefined)),
  make: async (output, scratch) => {
    const svg = join(scratch, 'in.svg')
    const pdf = join(scratch, 'in.pdf')
    await writeFile(svg, scene(words))
    await program('rsvg-convert', '-f', 'pdf', '-o', pdf, svg)
    await make({ svg, pdf, scratch }, output)
  },
})

/** By Inkscape. */
export const byInkscape = (name: string, ...options: string[]) =>
  drawn(
    name,
    'Inkscape',
    async ({ svg }, output) => {
      const type = formatOf(name)
      await program('inkscape', `--export-type=${type}`, ...options, `--export-filename=${output}`, svg)
    },
    { likeness: ['emf', 'wmf'].includes(name.split('.')[1]!) ? 15 : 20 },
  )

/** By LibreOffice Draw. */
export const byLibreOffice = (name: string, others: Record<string, unknown> = {}) =>
  drawn(
    name,
    'LibreOffice',
    async ({ svg, scratch }, output) => {
      const type = formatOf(name)
      const profile = `-env:UserInstallation=file://${scratch}/profile`
      await program('soffice', profile, '--headless', '--convert-to', type, '--outdir', join(scratch, 'out'), svg)
      await program('cp', join(scratch, 'out', `in.${type}`), output)
    },
    others,
  )

/** By Matplotlib, whose page has the same size: an area, a line and words. */
export const byMatplotlib = (name: string): Specimen => ({
  name,
  from: formatOf(name),
  maker: 'Matplotlib',
  features: ['paper', 'colours', 'words'],
  truth: { paper: inches, colours: ['#cc0000', '#0000cc'], words: spoken },
  make: async (output) => {
    const code = `import sys, matplotlib
matplotlib.use('agg')
import matplotlib.pyplot as plt
figure = plt.figure(figsize=(${inches}))
axes = figure.add_axes([0.1, 0.35, 0.8, 0.6])
axes.bar([1, 2], [3, 2], color='#cc0000')
axes.plot([0.5, 2.5], [1, 3], color='#0000cc', linewidth=6)
figure.text(0.1, 0.08, 'Harbour 4821 Dunlin', fontsize=26)
figure.savefig(sys.argv[1], format='${formatOf(name)}')`
    await program('/usr/bin/python3', '-c', code, output)
  },
})
