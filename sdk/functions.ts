import { NOTHING_KNOWN } from '../kernel/catalogue/manifest/route.ts'
import type { Plugin } from '../kernel/contract.ts'
import { attempt, type Finding, jobOf } from './job.ts'

/** `sniff` also accepts files of other formats. */
export function formatFindings(plugin: Plugin): Finding[] {
  return Object.entries(plugin.formats).flatMap(([name, { sniff }]) => {
    if (!sniff) return []
    const path = `formats.${name}.sniff`
    const faults = attempt(path, () => {
      const empty: unknown = sniff(new Uint8Array(0))
      return [
        ...(typeof empty === 'boolean' ? [] : [`${path} must return true or false, also for an empty file`]),
        ...(sniff(new Uint8Array(65_536)) === false ? [] : [`${path} takes 64 KiB of zeros for ${name}`]),
      ]
    })
    return [{ check: `${name} is recognised`, faults }]
  })
}

/** Descriptions are sentences, because people read them. */
export function optionFindings(plugin: Plugin): Finding[] {
  return Object.entries(plugin.options).map(([key, { description }]) => ({
    check: `the option ${key} is described`,
    faults: /\.$/.test(description) ? [] : [`options.${key}.description must be a sentence that ends with a full stop`],
  }))
}

/** `heavy` depends on the job only. */
export function heavyFindings(plugin: Plugin): Finding[] {
  const { heavy } = plugin
  if (!heavy) return []
  const faults = plugin.routes.flatMap((route) => {
    const [from = ''] = 'transform' in route ? route.transform : route.from
    const [to = ''] = 'transform' in route ? route.transform : route.to
    const { intent, options } = jobOf(plugin, from, to)
    return [0, 1, 5e9].flatMap((size) =>
      attempt('heavy', () => {
        const first: unknown = heavy({ from, to, intent, size, options })
        const again = heavy({ from, to, intent, size, options })
        const what = `heavy for ${from} to ${to} of ${size} bytes`
        if (typeof first !== 'boolean') return [`${what} must be true or false, not ${typeof first}`]
        return first === again ? [] : [`${what} changes from call to call`]
      }),
    )
  })
  return [{ check: 'heavy jobs are told from light ones', faults: [...new Set(faults)] }]
}

/** `names` of losses never throw, also if no step has found anything. */
export function lossFindings({ losses = [] }: Plugin): Finding[] {
  return losses.flatMap(({ kind, names }, index) => {
    if (!names) return []
    const path = `losses[${index}].names`
    const faults = attempt(path, () => {
      const found: unknown = names(NOTHING_KNOWN, { from: 'a', to: 'b', options: {} })
      const fine = Array.isArray(found) && found.every((name) => typeof name === 'string')
      return fine ? [] : [`${path} must return a list of strings`]
    })
    return [{ check: `losses of ${kind} are named`, faults }]
  })
}
