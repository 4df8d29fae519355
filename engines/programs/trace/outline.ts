import { spawnSync } from 'node:child_process'

/** The outlines of a bitmap as SVG path data, in tenths of a pixel, y upwards. Empty if there are none. */
export function outline(bitmap: Buffer, width: number, height: number): string {
  const input = Buffer.concat([Buffer.from(`P4\n${width} ${height}\n`), bitmap])
  const { stdout, status, error } = spawnSync('potrace', ['-b', 'svg', '--flat', '-t', '4', '-o', '-', '-'], {
    input,
    maxBuffer: 256 * 2 ** 20,
  })
  if (error || status !== 0) throw error ?? new Error('potrace failed')
  const paths = stdout.toString('latin1').matchAll(/<path [^>]*?\bd="([^"]*)"/g)
  return Array.from(paths, ([, path]) => path!.replaceAll(/\s+/g, ' ')).join('')
}
