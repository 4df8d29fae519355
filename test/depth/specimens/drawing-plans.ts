import { program } from '../../fixtures/program.ts'
import type { Specimen } from '../family.ts'
import { inFile } from '../saved.ts'

const spoken = new Set(['harbour', '4821', 'dunlin'])

/** By ezdxf: a plan of 120 by 80 mm, in layers of their own colours. `code` ends with the document as `doc`. */
const byEzdxf = (name: string, release: string, code: string, truth: object): Specimen => ({
  name,
  from: 'dxf',
  maker: 'ezdxf',
  features: Object.keys(truth),
  truth: { ...truth },
  make: async (output) => {
    const script = `import ezdxf, sys
from ezdxf import units
doc = ezdxf.new('${release}', setup=True)
doc.units = units.MM
msp = doc.modelspace()
${code}
doc.saveas(sys.argv[1])`
    await program('/usr/bin/python3', '-c', script, output)
  },
})

const plan = `doc.layers.add('walls', color=1)
doc.layers.add('pipes', color=5)
doc.layers.add('off', color=3).off()
msp.add_lwpolyline([(0, 0), (120, 0), (120, 80), (0, 80)], close=True, dxfattribs={'layer': 'walls', 'const_width': 2})
msp.add_circle((30, 50), 15, dxfattribs={'layer': 'pipes', 'lineweight': 100})
msp.add_line((60, 10), (110, 70), dxfattribs={'layer': 'off'})
msp.add_text('Harbour 4821 Dunlin', height=7, dxfattribs={'layer': '0'}).set_pos((10, 12))
hatch = msp.add_hatch(color=1)
hatch.paths.add_polyline_path([(70, 40), (100, 40), (100, 60), (70, 60)], is_closed=True)`

const block = `cell = doc.blocks.new('cell')
cell.add_lwpolyline([(0, 0), (10, 0), (10, 10), (0, 10)], close=True, dxfattribs={'color': 0, 'lineweight': 100})
for x in range(0, 120, 20):
    msp.add_blockref('cell', (x, 0), dxfattribs={'rotation': 0, 'color': 1})
msp.add_mtext('Harbour 4821 Dunlin', dxfattribs={'char_height': 7, 'insert': (0, 40), 'width': 120})
msp.add_spline([(0, 60), (40, 80), (80, 60), (110, 80)], dxfattribs={'color': 5, 'lineweight': 100})`

/** Specimens of plans and of Xfig drawings. */
export const plans: readonly Specimen[] = [
  byEzdxf('layers.dxf', 'R2010', plan, { colours: ['#ff0000', '#0000ff'], words: spoken, extent: [120, 80] }),
  byEzdxf(
    'old.dxf',
    'R12',
    plan
      .replace(/hatch[\s\S]*$/, '')
      .replace('add_lwpolyline', 'add_polyline2d')
      .replace(", 'const_width': 2", '')
      .replace("'lineweight': 100", "'color': 1"),
    { colours: ['#ff0000'], words: spoken, extent: [120, 80] },
  ),
  byEzdxf('blocks.dxf', 'R2018', block, { colours: ['#ff0000', '#0000ff'], words: spoken }),
  // Inches, colours by number and words.
  ...['words.fig', 'large.fig'].map((name) =>
    inFile('drawing', name, { colours: ['#ff0000', '#0000ff'], words: spoken }),
  ),
]
