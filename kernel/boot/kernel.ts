import type { createKernel } from './create-kernel.ts'

/** Everything that the HTTP layer uses. */
export type Kernel = Awaited<ReturnType<typeof createKernel>>
