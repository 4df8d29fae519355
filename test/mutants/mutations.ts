/** Small faults that a programmer could make, as changes of one line. */

/** A change of one line of one file. */
export interface Mutation {
  kind: 'condition' | 'removed' | 'constant' | 'argument'
  /** The file, from the root. */
  file: string
  /** From 1. */
  line: number
  before: string
  after: string
}

type Kind = Mutation['kind']

/** Ways to change a line. Each returns the line changed, or undefined if it does not apply. */
const rules: readonly { kind: Kind; change: (line: string) => string | undefined }[] = [
  { kind: 'condition', change: negated },
  { kind: 'condition', change: (line) => turn(line, / && (?!\{)/, ' || ') },
  { kind: 'condition', change: (line) => turn(line, / \|\| /, ' && ') },
  { kind: 'condition', change: (line) => turn(line, / === /, ' !== ') },
  { kind: 'condition', change: (line) => turn(line, / !== /, ' === ') },
  { kind: 'condition', change: (line) => turn(line, / > (?=[\w(])/, ' <= ') },
  { kind: 'condition', change: (line) => turn(line, / < (?=[\w(])/, ' >= ') },
  // A statement that is a call.
  {
    kind: 'removed',
    change: (line) => (/^\s+(?:await |void )?\w[\w.?!]*\(.*\)$/.test(line) && balanced(line) ? '' : undefined),
  },
  // An assignment to what exists already.
  { kind: 'removed', change: (line) => (/^\s+[\w.]+(?:\[\w+\])? [+-]?= [^{[(]+$/.test(line) ? '' : undefined) },
  {
    kind: 'removed',
    change: (line) =>
      /^\s+if \(.*\) (?:return|continue|throw|break)\b.*$/.test(line) && balanced(line) ? '' : undefined,
  },
  {
    kind: 'constant',
    change: (line) =>
      turn(
        line,
        /(?<![\w.'-])(\d+)(?![\w.'%])/,
        (digits) => `${Number(digits) > 16 ? Number(digits) * 10 : Number(digits) + 1}`,
      ),
  },
  { kind: 'constant', change: (line) => turn(line, /\btrue\b/, 'false') ?? turn(line, /\bfalse\b/, 'true') },
  {
    kind: 'argument',
    change: (line) => turn(line, /(?<=\w\()(\w+), (\w+)(?=\))/, (pair) => pair.split(', ').reverse().join(', ')),
  },
  {
    kind: 'argument',
    change: (line) => turn(line, /(?<=[[(, ])'(-[\w-]+)'(?=[,\]])/, (flag) => `${flag.slice(0, -1)}x'`),
  },
]

function turn(line: string, what: RegExp, into: string | ((found: string) => string)): string | undefined {
  const found = what.exec(line)
  if (!found) return undefined
  const made = typeof into === 'string' ? into : into(found[0])
  return line.slice(0, found.index) + made + line.slice(found.index + found[0].length)
}

/** `if (a && b) …` becomes `if (!(a && b)) …`. */
function negated(line: string): string | undefined {
  const start = /\bif \(/.exec(line)
  if (!start) return undefined
  let depth = 0
  for (let at = start.index + 3; at < line.length; at++) {
    if (line[at] === '(') depth++
    else if (line[at] === ')' && --depth === 0)
      return `${line.slice(0, start.index)}if (!${line.slice(start.index + 3, at + 1)})${line.slice(at + 1)}`
  }
  return undefined
}

const balanced = (line: string) => line.split('(').length === line.split(')').length && !/[{[]\s*$/.test(line)

/** Lines that no test should notice: comments, imports, types, and texts of the documentation. */
const idle =
  /\bfunction\b|^\s*(?:\/\/|\/?\*|import\b|export (?:type|interface)|type |interface |\w+\??: \w+(?: \| \w+)*$)|description:|\blog(?:ger)?\.|console\./

/** Returns every mutation of a file, in its order. */
export function mutationsOf(file: string, text: string): Mutation[] {
  let inType = false
  return text.split('\n').flatMap((before, index) => {
    if (/^(?:export )?(?:interface|type) /.test(before)) inType = !/[^{]$/.test(before) || before.endsWith('{')
    if (inType) {
      if (/^[}\])]|^\S.*[^{]$/.test(before) && !/^(?:export )?(?:interface|type) .*\{$/.test(before)) inType = false
      return []
    }
    if (idle.test(before)) return []
    return rules.flatMap(({ kind, change }) => {
      const after = change(before)
      return after === undefined || after === before ? [] : [{ kind, file, line: index + 1, before, after }]
    })
  })
}
