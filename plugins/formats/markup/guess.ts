/** Signs of each markup. A sign counts once, however often it appears. Patterns match single lines. */
const MARKUPS: [format: string, signs: RegExp[]][] = [
  [
    'tex',
    [
      /^[ \t]{0,20}\\(documentclass|documentstyle|begin\{document\})/m,
      /^[ \t]{0,20}\\(usepackage|section|chapter|maketitle|title)\b/m,
    ],
  ],
  [
    'org',
    [
      /^#\+(title|author|date|begin_\w+|options|name|caption|property):?/im,
      /^\*+ \S/m,
      /^[ \t]{0,20}:(PROPERTIES|END):/m,
      /\[\[[^\]\n]{1,200}\]\[/,
    ],
  ],
  [
    'textile',
    [
      /^h[1-6](\([^)\n]{1,40}\))?\. \S/m,
      /^(bq|p|bc|pre|fn\d|table)(\([^)\n]{1,40}\))?\.{1,2} \S/m,
      /"[^"\n]{1,100}":(https?:|\/|mailto:)/,
      /^\|_\. /m,
      /^#+ \S/m,
    ],
  ],
  [
    'wiki',
    [
      /^={2,6}[^=\n]{1,200}={2,6}[ \t]*$/m,
      /'''[^'\n]{1,200}'''/,
      /\[\[[^\]\n]{1,200}\]\]/,
      /^\{\|/m,
      /\{\{[^{}\n]{1,200}\}\}/,
      /^\[https?:/m,
    ],
  ],
  [
    'adoc',
    [
      /^={1,6} \S/m,
      /^:[\w-]{1,40}:( |$)/m,
      /^\[(source|quote|NOTE|TIP|cols|options|%)[^\]\n]{0,100}\][ \t]*$/m,
      /^(-{4}|={4}|\|={3}|\.{4})[ \t]*$/m,
      /https?:\S{1,200}\[[^\]\n]{0,100}\]/,
    ],
  ],
  [
    'rst',
    [
      /^\.\. [\w-]{1,40}::/m,
      /^\S[^\n]{1,200}\n(={3,}|-{3,}|~{3,}|\^{3,})[ \t]*$/m,
      /:[a-z]{1,20}:`[^`\n]{1,100}`/,
      /^\.\. (_|\[)/m,
      /`[^`\n]{1,100} <[^>\n]{1,200}>`_/,
      /::[ \t]*$/m,
    ],
  ],
  [
    'md',
    [
      /^#{1,6} \S/m,
      /^(```|~~~)/m,
      /\[[^\]\n]{1,200}\]\([^)\n]{1,200}\)/,
      /\*\*[^*\n]{1,200}\*\*/,
      /^\s{0,3}[-*+] \S/m,
      /^\|?\s{0,3}:?-{3,}:?\s{0,3}\|/m,
      /^> \S/m,
      /^\[[^\]\n]{1,60}\]: \S/m,
      /^\[\^[^\]\n]{1,30}\]:/m,
    ],
  ],
]

/** Guesses the format of a text without a helpful name: a table, a markup with several signs, else plain text. */
export function guessText(text: string): string {
  const sample = text.slice(0, 16_384).replaceAll('\r\n', '\n').replaceAll('\r', '\n')
  const table = separatedValues(sample, sample.length < text.length)
  if (table) return table
  let best = { format: 'txt', score: 1 }
  for (const [format, signs] of MARKUPS) {
    const score = signs.filter((sign) => sign.test(sample)).length
    if (score > best.score) best = { format, score }
  }
  if (best.format === 'txt' || best.score < 3) return isYaml(sample) ? 'yaml' : best.format
  return best.format
}

/** A table: nine of ten rows have the same number of tabs, commas or semicolons. */
function separatedValues(sample: string, cut: boolean): string | undefined {
  const rows = sample.split('\n')
  if (cut) rows.pop()
  const filled = rows.filter((row) => row.trim())
  if (filled.length < 3) return undefined
  for (const [separator, format] of [
    ['\t', 'tsv'],
    [';', 'csv'],
    [',', 'csv'],
    ['|', 'csv'],
  ] as const) {
    const counts = filled.map((row) => row.replace(/"[^"]*"/g, '').split(separator).length)
    // Separators at the end of every line, as in source code, and commas of sentences make no columns.
    const closing = filled.every((row) => row.trimEnd().endsWith(separator)) ? 1 : 0
    const sentence = separator === ',' && counts[0] === 2 && filled.every((row) => /,( |$)/.test(row))
    const first = counts[0]!
    const same = counts.filter((count) => count === first).length
    const prose = filled.some((row) => row.length > 2000)
    if (first - closing > 1 && !sentence && !prose && same >= filled.length * 0.9) return format
  }
  return undefined
}

/** Whether every line is a key, an item or a comment, and some are keys. */
function isYaml(sample: string): boolean {
  const lines = sample.split('\n').filter((line) => line.trim())
  const keys = lines.filter((line) => /^\s*(- )?["']?[\w ./-]{1,60}["']?:(\s|$)/.test(line)).length
  const other = lines.filter((line) => /^\s*(- |#|\.\.\.$|---)/.test(line)).length
  const likely = keys + other >= lines.length * (/^(%YAML|---\s*$)/m.test(sample.slice(0, 200)) ? 0.6 : 0.9)
  // Lines "Name: value" alone could also be a letterhead or a form.
  const nested = lines.some((line) => /^(---|%YAML|\s*- |\s+[\w"'-]|[\w"'-]{1,60}:\s*$)/.test(line))
  return keys >= 2 && likely && nested && lines.length >= 3
}
