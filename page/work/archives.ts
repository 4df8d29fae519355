import { type Facts, isTooLarge } from '../state/facts.ts'
import { TOO_LARGE } from '../state/item.ts'
import type { WorkContext } from './context.ts'
import type { Given } from './files.ts'

/** Whether the page asks what to do with a dropped file. Other archives are only converted. */
export const isOpenable = (name: string) => /\.zip$/i.test(name)

interface Moves {
  add(given: readonly Given[]): void
  remove(keys: readonly number[]): void
  /** Continues the uploads. */
  pump(): void
}

/** Dropped ZIP archives wait until the user says whether they or their files are to be converted. */
export function createArchives({ change, find, signalFor }: WorkContext, facts: Facts, { add, remove, pump }: Moves) {
  // Few people drop archives.
  const load = () => import('../archive/archive.ts')

  return {
    /** Finds out what is in an archive. Nothing is unpacked. */
    async lookInto(key: number): Promise<void> {
      const { file } = find(key)!
      change(key, { contents: await (await load()).lookInto(file!) })
    },

    /** The archive itself is to be converted. */
    keepArchive(key: number): void {
      const tooLarge = isTooLarge(facts, find(key)!.size)
      change(key, tooLarge ? { stage: 'failed', problem: TOO_LARGE } : { stage: 'waiting' })
      pump()
    },

    /** Replaces an archive in the list by its files. */
    async openArchive(key: number): Promise<void> {
      const { file, folder, wish } = find(key)!
      const signal = signalFor(key)
      const archive = await load()
      change(key, { opening: true })
      try {
        const given = await archive.open(file!, signal)
        if (signal.aborted) return
        remove([key])
        const inside = (within?: string) => [folder, within].filter(Boolean).join('/')
        add(given.map((each) => ({ ...each, folder: inside(each.folder), ...(wish && { to: wish }) })))
      } catch (error) {
        change(key, { opening: false, contents: { refusal: archive.refusalOf(error) } })
      }
    },
  }
}
