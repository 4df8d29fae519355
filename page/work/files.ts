/** A file that the user adds, with the folder that contained it. */
export interface Given {
  file: File
  folder?: string
  /** The target that it shall have if its format can: a format, or `SAME`. */
  to?: string
}

/**
 * Returns dropped files, also those in folders. Call it inside the event handler: the browser clears the list
 * afterwards.
 */
export async function filesOfDrop(data: DataTransfer): Promise<Given[]> {
  const entries = [...data.items].flatMap((item) => item.webkitGetAsEntry?.() ?? [])
  if (!entries.some((entry) => entry.isDirectory)) return [...data.files].map((file) => ({ file }))
  const found: Given[] = []
  for (const entry of entries) await walk(entry, found)
  return found
}

/** Returns the files of a file input. An input for folders gives the path of each file. */
export const filesOfInput = (files: FileList | null): Given[] =>
  [...(files ?? [])].map((file) => withFolder(file, file.webkitRelativePath.split('/').slice(0, -1).join('/')))

async function walk(entry: FileSystemEntry, found: Given[]): Promise<void> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject))
    const folder = entry.fullPath.split('/').slice(1, -1).join('/')
    // Skip hidden files that file managers create in folders.
    if (!/^(\.DS_Store|Thumbs\.db|desktop\.ini)$/i.test(file.name)) found.push(withFolder(file, folder))
    return
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  for (;;) {
    // A reader returns at most a hundred entries at a time.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (!some.length) return
    for (const each of some) await walk(each, found)
  }
}

const withFolder = (file: File, folder: string): Given => (folder ? { file, folder } : { file })

/** Returns pasted files. A pasted picture has no name of its own, so it is named by the date. */
export function filesOfPaste(data: DataTransfer, now = new Date()): Given[] {
  return [...data.files].map((file) => ({
    file: /^image\.\w+$/.test(file.name) ? new File([file], pastedName(file.name, now), { type: file.type }) : file,
  }))
}

function pastedName(name: string, now: Date): string {
  const local = new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString()
  return local.slice(0, 19).replace('T', ' ').replaceAll(':', '.') + name.slice('image'.length)
}

/** Returns the pasted text if it is exactly one web address. */
export function urlOfPaste(data: DataTransfer): string | undefined {
  const text = data.getData('text/plain').trim()
  return /^https?:\/\/\S+$/.test(text) && URL.canParse(text) ? text : undefined
}
