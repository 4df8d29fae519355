/** A member of a tar that no honest program would write. */
export interface Raw {
  name: string | Buffer
  /** Type flag of ustar. Default: a file. */
  type?: string
  target?: string
  mode?: number
  content?: Buffer | string
  /** Size in the header. Default: the size of the content. */
  size?: number
}

/** Makes a tar with these headers. Their checksums are valid, only their content may be wrong. */
export function rawTar(members: readonly Raw[]): Buffer {
  const blocks = members.flatMap(({ name, type = '0', target = '', mode = 0o644, content = '', size }) => {
    const bytes = Buffer.from(content as string)
    const header = Buffer.alloc(512)
    Buffer.from(name as string).copy(header)
    const number = (value: number, at: number, digits: number) =>
      header.write(value.toString(8).padStart(digits, '0'), at, 'latin1')
    number(mode, 100, 7)
    number(0, 108, 7)
    number(0, 116, 7)
    number(size ?? bytes.length, 124, 11)
    number(1_600_000_000, 136, 11)
    header.write(type, 156)
    header.write(target, 157)
    header.write('ustar\x0000', 257, 'latin1')
    header.fill(' ', 148, 156)
    const sum = header.reduce((total, byte) => total + byte, 0)
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
    return [header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)]
  })
  return Buffer.concat([...blocks, Buffer.alloc(1024)])
}
