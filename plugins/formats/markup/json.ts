const TOKEN = /[\s,:]*(?:[{}[\]]|"(?:[^"\\\n]|\\.)*"|-?\d[\d.eE+-]*|true|false|null)/y

/**
 * Whether a text is JSON, or the beginning of JSON. Each token is scanned once; the last one may be cut off.
 */
export function isJson(text: string, whole: boolean): boolean {
  const body = text.replace(/^\ufeff/, '').trimStart()
  if (!/^(\{\s*["}]|\[\s*["{[\]\d\-tfn])/.test(body)) return false
  if (whole) {
    try {
      JSON.parse(body)
      return true
    } catch {
      return isLines(body)
    }
  }
  TOKEN.lastIndex = 0
  let end = 0
  while (TOKEN.test(body)) end = TOKEN.lastIndex
  // The rest must be the start of one token: a string, a number or a word.
  const rest = body.slice(end).replace(/^[\s,:]+/, '')
  return end > 0 && (rest.startsWith('"') ? !rest.includes('\n') : /^[\w.+-]{0,32}$/.test(rest))
}

/** Whether each line is an object or a list in JSON (JSON Lines). */
function isLines(text: string): boolean {
  const lines = text.split('\n').filter((line) => line.trim())
  try {
    return lines.length > 1 && lines.every((line) => /^\s*[[{]/.test(line) && JSON.parse(line) !== undefined)
  } catch {
    return false
  }
}

/** Distinguishes notebooks and glTF from other JSON, by keys at the start or the end. */
export function jsonFormat(text: string, tail: string): string {
  const ends = text + tail
  if (/"nbformat"\s*:\s*\d/.test(ends) && ends.includes('"cells"')) return 'ipynb'
  const isScene = /"asset"\s*:\s*\{/.test(ends) && /"version"\s*:\s*"[12]\./.test(ends)
  return isScene && /"(scenes|meshes|buffers|accessors|nodes)"/.test(ends) ? 'gltf' : 'json'
}
