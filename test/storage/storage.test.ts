/** One suite for all drivers, against a real S3 server. */
import t from 'tap'
import { startFaultyProxy } from '../harness/servers/faulty-proxy.ts'
import { startObjectStore } from '../harness/servers/object-store.ts'
import { localDriver, s3Driver, sharedDriver } from './drivers.ts'
import { suite } from './suite.ts'

for (const make of [localDriver, sharedDriver]) {
  const driver = await make()
  t.teardown(() => driver[Symbol.asyncDispose]())
  t.test(driver.name, (t) => suite(t, driver))
}

t.test('a bucket', { timeout: 900_000 }, async (t) => {
  const store = await startObjectStore()
  const proxy = await startFaultyProxy(store.endpoint)
  const driver = await s3Driver(store, proxy)
  t.teardown(async () => {
    for (const part of [driver, proxy, store]) await part[Symbol.asyncDispose]()
  })
  await suite(t, driver)
})
