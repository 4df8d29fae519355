/** What the archive plugin runs for each pair, and what the options change. */
import { gunzipSync } from 'node:zlib'
import t from 'tap'
import type { Spec } from '../../../engines/programs/archive/spec.ts'
import plugin from '../../../plugins/archive/index.ts'
import { agree, linesOf } from '../routes.ts'
import { listing } from './listing.ts'
import { packing } from './packing.ts'
import { rawTar } from './tar.ts'

const { convert } = await packing(t)

const specOf = async (pair: string, options = {}) =>
  JSON.parse((await linesOf(plugin, pair, options)).at(-1)!.replace(/^\S+ /, '')) as Spec

t.test('how each source is read', (t) =>
  agree(
    t,
    async (pair) => {
      const { source, exception } = await specOf(pair)
      return [
        JSON.stringify([source, exception])
          .replaceAll('"', '')
          .replaceAll('/scratch/', '')
          .replaceAll('bsdtar,-cf,-', 'BSDTAR'),
      ]
    },
    `
zip>7z: [{kind:tar,read:[[BSDTAR,--format=gnutar,@/in/file.zip]]},null]
7z>zip: [{kind:tar,read:[[BSDTAR,--format=gnutar,@/in/file.7z]],proof:[bsdtar,-xOf,/in/file.7z]},null]
rar>zip: [{kind:tar,read:[[BSDTAR,--format=gnutar,@/in/file.rar]]},{when:rar4,source:{kind:folder,folder:tree,unpack:[unar,-q,-f,-D,-nr,-k,skip,-p,none,-o,tree,/in/file.rar],read:[[BSDTAR,--format=gnutar,--uid,0,--gid,0,--uname,,--gname,,-C,tree,.]]}}]
tar>zip: [{kind:tar,read:[[BSDTAR,--format=gnutar,@/in/file.tar]]},{when:names,source:{kind:folder,folder:tree,unpack:[bsdtar,-xpf,/in/file.tar,-C,tree],read:[[BSDTAR,--format=gnutar,--uid,0,--gid,0,--uname,,--gname,,-C,tree,.]]}}]
gz>zip: [{kind:file,name:file,read:[gzip,-dc],tar:[BSDTAR,--format=gnutar,@-]},null]
bz2>zip: [{kind:file,name:file,read:[bzip2,-dc],tar:[BSDTAR,--format=gnutar,@-]},null]
xz>zip: [{kind:file,name:file,read:[xz,-dc,--memlimit-decompress=1GiB],tar:[BSDTAR,--format=gnutar,@-]},null]
lzma>zip: [{kind:file,name:file,read:[xz,-dc,--memlimit-decompress=1GiB,--format=lzma,--single-stream],tar:[BSDTAR,--format=gnutar,@-]},null]
zst>zip: [{kind:file,name:file,read:[zstd,-dc,-q,--memory=1024MB],tar:[BSDTAR,--format=gnutar,@-]},null]
lz4>zip: [{kind:file,name:file,read:[lz4,-dc,-q],tar:[BSDTAR,--format=gnutar,@-]},null]
lz>zip: [{kind:file,name:file,read:[lzip,-dc,-q],tar:[BSDTAR,--format=gnutar,@-]},null]
br>zip: [{kind:file,name:file,read:[brotli,-dc],tar:[BSDTAR,--format=gnutar,@-]},null]
iso>zip: [{kind:tar,read:[[BSDTAR,--format=gnutar,@/in/file.iso]]},{when:udf,source:{kind:folder,folder:tree,unpack:[7zz,x,-y,-bd,-bso0,-bsp0,-pnone,-sns-,-snld20,-otree,--,/in/file.iso],read:[[BSDTAR,--format=gnutar,--uid,0,--gid,0,--uname,,--gname,,-C,tree,.]],list:[7zz,l,-ba,-slt,-pnone,--,/in/file.iso]}}]
cpio>zip: [{kind:tar,read:[[BSDTAR,--format=gnutar,@/in/file.cpio]]},{when:links,source:{kind:folder,folder:tree,unpack:[bsdtar,-xpf,/in/file.cpio,-C,tree],read:[[BSDTAR,--format=gnutar,--uid,0,--gid,0,--uname,,--gname,,-C,tree,.]]}}]
deb>cpio: [{kind:tar,read:[[bsdtar,-xOf,/in/file.deb,data.tar*],[BSDTAR,--format=gnutar,@-]]},null]
rpm>zip: [{kind:tar,read:[[BSDTAR,--format=gnutar,@/in/file.rpm]]},{when:links,source:{kind:folder,folder:tree,unpack:[bsdtar,-xpf,/in/file.rpm,-C,tree],read:[[BSDTAR,--format=gnutar,--uid,0,--gid,0,--uname,,--gname,,-C,tree,.]]}}]
wim>zip: [{kind:folder,folder:tree,unpack:[7zz,x,-y,-bd,-bso0,-bsp0,-pnone,-sns-,-snld20,-otree,--,/in/file.wim],read:[[BSDTAR,--format=gnutar,--uid,0,--gid,0,--uname,,--gname,,-C,tree,.]],list:[7zz,l,-ba,-slt,-pnone,--,/in/file.wim]},null]
arj>zip: [{kind:folder,folder:tree,unpack:[arj,x,-y,-i,/in/file.arj,tree/],read:[[BSDTAR,--format=gnutar,--uid,0,--gid,0,--uname,,--gname,,-C,tree,.]]},null]
cbr>zip: [{kind:tar,read:[[BSDTAR,--format=gnutar,@/in/file.cbr]]},{when:rar4,source:{kind:folder,folder:tree,unpack:[unar,-q,-f,-D,-nr,-k,skip,-p,none,-o,tree,/in/file.cbr],read:[[BSDTAR,--format=gnutar,--uid,0,--gid,0,--uname,,--gname,,-C,tree,.]]}}]
tar.gz>tar.gz: [{kind:gzip,level:9,read:[gzip,-dc]},null]
`,
    /(.*)/,
  ),
)

