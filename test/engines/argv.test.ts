import t from 'tap'
import { sevenZip } from '../../engines/7zip.ts'
import { archive } from '../../engines/archive.ts'
import { arj } from '../../engines/arj.ts'
import { assimp } from '../../engines/assimp.ts'
import { calibre } from '../../engines/calibre.ts'
import { coverTag } from '../../engines/cover-tag.ts'
import { dcmj2pnm } from '../../engines/dcmj2pnm.ts'
import { dcraw } from '../../engines/dcraw.ts'
import { xz, zstd } from '../../engines/decompressors.ts'
import { ddjvu, djvused } from '../../engines/djvulibre.ts'
import { epub } from '../../engines/epub.ts'
import { exiftool } from '../../engines/exiftool.ts'
import { ffmpeg } from '../../engines/ffmpeg.ts'
import { ffprobe } from '../../engines/ffprobe.ts'
import { fig2dev } from '../../engines/fig2dev.ts'
import { fontTools } from '../../engines/font.ts'
import { ghostscript } from '../../engines/ghostscript.ts'
import { setPaper } from '../../engines/ghostscript-paper.ts'
import { amrWriter, gstreamer } from '../../engines/gstreamer.ts'
import { icns2png } from '../../engines/icns2png.ts'
import { imagemagick } from '../../engines/imagemagick.ts'
import { inkscape } from '../../engines/inkscape.ts'
import { jbig2dec } from '../../engines/jbig2dec.ts'
import { jxrDecode, jxrEncode } from '../../engines/jxrlib.ts'
import { bsdtar } from '../../engines/libarchive.ts'
import { heifEnc } from '../../engines/libheif.ts'
import { cjxl, djxl } from '../../engines/libjxl.ts'
import { rsvgConvert } from '../../engines/librsvg.ts'
import { opjCompress, opjDecompress } from '../../engines/openjpeg.ts'
import { pdfinfo, pdftocairo, pdftoppm, pdftops } from '../../engines/poppler.ts'
import { pstoedit } from '../../engines/pstoedit.ts'
import { sox } from '../../engines/sox.ts'
import { subtitleText } from '../../engines/subtitle-text.ts'
import { unar } from '../../engines/unar.ts'
import type { Engine, Job } from '../../kernel/contract.ts'
import { flatten } from '../../kernel/kit.ts'

const job = { input: '/in/a', output: '/out/b', scratch: '/scratch', name: 'c' } as Job

/** The command line of each engine with one argument, `X`. */
const frames: [Engine, string][] = [
  [calibre, '/scratch /in/a /out/b c X'],
  [dcmj2pnm, '--quiet X /in/a /out/b'],
  [dcraw, 'X -Z /out/b /in/a'],
  [ddjvu, 'X /in/a /out/b'],
  [djvused, '/in/a -e X'],
  [exiftool, 'X /in/a'],
  [
    ffmpeg,
    '-hide_banner -nostdin -y -v level+info -nostats -progress pipe:1 -protocol_whitelist file,pipe -i /in/a X -metadata major_brand= -metadata minor_version= -metadata compatible_brands= /out/b',
  ],
  [
    ghostscript,
    '-q -dSAFER --permit-file-read=/in/ -dBATCH -dNOPAUSE -dNOPROMPT -sDEFAULTPAPERSIZE=a4 X -o /out/b ' +
      `-c ${setPaper('(/in/a)')} -f /in/a -c ` +
      'currentpagedevice /PageCount get 0 eq { (bbox) selectdevice {(/in/a) run} stopped clear ' +
      'currentdevice getdeviceprops >> /PageBoundingBox get aload pop pop exch pop gt ' +
      '{(no page) = flush null /rangecheck signalerror} if } if',
  ],
  [ffprobe, '-hide_banner -v level+fatal -protocol_whitelist file,pipe -of json=compact=1 X -i /in/a'],
  [sox, '-V1 --no-glob X /in/a -t wav /out/b'],
  [gstreamer, 'X'],
  [amrWriter, 'amr-writer/write.ts X /in/a /out/b'],
  [coverTag, 'cover-tag/write.ts X /in/a /out/b'],
  [subtitleText, 'subtitle/tidy.ts /in/a /out/b X'],
  [fontTools, 'font/convert.py /in/a /out/b X'],
  [archive, 'archive/main.ts X'],
  [icns2png, '-x -o /out/b X /in/a'],
  [
    imagemagick,
    '-limit memory 512MiB -limit map 1GiB -limit disk 4GiB -limit thread 1 -define registry:temporary-path=/scratch X',
  ],
  [inkscape, '--export-filename=/out/b X /in/a'],
  [jbig2dec, '--quiet -M 536870912 X -o /out/b /in/a'],
  [jxrDecode, '-i /in/a -o /out/b X'],
  [jxrEncode, '-i /in/a -o /out/b X'],
  [heifEnc, 'X -o /out/b /in/a'],
  [djxl, '/in/a /out/b --quiet --num_threads=1 X'],
  [cjxl, '/in/a /out/b --quiet --num_threads=1 X'],
  [opjDecompress, '-i /in/a -o /out/b X'],
  [opjCompress, '-i /in/a -o /out/b X'],
  [pdfinfo, 'X /in/a'],
  [pdftoppm, 'X /in/a /out/b'],
  [pdftocairo, 'X /in/a /out/b'],
  [pdftops, 'X /in/a /out/b'],
  [pstoedit, '-q -dt X /in/a /out/b'],
  [rsvgConvert, 'X -o /out/b /in/a'],
  [fig2dev, 'X /in/a /out/b'],
  [assimp, 'export /in/a /out/b X'],
  [bsdtar, '-cf - --format=gnutar X @/in/a'],
  [sevenZip, 'x -y -bd -bso0 -bsp0 -pnone -sns- -snld20 X -o/out/b -- /in/a'],
  [unar, '-q -f -D -nr -k skip -p none X -o /out/b /in/a'],
  [arj, 'x -y -i X /in/a /out/b/'],
  [xz, '-dc --memlimit-decompress=1GiB X'],
  [zstd, '-dc -q --memory=1024MB X'],
]

