import { enginesOf } from '../kernel/catalogue/manifest/route.ts'
import type { Engine, Plugin } from '../kernel/contract.ts'
import { attempt, type Finding } from './job.ts'

/** `progress` and `reason` accept any line. */
export function engineFindings(plugin: Plugin): Finding[] {
  return [...enginesOf([plugin])].map((engine) => ({
    check: `the engine ${engine.name} reads what its program says`,
    faults: [...progressFaults(engine), ...reasonFaults(engine)],
  }))
}

function progressFaults({ name, progress }: Engine): readonly string[] {
  return attempt(`${name}.progress`, () => {
    const read = progress?.()
    return ['', 'nonsense', '-1', '100%', '\ufffd'.repeat(10_000)].flatMap((line) => {
      const fraction = read?.(line)
      const fine = fraction === undefined || (fraction >= 0 && fraction <= 1)
      return fine
        ? []
        : [`${name}.progress gave ${fraction} for ${JSON.stringify(line.slice(0, 20))}: 0 to 1, or nothing`]
    })
  })
}

function reasonFaults({ name, reason }: Engine): readonly string[] {
  return attempt(`${name}.reason`, () => {
    reason?.([])
    return []
  })
}