t.test('how each target is written', (t) =>
  agree(
    t,
    async (pair, options) => [(await specOf(pair, options)).write.join(' ')],
    `
deb>zip: -cf /out/file.zip --format=zip --options zip:compression-level=6 @-
deb>jar: -cf /out/file.jar --format=zip --options zip:compression-level=6 @-
deb>7z: -cf /out/file.7z --format=7zip --options 7zip:compression-level=6 @-
deb>tar: -cf /out/file.tar --format=pax @-
deb>tar.bz2: -cf /out/file.tar.bz2 --format=pax -j --options bzip2:compression-level=6 @-
deb>tar.xz: -cf /out/file.tar.xz --format=pax -J --options xz:compression-level=6,xz:threads=1 @-
deb>tar.zst: -cf /out/file.tar.zst --format=pax --zstd --options zstd:compression-level=9 @-
deb>tar.lz4: -cf /out/file.tar.lz4 --format=pax --lz4 --options lz4:compression-level=6 @-
deb>cpio: -cf /out/file.cpio --format=newc @-
deb>iso: -cf /out/file.iso --format=iso9660 @-
deb>tar.gz: -cf /out/file.tar.gz --format=pax -z --options gzip:compression-level=6 @-
deb>zip {"compression":0}: -cf /out/file.zip --format=zip --options zip:compression-level=0 @-
deb>zip {"compression":9}: -cf /out/file.zip --format=zip --options zip:compression-level=9 @-
deb>7z {"compression":0}: -cf /out/file.7z --format=7zip --options 7zip:compression=store @-
deb>7z {"compression":9}: -cf /out/file.7z --format=7zip --options 7zip:compression-level=9 @-
deb>tar.gz {"compression":0}: -cf /out/file.tar.gz --format=pax -z --options gzip:compression-level=0 @-
deb>tar.gz {"compression":9}: -cf /out/file.tar.gz --format=pax -z --options gzip:compression-level=9 @-
deb>tar.bz2 {"compression":0}: -cf /out/file.tar.bz2 --format=pax -j --options bzip2:compression-level=1 @-
deb>tar.bz2 {"compression":9}: -cf /out/file.tar.bz2 --format=pax -j --options bzip2:compression-level=9 @-
deb>tar.xz {"compression":0}: -cf /out/file.tar.xz --format=pax -J --options xz:compression-level=0,xz:threads=1 @-
deb>tar.xz {"compression":9}: -cf /out/file.tar.xz --format=pax -J --options xz:compression-level=7,xz:threads=1 @-
deb>tar.zst {"compression":0}: -cf /out/file.tar.zst --format=pax --zstd --options zstd:compression-level=1 @-
deb>tar.zst {"compression":9}: -cf /out/file.tar.zst --format=pax --zstd --options zstd:compression-level=19 @-
deb>tar.lz4 {"compression":0}: -cf /out/file.tar.lz4 --format=pax --lz4 --options lz4:compression-level=1 @-
deb>tar.lz4 {"compression":9}: -cf /out/file.tar.lz4 --format=pax --lz4 --options lz4:compression-level=9 @-
deb>tar.zst {"compression":1}: -cf /out/file.tar.zst --format=pax --zstd --options zstd:compression-level=1 @-
deb>tar.zst {"compression":3}: -cf /out/file.tar.zst --format=pax --zstd --options zstd:compression-level=3 @-
deb>tar.zst {"compression":5}: -cf /out/file.tar.zst --format=pax --zstd --options zstd:compression-level=6 @-
deb>tar.zst {"compression":7}: -cf /out/file.tar.zst --format=pax --zstd --options zstd:compression-level=11 @-
deb>tar.zst {"compression":8}: -cf /out/file.tar.zst --format=pax --zstd --options zstd:compression-level=12 @-
zip>zip: -cf /out/file.zip --format=zip --options zip:compression-level=9 @-
`,
    /^bsdtar (.*)$/,
  ),
)

