/** What streams still have to send. */
import { setImmediate as turn } from 'node:timers/promises'
import t from 'tap'
import { createChanges } from '../../kernel/events/changes.ts'
import type { Inbox } from '../../kernel/events/inbox.ts'
import { createNews, USAGE } from '../../kernel/events/news.ts'
import { writeEvents } from '../../kernel/http/answer/event-stream.ts'

const topic = { owners: ['user_a'], usage: false }

function taken(inbox: Inbox): string[] {
  const names: string[] = []
  for (let item = inbox.take(); item; item = inbox.take()) names.push(item.name)
  return names
}

function createParts(remembered?: number) {
  const changes = createChanges()
  const news = createNews(changes, remembered)
  const end = new AbortController()
  const change = (conversion: string, more: object = {}) =>
    changes.publish({ owner: 'user_a', conversion, batch: null, ...more })
  return { changes, news, end, change, open: (last?: string) => news.open(topic, last, end.signal) }
}

t.test('each record waits once, in the order of its last change', async (t) => {
  const { change, open, changes } = createParts()
  const { inbox } = open()
  for (const id of ['conv_1', 'conv_2', 'conv_1']) change(id)
  changes.publish({ owner: 'user_b', conversion: 'conv_3', batch: null })
  t.strictSame(taken(inbox), ['conv_2', 'conv_1'])
})

t.test('a client continues at every id without missing a change', async (t) => {
  const { news, change, open } = createParts()
  const { inbox } = open()
  for (const id of ['conv_1', 'conv_2', 'conv_3', 'conv_1']) change(id)
  const wanted = ['conv_2', 'conv_3', 'conv_1']
  for (let rest = wanted; rest.length; rest = rest.slice(1)) {
    const { name, seen } = inbox.take()!
    t.equal(name, rest[0])
    const { inbox: next, resumed } = open(news.idOf(seen!))
    t.ok(resumed)
    t.strictSame(taken(next), rest.slice(1))
  }
})

t.test('what a stream begins with has no id, until all of it is sent', async (t) => {
  const { change, open } = createParts()
  change('conv_0')
  const { inbox } = open()
  change('conv_3')
  inbox.begin(['conv_1', 'conv_2', 'conv_3'])
  const all = [inbox.take()!, inbox.take()!, inbox.take()!]
  t.strictSame(all, [
    { name: 'conv_1', seen: undefined },
    { name: 'conv_2', seen: 1 },
    { name: 'conv_3', seen: 2 },
  ])
})

t.test('an id that is too old, and one of another process, are unknown', async (t) => {
  const { news, change, open } = createParts(2)
  for (const id of ['conv_1', 'conv_2', 'conv_3']) change(id)
  t.equal(open(news.idOf(0)).resumed, false, 'conv_1 is forgotten')
  t.strictSame(taken(open(news.idOf(1)).inbox), ['conv_2', 'conv_3'])
  t.equal(open(news.idOf(4)).resumed, false, 'later than now')
  t.equal(open(createParts().news.idOf(1)).resumed, false, 'of another process')
})

t.test('a batch and the usage come seldom, however often they change', async (t) => {
  const { news, end, changes } = createParts()
  const { inbox } = news.open({ ...topic, usage: true }, undefined, end.signal)
  const names: string[] = []
  const told = (name: string) => names.filter((each) => each === name).length
  let at = 0
  while (told('batch_1') < 2 || told(USAGE) < 2) {
    changes.publish({ owner: 'user_a', conversion: `conv_${at++}`, batch: 'batch_1' })
    names.push(...taken(inbox))
    await inbox.wait(5, end.signal)
  }
  t.ok(at > 20 && told('batch_1') + told(USAGE) < 7, `${at} changes, told of: ${names}`)
})

t.test('progress changes neither the batch nor the usage', async (t) => {
  const { news, end, change } = createParts()
  const { inbox } = news.open({ ...topic, usage: true }, undefined, end.signal)
  change('conv_1', { batch: 'batch_1', progress: true })
  t.strictSame(taken(inbox), ['conv_1'])
})

t.test('a reader that stops costs no more memory with each change', async (t) => {
  const { news, change, end, open } = createParts()
  const { inbox } = open()
  let reads = 0
  const read = async () => ({ event: 'conversion', data: JSON.stringify({ read: ++reads, pad: 'x'.repeat(500) }) })
  const stream = writeEvents(inbox, read, { idOf: news.idOf, comment: 60_000, signal: end.signal })
  stream.read(0)
  for (let at = 0; at < 100_000; at++) {
    change(`conv_${at % 1000}`)
    if (at % 1000 === 0) await turn()
  }
  t.ok(inbox.size() <= 1000, `${inbox.size()} names wait`)
  t.ok(stream.readableLength < 32 * 1024, `${stream.readableLength} bytes wait`)
  const before = reads
  t.ok(before < 100, `${before} records were read`)
  // Then it reads on, and gets each record once.
  let text = ''
  stream.on('data', (part: Buffer) => (text += part))
  while (inbox.size()) await turn()
  t.ok(reads - before <= 1000)
  t.match(text, /event: conversion\ndata: /)
  end.abort()
})

t.test('a reader that is too far behind is sent away', async (t) => {
  const { news, change, end, open } = createParts()
  const { inbox } = open()
  const stream = writeEvents(inbox, async () => undefined, { idOf: news.idOf, comment: 60_000, signal: end.signal })
  for (let at = 0; at < 6000; at++) change(`conv_${at}`)
  let text = ''
  for await (const part of stream) text += part
  t.equal(text, 'retry: 1000\n\n')
})

t.test('an ended stream is forgotten', async (t) => {
  const { changes, end, open, change } = createParts()
  const { inbox } = open()
  end.abort()
  change('conv_1')
  changes.publish({ owner: 'user_a' })
  t.equal(inbox.size(), 0)
})

t.test('a stream that may have missed a change ends, and its client begins again', async (t) => {
  const changes = createChanges()
  let miss = () => {}
  const news = createNews({
    ...changes,
    onMissed: (react) => {
      miss = react
    },
  })
  const { signal } = new AbortController()
  changes.publish({ owner: 'user_a', conversion: 'conv_1', batch: null })
  const { inbox } = news.open(topic, undefined, signal)
  const wait = inbox.wait(60_000, signal)
  miss()
  await wait
  t.equal(inbox.closed(), true)
  const next = news.open(topic, news.idOf(1), signal)
  t.strictSame([next.resumed, next.inbox.closed()], [false, false])
  t.equal(news.open(topic, news.idOf(2), signal).resumed, true)
})
