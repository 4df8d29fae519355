import type { Engine } from '../kernel/contract.ts'
import { pythonProgram } from './python/program.ts'

const { command, ...own } = pythonProgram('dxf', 'draw.py')
// As the program does: ezdxf would load matplotlib, which needs files in /etc.
const withoutMatplotlib = 'import sys; sys.modules["matplotlib"] = None'

/**
 * Draws the model space of a DXF as SVG with ezdxf. The argument `paper` puts it on a sheet of paper with margins.
 * Routes need the feature `ezdxf`: Python may be installed without it.
 */
export const ezdxf: Engine = {
  ...own,
  name: 'ezdxf',
  version: ['--version'],
  package: 'python3-ezdxf',
  features: ['-I', '-B', '-c', `${withoutMatplotlib}; import ezdxf; print("ezdxf")`],
  argv: (job, args) => [command, args, job.input, job.output],
}