t.test('the rules of a pair', async (t) => {
  const rules = async (pair: string) => {
    const { limits, ...rest } = (await specOf(pair)).rules
    return Object.entries(rest).flatMap(([name, value]) => (value ? [name] : []))
  }
  for (const [pair, ...expected] of [
    ['tar>tar.gz'],
    ...['zip', '7z', 'cpio', 'iso'].map((to) => [`tar>${to}`, 'wholeFiles']),
    ['tar>jar', 'wholeFiles', 'manifest'],
    ['jar>tar.xz', 'backslashes'],
    ...['cab', 'lha', 'arj', 'rar', 'cbr', 'cbz', 'zip'].map((from) => [`${from}>tar`, 'backslashes']),
    ...['deb', 'rpm', 'cpio'].map((from) => [`${from}>tar`, 'anyLinks']),
    ['7z>7z', 'wholeFiles', 'smaller'],
  ])
    t.same((await rules(pair!)).sort(), expected.sort(), pair!)
  t.same((await specOf('tar>zip')).rules.limits, { entries: 100_000, bytes: 2 ** 30 })
})

const content = 'Once upon a time. '.repeat(9000)
const source = rawTar([
  { name: 'words.txt', content },
  { name: 'more.txt', content },
])

t.test('smaller, with the same content, and never larger', async (t) => {
  for (const format of ['zip', 'tar.gz']) {
    const loose = await convert(source, `tar>${format}`, { compression: 1 })
    const made = await convert(loose, `${format}>${format}`)
    t.ok(made.length < loose.length, `${format}: ${loose.length} to ${made.length} bytes`)
    t.same(await listing(made, format), await listing(loose, format), format)
    if (format === 'tar.gz') t.ok(gunzipSync(made).equals(gunzipSync(loose)), 'every byte of the tar')
    t.ok((await convert(made, `${format}>${format}`, { compression: 0 })).equals(made), 'else the source')
  }
})

t.test('the heavy lane', (t) => {
  const heavy = (to: string, size: number, options = {}) =>
    plugin.heavy({ from: 'zip', to, intent: 'convert', size, options })
  for (const [to, size, compression, expected] of [
    ['7z', 20_000_001, undefined, true],
    ['7z', 20_000_000, undefined, false],
    ['tar.xz', 21e6, 5, true],
    ['tar.xz', 21e6, 4, false],
    ['7z', 19e6, 9, false],
    ['zip', 5e9, 9, false],
  ] as const)
    t.equal(heavy(to, size, compression === undefined ? {} : { compression }), expected, `${to} ${size} ${compression}`)
  t.end()
})
