import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Engine, Job } from '../../kernel/contract.ts'
import { flatten } from '../../kernel/kit.ts'
import { makeScratchFolder, takeResult } from '../../kernel/sandbox/folder.ts'
import { packFiles } from '../../kernel/sandbox/pack.ts'
import type { Sandbox } from '../../kernel/sandbox/sandbox.ts'

/** Runs an engine. Returns what it prints. */
export type Run = (
  engine: Engine,
  program: string,
  job: Job,
  args: string[],
  report: (part: number) => void,
) => Promise<string[]>

/** The folders of a job, without walls around them. They stay when it is closed. */
export async function openFolder(folder: string, run: Run): Promise<Sandbox> {
  const [input, out, scratch] = ['in', 'out', 'scratch'].map((name) => join(folder, name)) as [string, string, string]
  const clear = async () => {
    for (const path of [out, scratch]) {
      await rm(path, { recursive: true, force: true })
      await mkdir(path)
    }
  }
  await mkdir(input)
  await clear()
  return {
    paths: { in: input, out, scratch },
    place: async (source, name) => writeFile(join(input, name), await readFile(source)),
    run: (engine, program, job, args, report) => run(engine, program, job, flatten(args), report),
    result: (name) => takeResult(folder, name),
    advance: (name, to) => rename(join(folder, name), join(input, to)),
    pack: (files) => packFiles(folder, files),
    filled: async () => undefined,
    makeFolder: (name) => makeScratchFolder(folder, name),
    clear,
    async [Symbol.asyncDispose]() {},
  }
}
