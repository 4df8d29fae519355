// node c.tmp.ts INPUT FROM TO OUT [json options]

import { copyFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { boot } from './test/matrix/boot.ts'

const [input, from, list, out, opts] = process.argv.slice(2)
await using machine = await boot()
for (const to of list!.split(',')) {
  const pair = machine.catalogue.pairs.get(`${from}>${to}`)
  if (!pair) {
    console.log(from, to, 'no pair', machine.catalogue.missing.find((p) => p.from === from && p.to === to)?.obstacles)
    continue
  }
  const intent = from === to ? 'transform' : 'convert'
  const t0 = Date.now()
  try {
    await using made = await machine.converter.convert({
      owner: 'user_x',
      source: input!,
      pair,
      intent,
      options: machine.options.complete(pair.plugin, to!, intent, JSON.parse(opts ?? '{}')),
      name: 'x',
      size: (await stat(input!)).size,
      signal: AbortSignal.timeout(300000),
      report: () => {},
    } as any)
    const file = `${out}/${basename(input!)}.${to}${made.paged ? '.zip' : ''}`
    await copyFile(made.path, file)
    console.log(
      basename(input!),
      from,
      to,
      'ok',
      made.size,
      Date.now() - t0,
      'ms',
      made.paged ? 'paged' : '',
      await machine.detect(made.path, made.paged ? 'zip' : to!),
    )
  } catch (e: any) {
    console.log(
      basename(input!),
      from,
      to,
      'FAIL',
      Date.now() - t0,
      'ms',
      e.code,
      e.message,
      String(e.stderr ?? e.cause?.message ?? '').slice(-600),
    )
  }
}
