import { fileURLToPath } from 'node:url'
import type { Engine } from '../kernel/contract.ts'

const folder = fileURLToPath(new URL('programs/dxf', import.meta.url))
// As the program does: ezdxf would load matplotlib, which needs files of /etc.
const plain = 'import sys; sys.modules["matplotlib"] = None; '
const alone = ['-I', '-B']

/** Draws the model space of DXF as SVG, by ezdxf. A route needs `ezdxf`: the interpreter alone is not enough. */
export const ezdxf: Engine = {
  name: 'ezdxf',
  binary: ['/usr/bin/python3'],
  version: ['--version'],
  package: 'python3-ezdxf',
  features: [...alone, '-c', `${plain}import ezdxf; print("ezdxf")`],
  argv: (job, args) => [alone, `${folder}/draw.py`, args, job.input, job.output],
  reason: (lines) => {
    const said = lines.findLast((line) => line.startsWith('The drawing '))?.slice(0, 200)
    return said?.includes('at most') ? { code: 'RESOURCE_LIMIT', message: said } : said
  },
  sandbox: { binds: [folder] },
}
