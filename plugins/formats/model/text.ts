import type { Look } from '../../../kernel/contract.ts'

/** Models and plans in text form, by the structure of their first lines. */
export const modelText: Look = ({ text }, hint) => {
  if (!text) return undefined
  const { body } = text
  const start = body.slice(0, 4096)
  if (/^(DBRep_DrawableShape|CASCADE Topology V)/m.test(start.slice(0, 200))) return 'brep'
  if (/^(\/\*[^*]{0,2000}\*\/\s*){0,5}ISO-10303-21;/.test(start))
    return /FILE_SCHEMA\s*\(\s*\(\s*'IFC/i.test(body.slice(0, 16_384)) ? 'ifc' : 'step'
  if (isDxf(start)) return 'dxf'
  if (/^solid\b/i.test(start) && /\bfacet\s+normal\b/i.test(start)) return 'stl'
  if (isIges(text.start)) return 'iges'
  return isWavefront(body, hint) ? 'obj' : undefined
}

/** DXF: pairs of group code and value. Comments (999) may precede the first section (DXF reference, "Group codes"). */
function isDxf(start: string): boolean {
  const lines = start.split(/\r\n|\r|\n/, 200).map((line) => line.trim())
  let at = 0
  while (lines[at] === '999') at += 2
  return lines[at] === '0' && lines[at + 1] === 'SECTION'
}

/** IGES: lines of 80 columns with the section's letter in column 73 (IGES 5.3 §2.2). */
function isIges(text: string): boolean {
  const lines = text.slice(0, 1024).split(/\r?\n/).slice(0, 3)
  return (
    lines.length > 1 &&
    lines.slice(0, 2).every((line) => /^.{72}[SG]\s*\d+\s*$/.test(line)) &&
    /^.{72}S/.test(lines[0]!)
  )
}

const OBJ_LINE =
  /^(v|vt|vn|vp|f|l|p|o|g|s|usemtl|mtllib|usemap|cstype|deg|curv2?|surf|parm|end|ctech|stech|bmat|step|mg)(\s|$)/

/** OBJ: vertices, and hardly any line that is no statement. */
function isWavefront(body: string, hint: string): boolean {
  const lines = body
    .slice(0, 16_384)
    .split('\n', 400)
    .map((line) => line.trim())
    .filter((line) => line && !line.startsWith('#'))
  const vertices = lines.filter((line) => /^v(\s+-?[\d.]+(e[+-]?\d+)?){3}/i.test(line)).length
  const known = lines.filter((line) => OBJ_LINE.test(line)).length
  return known >= lines.length * 0.9 && vertices >= (hint === 'obj' ? 1 : 3)
}
