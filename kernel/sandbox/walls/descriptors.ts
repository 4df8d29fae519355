import { closeSync, readdirSync, readFileSync } from 'node:fs'

const O_CLOEXEC = 0o2000000

/**
 * Closes descriptors that the service inherited from its parent and would pass on to every program it starts. Keeps
 * Node's own descriptors, which have O_CLOEXEC (open(2)). Does nothing if there is no /proc.
 */
export function closeInherited(): void {
  let names: string[]
  try {
    names = readdirSync('/proc/self/fd')
  } catch {
    return
  }
  for (const descriptor of names.map(Number).filter((number) => number > 2)) {
    try {
      // The flags are in octal: proc_pid_fdinfo(5).
      const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1'))
      if (flags && !(Number.parseInt(flags[1]!, 8) & O_CLOEXEC)) closeSync(descriptor)
    } catch {
      // The descriptor that readdirSync() used; it is already closed.
    }
  }
}
