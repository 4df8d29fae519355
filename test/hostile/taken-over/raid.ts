import type { Test } from 'tap'
import { installation } from '../../harness/installation.ts'
import type { Service } from '../../harness/program.ts'

/** The engine that a raid takes over: see the plugin in this folder. */
export type Target = 'loot' | 'cargo' | 'booty' | 'hoard' | 'spoils'

/** The outcome of a raid. */
export interface Raided {
  id: string
  /** The final record of the conversion. */
  record: any
  /** The result of the program; undefined if the conversion failed. */
  text: string | undefined
}

/** Starts a service in a separate process; its engine runs uploads as programs. `config` overrides its configuration. */
export async function underAttack(t: Test, config: object = {}) {
  const { dataDir, folder, live } = await installation(t)
  const service = await live({ plugins: { [import.meta.dirname]: true }, warm: { spares: 1 }, ...config })
  return { dataDir, folder, service }
}

/** Uploads a Python program and makes an engine run it. Resolves to the result when the conversion has ended. */
export async function raid(service: Service, program: string, to: Target = 'loot'): Promise<Raided> {
  const { fileId } = await service.upload(`#!raid\n${program}`, 'a.raid')
  const id = await service.start(fileId, to)
  const record = await service.finish(id)
  if (record.status !== 'completed') return { id, record, text: undefined }
  const answer = await fetch(record.outputUrl)
  return { id, record, text: (await answer.text()).replace(/^#!\w+\n/, '') }
}
