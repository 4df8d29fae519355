/** An answer that is no error, as the OpenAPI document describes it. */
export interface Success {
  description: string
  headers: object
  content?: Record<string, { schema: { $ref?: string } }>
}

/** Answers that several operations give become components, named by their schema. */
export function shareAlike(all: readonly Record<string, Success>[]) {
  const uses = new Map<string, number>()
  for (const answer of all.flatMap(Object.values)) {
    const text = JSON.stringify(answer)
    uses.set(text, (uses.get(text) ?? 0) + 1)
  }
  const components: Record<string, object> = {}
  const share = (answer: Success) => {
    if (uses.get(JSON.stringify(answer))! < 2) return answer
    const name = answer.content?.['application/json']?.schema.$ref?.split('/').at(-1) ?? 'Done'
    components[name] = answer
    return { $ref: `#/components/responses/${name}` }
  }
  return {
    components,
    of: (answers: Record<string, Success>) =>
      Object.fromEntries(Object.entries(answers).map(([status, answer]) => [status, share(answer)])),
  }
}
