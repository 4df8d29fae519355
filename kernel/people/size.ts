/** Formats a size for messages: in bytes below 1 kB, otherwise to a tenth of a kB or MB (10^3, 10^6 bytes). */
export function sizeInWords(bytes: number): string {
  const [unit, name] = bytes < 1e3 ? [1, 'bytes'] : bytes < 1e6 ? [1e3, 'kB'] : [1e6, 'MB']
  return `${Math.round((bytes / unit) * 10) / 10} ${name}`
}
