/** Returns an error in one line, with the program's output for debugging. */
export function reasonOf(error: unknown): string {
  const { code, message, stderr, cause } = error as Error & { code?: unknown; stderr?: unknown }
  const parts = [code, message, stderr, cause instanceof Error && cause.message].filter(Boolean).map(String)
  return parts.join(': ').replace(/\s+/g, ' ').slice(0, 400)
}
