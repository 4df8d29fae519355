const TOKEN = /[\s,:]*(?:[{}[\]]|"(?:[^"\\\n]|\\.)*"|-?\d[\d.eE+-]*|true|false|null)/y

/**
 * Whether a text is JSON, or begins as JSON does where only the beginning is at hand. A token is never scanned twice;
 * the last one may be cut off.
 */
export function isJson(text: string, whole: boolean): boolean {
  const body = text.replace(/^\ufeff/, '').trimStart()
  if (!/^(\{\s*["}]|\[\s*["{[\]\d\-tfn])/.test(body)) return false
  if (whole) {
    try {
      JSON.parse(body)
      return true
    } catch {
      return false
    }
  }
  TOKEN.lastIndex = 0
  let end = 0
  while (TOKEN.test(body)) end = TOKEN.lastIndex
  // What is left over must be the last token, cut off: a long string, a number or a word.
  const rest = body.slice(end).replace(/^[\s,:]+/, '')
  return end > 0 && (rest.startsWith('"') ? !rest.includes('\n') : /^[\w.+-]{0,32}$/.test(rest))
}

/** Tells a notebook and a glTF scene from other JSON: their keys stand at either end. */
export function jsonFormat(text: string, tail: string): string {
  const ends = text + tail
  if (/"nbformat"\s*:\s*\d/.test(ends) && ends.includes('"cells"')) return 'ipynb'
  const isScene = /"asset"\s*:\s*\{/.test(ends) && /"version"\s*:\s*"[12]\./.test(ends)
  return isScene && /"(scenes|meshes|buffers|accessors|nodes)"/.test(ends) ? 'gltf' : 'json'
}
