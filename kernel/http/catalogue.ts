import type { FormatFacts } from '../catalogue/catalogue.ts'
import type { Tool } from '../catalogue/tools.ts'
import { ServiceError } from '../errors.ts'
import type { Kernel } from '../kernel.ts'
import { createSendCacheable } from './cacheable.ts'
import type { Handler } from './context.ts'
import { createQueryReader } from './query.ts'
import { listToolsQuery, PAGE } from './schemas.ts'

interface ToolsQuery {
  category: string
  from: string
  to: string
  limit: number
  cursor: string
}

/** GET /api/tools: in a fixed order; the cursor is the slug of the page's last tool. */
export function listTools({ catalogue }: Kernel): Handler {
  const readQuery = createQueryReader<ToolsQuery>(listToolsQuery(catalogue.categories))
  const send = createSendCacheable()
  return (ctx) => {
    const { category, from, to, limit = PAGE, cursor } = readQuery(ctx)
    // An unknown format has no tools; it must not become "any".
    const [source, target] = [from, to].map((name) => name && (catalogue.canonical(name) ?? 'unknown'))
    const fitting = catalogue.tools.filter(
      (tool) =>
        (!category || tool.category === category) &&
        (!source || tool.fromFormat === source) &&
        (!target || tool.toFormat === target),
    )
    const start = cursor === undefined ? 0 : positionAfter(fitting, cursor)
    const page = fitting.slice(start, start + limit)
    const more = start + limit < fitting.length
    const nextCursor = more ? Buffer.from(page.at(-1)!.slug).toString('base64url') : null
    return send(
      ctx,
      `{"tools":[${page.map(toolJson).join()}],"total":${fitting.length},"nextCursor":${JSON.stringify(nextCursor)}}`,
    )
  }
}

function positionAfter(tools: readonly Tool[], cursor: string): number {
  const slug = Buffer.from(cursor, 'base64url').toString()
  const index = tools.findIndex((tool) => tool.slug === slug)
  if (index < 0) throw new ServiceError('BAD_REQUEST', 'cursor must be the nextCursor of the page before')
  return index + 1
}

/** GET /api/tools/:slug */
export function showTool({ catalogue }: Kernel): Handler {
  const send = createSendCacheable()
  return (ctx) => {
    const tool = catalogue.tool(ctx.params.slug!)
    if (!tool) throw new ServiceError('NOT_FOUND', 'There is no such tool; GET /api/tools lists them')
    return send(ctx, `{"tool":${toolJson(tool)}}`)
  }
}

/** GET /api/formats */
export function listFormats({ catalogue }: Kernel): Handler {
  const send = createSendCacheable()
  let known: { formats: readonly FormatFacts[]; json: string } | undefined
  return (ctx) => {
    const { formats } = catalogue
    if (known?.formats !== formats) known = { formats, json: JSON.stringify({ formats }) }
    return send(ctx, known.json)
  }
}

const rendered = new WeakMap<Tool, { enabled: boolean; json: string }>()

/** Thousands of tools with their schemas are large: each is turned into text once, and again when it is switched. */
function toolJson(tool: Tool): string {
  let text = rendered.get(tool)
  if (text?.enabled !== tool.enabled) rendered.set(tool, (text = { enabled: tool.enabled, json: JSON.stringify(tool) }))
  return text!.json
}
