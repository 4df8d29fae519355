/**
 * Runs something while the clock of this process is ahead by some milliseconds, or behind if negative. Timers keep
 * their pace.
 */
export async function ahead<Result>(milliseconds: number, run: () => Promise<Result> | Result): Promise<Result> {
  const RealDate = Date
  globalThis.Date = class extends RealDate {
    constructor(...args: [number]) {
      super(...((args.length ? args : [RealDate.now() + milliseconds]) as [number]))
    }
    static override now = () => RealDate.now() + milliseconds
  } as DateConstructor
  try {
    return await run()
  } finally {
    globalThis.Date = RealDate
  }
}
