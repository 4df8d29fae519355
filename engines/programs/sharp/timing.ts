import { open } from 'node:fs/promises'
import { avifDelays } from './avif-timing.ts'
import { mngDelays, SIGNATURE } from './mng-timing.ts'

/** Milliseconds of each frame as the source at `path` tells them, if it tells as many as `own`; else `own`. */
export async function delaysOf(path: string | undefined, own: number[]): Promise<number[]> {
  if (path === undefined) return own
  const told = await ((await isMng(path)) ? mngDelays : avifDelays)(path)
  return told.length === own.length ? told : own
}

async function isMng(path: string): Promise<boolean> {
  await using file = await open(path)
  const { buffer } = await file.read(Buffer.alloc(SIGNATURE.length), 0, SIGNATURE.length, 0)
  return buffer.equals(SIGNATURE)
}
