/** Tells why a model is refused, for the engine's `reason`, and ends. */
export function refuse(message: string): never {
  console.error(message)
  process.exit(1)
}
