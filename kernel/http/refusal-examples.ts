import type { Catalogue } from '../catalogue/catalogue.ts'
import { createOptionsValidator } from '../catalogue/options.ts'
import type { Plugin } from '../contract.ts'
import type { Code } from '../errors.ts'
import { errorMessages } from './examples.ts'
import { rateRefusal } from './rate-limits.ts'
import { startConversionBody } from './schemas.ts'
import { createCheck } from './validation.ts'

/**
 * A message for each code. What depends on the catalogue is asked of the code that refuses requests, so that the
 * examples are about formats and options of this installation.
 */
export function refusalMessages(catalogue: Catalogue, plugins: readonly Plugin[]): Partial<Record<Code, string>> {
  const pairs = [...catalogue.pairs.values()].filter((pair) => pair.from !== pair.to && !pair.closed)
  const pair = pairs.find(({ from, to }) => from === 'png' && to === 'webp') ?? pairs[0]
  const messages: Partial<Record<Code, string>> = { ...errorMessages }
  const note = (refuse: () => unknown) => {
    try {
      refuse()
    } catch (error) {
      const { code, message } = error as { code: Code; message: string }
      messages[code] = message
    }
  }
  note(() => createCheck(startConversionBody, 'The body')({ fileId: 'x' }))
  note(() => {
    throw rateRefusal('conversions', 'minute', { limit: 10, reset: 42 })
  })
  if (!pair) return messages
  const { from, to, plugin } = pair
  const options = createOptionsValidator(plugins)
  const foreign = plugins.flatMap((each) => Object.keys(each.options)).find((key) => !(key in plugin.options))
  const [first] = Object.keys(plugin.options)
  note(() => catalogue.find(from, from, 'convert'))
  note(() => catalogue.find(from, 'nosuch', 'convert'))
  note(() => options.check(plugin, to, { colour: 1 }))
  if (foreign) note(() => options.check(plugin, to, { [foreign]: 1 }))
  if (first) note(() => options.check(plugin, to, { [first]: -1 }))
  return messages
}
