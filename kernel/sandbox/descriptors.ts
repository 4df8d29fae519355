import { closeSync, readdirSync, readFileSync } from 'node:fs'

const O_CLOEXEC = 0o2000000

/**
 * Closes descriptors that whoever started the service left open and that every program it starts would inherit. Node
 * opens its own with O_CLOEXEC (open(2)), so they are not among these. Resolves nothing where there is no /proc.
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
      // The flags are octal: proc_pid_fdinfo(5).
      const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1'))
      if (flags && !(Number.parseInt(flags[1]!, 8) & O_CLOEXEC)) closeSync(descriptor)
    } catch {
      // It was the listing's own, and is closed by now.
    }
  }
}
