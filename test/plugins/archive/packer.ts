/**
 * Runs specs of the program `archive`, each a line of JSON, in one process: a process for each would take ten times as
 * long. Prints `ready`, and for each spec `{}` or `{"error":{"code":…,"message":…}}`.
 */
import { createInterface } from 'node:readline'
import { meaning } from '../../../engines/programs/archive/complaints.ts'
import { pack } from '../../../engines/programs/archive/pack.ts'
import { Refusal } from '../../../engines/programs/refusal/refusal.ts'

console.log('ready')
for await (const line of createInterface({ input: process.stdin })) {
  try {
    await pack(JSON.parse(JSON.parse(line)[0]))
    console.log('{}')
  } catch (error) {
    const { code, message } = error instanceof Refusal ? error : (meaning(String(error)) ?? new Refusal(String(error)))
    console.log(JSON.stringify({ error: { code, message } }))
  }
}
