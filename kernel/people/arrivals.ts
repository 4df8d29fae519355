/** The counts of a subject while files arrive for it. */
interface Known {
  stored: number
  arriving: number
  arrivals: number
}

/**
 * Counts bytes as they arrive on this node, so that parallel uploads cannot fill the disk before the first is charged.
 * The counts are in memory, because a start removes unfinished uploads. @param stored Reads the bytes that the database
 * counts.
 */
export function createArrivals(stored: (payer: { chargeTo: readonly string[] }) => Promise<number>) {
  const known = new Map<string, Known>()

  async function refresh(subjects: readonly string[]): Promise<void> {
    await Promise.all(
      subjects.map(async (subject) => {
        const bytes = await stored({ chargeTo: [subject] })
        const entry = known.get(subject)
        if (entry) entry.stored = bytes
      }),
    )
  }

  return {
    /** Starts to count a file for these subjects. @param limit Bytes that each subject may store. */
    async open(subjects: readonly string[], limit: number) {
      const entries = subjects.map((subject) => {
        const entry = known.get(subject) ?? { stored: 0, arriving: 0, arrivals: 0 }
        known.set(subject, entry)
        entry.arrivals++
        return entry
      })
      let own = 0
      let open = true
      const end = () => {
        if (!open) return
        open = false
        for (const subject of subjects) {
          const entry = known.get(subject)
          if (!entry) continue
          entry.arriving -= own
          if (--entry.arrivals === 0) known.delete(subject)
        }
      }
      const inUse = () => Math.max(...entries.map(({ stored, arriving }) => stored + arriving))
      const fits = (bytes: number) => inUse() + bytes <= limit
      try {
        await refresh(subjects)
      } catch (error) {
        end()
        throw error
      }
      return {
        inUse,
        fits,
        end,
        async add(bytes: number) {
          // Files may have been removed since the last check.
          if (!fits(bytes)) await refresh(subjects)
          if (!fits(bytes)) return false
          if (open) {
            own += bytes
            for (const entry of entries) entry.arriving += bytes
          }
          return true
        },
      }
    },

    /** Marks bytes as charged: from now on they count as stored. */
    charged(subjects: readonly string[], bytes: number) {
      for (const subject of subjects) {
        const entry = known.get(subject)
        if (entry) entry.stored += bytes
      }
    },
  }
}
