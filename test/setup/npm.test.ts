import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { npmIsComplete } from '../../config/setup/npm.mjs'

const locked = {
  '': { name: 'athanor' },
  'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' },
  'node_modules/dev': { version: '2.0.0', integrity: 'sha512-d', dev: true },
  'node_modules/mac': { version: '3.0.0', integrity: 'sha512-m', optional: true },
}
const { '': _, 'node_modules/mac': __, ...onLinux } = locked

/** A checkout with these packages in node_modules, according to npm's own record. */
function checkout(t: Test, installed?: object, { node = true } = {}) {
  const root = t.testdir({
    'package-lock.json': JSON.stringify({ packages: locked }),
    ...(installed && { node_modules: { '.package-lock.json': JSON.stringify({ packages: installed }) } }),
  })
  if (node) mkdirSync(join(root, 'node_modules/.bin/node'), { recursive: true })
  return root
}

t.test('node_modules is complete if it has everything for this platform', async (t) => {
  t.ok(npmIsComplete(checkout(t, onLinux), true))
  const { 'node_modules/dev': _, ...production } = onLinux
  t.ok(npmIsComplete(checkout(t, production), false), 'a service needs no development packages')
  t.notOk(npmIsComplete(checkout(t, production), true), 'tests do')
})

t.test('anything else is reinstalled', async (t) => {
  t.notOk(npmIsComplete(checkout(t), true), 'nothing there')
  const { 'node_modules/a': a, ...without } = onLinux
  t.notOk(npmIsComplete(checkout(t, without), true), 'one is missing')
  t.notOk(npmIsComplete(checkout(t, { ...onLinux, 'node_modules/a': { ...a, version: '1.0.1' } }), true), 'a version')
  t.notOk(npmIsComplete(checkout(t, { ...onLinux, 'node_modules/a': { ...a, integrity: 'x' } }), true), 'a content')
  t.notOk(npmIsComplete(checkout(t, onLinux, { node: false }), true), 'Node 24 itself')
})
