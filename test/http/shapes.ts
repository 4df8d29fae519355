/** Compares what the OpenAPI document publishes with what the service sends, by shape rather than by value. */

/** Keys under which names are data: options of a tool, parts of the service. */
const OPEN = new Set(['properties', 'parts'])

/**
 * The paths of a JSON value, such as `file.size`. An entry of a list has the path `list[]`, so that lists of equal entries
 * have one shape, whatever their length. Schemas hold the types of what is there.
 */
export function pathsOf(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return [path, ...value.flatMap((each) => pathsOf(each, `${path}[]`))]
  if (typeof value !== 'object' || value === null) return [path]
  if (OPEN.has(path.split('.').at(-1)!)) return [path]
  return Object.entries(value).flatMap(([key, each]) => pathsOf(each, path ? `${path}.${key}` : key))
}

/** The paths of an example that no answer had. */
export function neverSent(example: unknown, answers: readonly unknown[]): string[] {
  const sent = new Set(answers.flatMap((answer) => pathsOf(answer)))
  return [...new Set(pathsOf(example))].filter((path) => !sent.has(path))
}

/** The paths of all answers that an example lacks: what clients get and the document does not show. */
export function neverShown(example: unknown, answers: readonly unknown[]): string[] {
  const shown = new Set(pathsOf(example))
  // Each answer may have less or more; what every one of them has must be shown.
  const [first = [], ...others] = answers.map((answer) => pathsOf(answer))
  return [...new Set(first)].filter((path) => others.every((each) => each.includes(path)) && !shown.has(path))
}
