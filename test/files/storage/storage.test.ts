/** The suite of all drivers, for those with a folder. That for a bucket: s3.test.ts. */
import t from 'tap'
import { localDriver, sharedDriver } from './drivers.ts'
import { suite } from './suite.ts'

for (const make of [localDriver, sharedDriver]) {
  const driver = await make()
  t.teardown(() => driver[Symbol.asyncDispose]())
  t.test(driver.name, (t) => suite(t, driver))
}