for (const [engine, frame] of frames)
  t.equal(
    flatten(engine.argv(job, ['X']))
      .join(' ')
      .replace(/^.*engines\/programs\//, ''),
    frame,
    engine.name,
  )

t.equal(
  flatten(ffmpeg.argv(job, ['-f', 'apng', '-i', '-frames:v', '1'])).join(' '),
  '-hide_banner -nostdin -y -v level+info -nostats -progress pipe:1 -protocol_whitelist file,pipe -format_whitelist apng -f apng -i /in/a -frames:v 1 -metadata major_brand= -metadata minor_version= -metadata compatible_brands= /out/b',
  "ffmpeg: what comes before -i is the input's",
)

t.equal(flatten(ffmpeg.argv(job, ['-i', '-f', 'null'])).at(-1), '-', 'ffmpeg: nothing is written')
t.match(flatten(ffprobe.argv(job, ['-f', 'mov'])).join(' '), '-format_whitelist mov -of json=compact=1 -f mov -i /in/a')
t.equal(flatten(inkscape.argv(job, ['--query-width'])).join(' '), '--query-width /in/a', 'inkscape: a question')

t.test('progress', async (t) => {
  const reports = (engine: Engine, ...lines: string[]) => lines.map(engine.progress!())
  const length = '[info]   Duration: 00:01:40.50, start: 0.0'
  const half = 'out_time_us=50250000'
  const more = 'out_time_us=200000000'
  t.same(reports(ffmpeg, half, length, half, more, 'frame=1'), [undefined, undefined, 0.5, 1, undefined])
  t.same(reports(ffmpeg, length, "[info] Output #0, null, to '-':", half), [undefined, undefined, 0.25], 'a first pass')
  t.same(reports(archive, '{"progress":0.25}', '{"progress":1.5}'), [0.25, undefined])
})

t.test('reasons', async (t) => {
  const large = { code: 'RESOURCE_LIMIT', message: 'The book unpacks to more than 1 GB' }
  t.strictSame(epub.reason!(['for the log', JSON.stringify(large)]), large)
  t.equal(epub.reason!(['{"code": a line of a document']), undefined)
  t.equal(epub.reason!(['zipfile.BadZipFile']), undefined)
  t.match(pdftoppm.reason!(['Command Line Error: Incorrect password']), { code: 'ENCRYPTED_INPUT' })
  t.match(ghostscript.reason!(['   **** This file requires a password for access.']), { code: 'ENCRYPTED_INPUT' })
  t.equal(ghostscript.reason!(['no page']), 'The file shows no page')
  const usac = 'Audio object type 42 is not implemented'
  t.equal(ffprobe.reason!(['a', usac]), 'The sound is in xHE-AAC (USAC), which cannot be decoded')
  t.match(imagemagick.reason!(['width or height exceeds limit `a` @ error/cache.c']), { code: 'RESOURCE_LIMIT' })
  t.match(imagemagick.reason!(['cache resources exhausted `a` @ error/cache.c']), { code: 'RESOURCE_LIMIT' })
  for (const { reason, name } of frames.map(([engine]) => engine)) t.equal(reason?.(['what?']), undefined, name)
})
