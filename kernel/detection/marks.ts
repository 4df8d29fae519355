import { font, type Verdict } from './verdict.ts'

/** Marks at or near the start of a text; none of the patterns can backtrack over more than a line. */
const MARKS: [pattern: RegExp, verdict: Verdict][] = [
  [/^\{\\rtf/, 'rtf'],
  [/^!<arch>\ndebian-binary/, 'deb'],
  [/^!<arch>\n/, 'ar'],
  [/^SIMPLE {2}= {20}T/, 'fits'],
  [/^#\?(RADIANCE|RGBE)/, 'hdr'],
  [/^(STARTFONT 2|SplineFontDB:|%!PS-AdobeFont|%!FontType1)/, font],
  [/^#FIG \d/, 'fig'],
  [/^(\/\* XPM \*\/|! XPM2)/, 'xpm'],
  [/^ply\r?\n/, 'ply'],
  [/^(ST)?C?N?4?n?OFF( BINARY)?\s/, 'off'],
  [/^AC3D[0-9a-f]\s/, 'ac'],
  [/^xof 0\d0\dtxt/, 'x'],
  [/^; FBX \d/, 'fbx'],
  [/^\*3DSMAX_ASCIIEXPORT/, 'ase'],
  [/^AC10\d\d/, 'dwg'],
  [/^#!AMR/, 'amr'],
]

/** Tells a text by a mark or by the structure of its first lines. */
export function marked(text: string, hint: string): Verdict | undefined {
  const body = text.replace(/^\ufeff/, '').trimStart()
  const found = MARKS.find(([pattern]) => pattern.test(body))
  if (found) return found[1]
  const start = body.slice(0, 4096)
  if (/^(DBRep_DrawableShape|CASCADE Topology V)/m.test(start.slice(0, 200))) return 'brep'
  if (start.startsWith('ISO-10303-21;'))
    return /FILE_SCHEMA\s*\(\s*\(\s*'IFC/i.test(body.slice(0, 16_384)) ? 'ifc' : 'step'
  if (isDxf(start)) return 'dxf'
  if (/^solid\b/i.test(start) && /\bfacet\s+normal\b/i.test(start)) return 'stl'
  if (/^#define\s+\S+?_?width\s+\d+\s*$/m.test(start) && /_bits\s*\[\s*\]|_height\s+\d/.test(start)) return 'xbm'
  if (isIges(text)) return 'iges'
  if (isWavefront(body, hint)) return 'obj'
  if (isMail(start, hint)) return 'eml'
  return undefined
}

/** Pairs of lines, a group code and its value: comments (999), then the first section (DXF reference, "Group codes"). */
function isDxf(start: string): boolean {
  const lines = start.split(/\r\n|\r|\n/, 200).map((line) => line.trim())
  let at = 0
  while (lines[at] === '999') at += 2
  return lines[at] === '0' && lines[at + 1] === 'SECTION'
}

/** Fixed lines of 80 columns, with the section's letter in column 73 (IGES 5.3 §2.2). */
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

/** Vertices, and hardly a line that is not a statement. */
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

const CORE =
  /^(from|to|subject|date|received|message-id|mime-version|return-path|delivered-to|content-type|reply-to|cc):/i

/** A message begins with header fields, two of the well-known among them (RFC 5322 §3.6). */
function isMail(start: string, hint: string): boolean {
  const lines = start.split(/\r?\n/, 100)
  if (/^From \S/.test(lines[0]!)) lines.shift()
  let core = 0
  for (const [index, line] of lines.entries()) {
    if (line === '') break
    if (CORE.test(line)) core++
    else if (!/^[!-9;-~]{1,76}:/.test(line) && !(index > 0 && /^[ \t]/.test(line))) return false
  }
  return (
    core >= (hint === 'eml' ? 1 : 3) ||
    (core === 2 &&
      /^(from|to|received|return-path|message-id|date):/im.test(start) &&
      hint !== 'txt' &&
      hint !== 'yaml' &&
      hint !== 'md')
  )
}
