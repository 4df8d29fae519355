/**
 * The colour space of an ICC profile (ICC.1:2022, 7.2), whether its description says sRGB, and whether it tone maps
 * high dynamic range: the reader of HEIF writes such profiles, which no result should need.
 */
export function describe(icc: Buffer): { rgb: boolean; srgb: boolean; hdr: boolean } {
  const rgb = icc.toString('latin1', 16, 20) === 'RGB '
  // The second name is libjxl's.
  const text = description(icc)
  return { rgb, srgb: rgb && /sRGB|RGB_D65_SRG_\w{3}_SRG/.test(text), hdr: text.includes('High dynamic range') }
}

/** The text of the `desc` tag, in either encoding, without the zero bytes of UTF-16. */
function description(icc: Buffer): string {
  const tags = icc.length >= 132 ? Math.min(icc.readUInt32BE(128), 100) : 0
  for (let entry = 132; entry < 132 + tags * 12 && entry + 12 <= icc.length; entry += 12) {
    if (icc.toString('latin1', entry, entry + 4) !== 'desc') continue
    const start = icc.readUInt32BE(entry + 4)
    const length = Math.min(icc.readUInt32BE(entry + 8), 4096)
    return icc.toString('latin1', start, start + length).replaceAll('\0', '')
  }
  return ''
}
