import { marked, type Token, type Tokens } from 'marked'
import { readMembers } from '../../../engines/programs/repack/members.ts'

/** The text and the pictures of a result. The text is what marked reads, too. */
export async function opened({ bytes }: { bytes: Buffer }) {
  const [text, ...files] = await readMembers(bytes)
  const markdown = text!.content.toString()
  const tokens: Token[] = []
  marked.walkTokens(marked.lexer(markdown), (token) => void tokens.push(token))
  const pictures = tokens.filter(({ type }) => type === 'image').map((token) => (token as Tokens.Image).href)
  const tables = tokens
    .filter(({ type }) => type === 'table')
    .map((token) => token as Tokens.Table)
    .map(({ header, rows }) => [header, ...rows].map((row) => row.map(({ text }) => text)))
  return {
    name: text!.name,
    markdown,
    pictures,
    tables,
    files: new Map(files.map((file) => [file.name, file.content])),
  }
}
