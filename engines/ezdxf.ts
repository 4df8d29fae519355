import { fileURLToPath } from 'node:url'
import type { Engine } from '../kernel/contract.ts'
import { told } from './node/told.ts'

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
  reason: told,
  sandbox: { binds: [folder] },
}
