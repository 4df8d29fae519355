import type { Look } from '../../../kernel/contract.ts'

/**
 * MXF, by the key of a header partition. If the name agrees, up to 64 KiB of run-in may precede it (SMPTE 377-1 §6.5).
 */
const KEY = Buffer.from('060e2b34020501010d010201', 'hex')

export const mxf: Look = ({ head }, hint) => {
  const at = head.indexOf(KEY)
  return at === 0 || (at > 0 && hint === 'mxf') ? 'mxf' : undefined
}
