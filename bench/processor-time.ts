import { readFile } from 'node:fs/promises'
import { descendants, stat } from '../test/harness/processes.ts'

/** Milliseconds of processor time of a process without its children, from proc(5), stat. A tick is 10 ms. */
export async function processorTime(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** The same of all descendants of this process with this name, together. */
export async function processorTimeOf(name: string): Promise<number> {
  const pids = descendants(process.pid).filter((pid) => stat(pid)?.name === name)
  return (await Promise.all(pids.map(processorTime))).reduce((sum, each) => sum + each, 0)
}
