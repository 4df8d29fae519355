/** Compares the examples of the OpenAPI document with the sent answers, by shape rather than by value. */

/** Keys whose children are named by data, such as options of a tool and parts of the service. */
const OPEN = new Set(['properties', 'parts'])

/**
 * Returns the paths of a JSON value, such as `file.size`. Entries of a list share the path `list[]`, so that lists of
 * equal entries have one shape, whatever their length. For schemas, returns the paths of the described values.
 */
export function pathsOf(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return [path, ...value.flatMap((each) => pathsOf(each, `${path}[]`))]
  if (typeof value !== 'object' || value === null) return [path]
  if (OPEN.has(path.split('.').at(-1)!)) return [path]
  return Object.entries(value).flatMap(([key, each]) => pathsOf(each, path ? `${path}.${key}` : key))
}

/** Returns the paths of an example that no answer had. */
export function neverSent(example: unknown, answers: readonly unknown[]): string[] {
  const sent = new Set(answers.flatMap((answer) => pathsOf(answer)))
  return [...new Set(pathsOf(example))].filter((path) => !sent.has(path))
}

/**
 * Returns the paths that all answers have and an example lacks: clients get them, but the document does not show them.
 */
export function neverShown(example: unknown, answers: readonly unknown[]): string[] {
  const shown = new Set(pathsOf(example))
  // Answers may have different paths. The example must show those that all of them have.
  const [first = [], ...others] = answers.map((answer) => pathsOf(answer))
  return [...new Set(first)].filter((path) => others.every((each) => each.includes(path)) && !shown.has(path))
}
