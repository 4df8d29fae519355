import type { Specimen } from '../family.ts'
import { aac, filmed, flags, h264, type Scene, titled, withTitle } from './film-scene.ts'

const ac3 = ['-c:a', 'ac3', '-b:a', '192k']
const mpeg2 = ['-c:v', 'mpeg2video', '-q:v', 2, '-pix_fmt', 'yuv420p']
const wmv = (version: 1 | 2) => ['-c:v', `wmv${version}`, '-q:v', 2, '-c:a', `wmav${version}`]

/** Televisions of PAL, 4:3 or 16:9. */
const pal: Scene = { width: 720, height: 576, pixel: 16 / 15 }
const phone: Scene = { width: 176, height: 144 }
const real = ['-c:v', 'rv10', '-q:v', 2, '-c:a', 'ac3', '-f', 'rm']
const real2 = ['-c:v', 'rv20', '-q:v', 2, '-c:a', 'ac3', '-f', 'rm']
/** With grain: Theora leaves out frames that do not change. */
const theora = ['-vf', 'noise=alls=8:allf=t', '-c:v', 'libtheora', '-q:v', 9]
const m2ts = ['-mpegts_m2ts_mode', 1, '-f', 'mpegts']

/** Formats of broadcasts, discs, cameras, phones and old players. */
export const older: readonly Specimen[] = [
  ...['wmv', 'asf'].flatMap((format) => [
    filmed(`two.${format}`, [...wmv(2), ...withTitle, '-f', 'asf'], {}, titled),
    filmed(`one.${format}`, [...wmv(1), '-f', 'asf'], { channels: 1, rate: '15' }),
    filmed(`mpeg4.${format}`, ['-c:v', 'msmpeg4', '-q:v', 2, '-c:a', 'libmp3lame', '-f', 'asf'], { rate: '30' }),
  ]),
  filmed('sorenson.flv', ['-c:v', 'flv', '-q:v', 2, '-c:a', 'libmp3lame', '-ar', 44_100, ...withTitle], {}, titled),
  filmed('h264.flv', [...h264, ...aac], { rate: '30' }),
  filmed('screen.flv', ['-c:v', 'flashsv', '-c:a', 'pcm_s16le', '-ar', 44_100], { rate: '10' }),
  filmed('plain.f4v', [...h264, ...aac, '-f', 'f4v'], {}),
  filmed('slow.f4v', [...h264, ...aac, '-f', 'f4v', '-movflags', '+faststart'], { rate: '12', channels: 1 }),
  filmed('mp3.f4v', [...h264, '-bf', 3, '-c:a', 'libmp3lame', '-f', 'f4v'], { rate: '30000/1001' }),
  filmed('one.mpg', ['-c:v', 'mpeg1video', '-q:v', 2, '-c:a', 'mp2', '-f', 'mpeg'], {}),
  filmed('two.mpg', [...mpeg2, '-c:a', 'mp2', '-f', 'vob'], { rate: '30000/1001' }),
  filmed('wide.mpg', [...mpeg2, ...flags('-aspect 16:9 -c:a ac3 -f svcd')], { ...pal, width: 480, pixel: 1024 / 480 }),
  filmed('dolby.vob', [...mpeg2, ...ac3, '-f', 'vob'], { channels: 6 }),
  filmed('wide.vob', [...mpeg2, '-aspect', '16:9', '-c:a', 'mp2', '-f', 'dvd'], { ...pal, pixel: 64 / 45 }),
  filmed('plain.vob', [...mpeg2, '-bf', 2, ...ac3, '-f', 'vob'], { rate: '24000/1001', channels: 1 }),
  filmed('plain.ts', [...h264, ...aac, '-f', 'mpegts'], {}),
  filmed('broadcast.ts', [...mpeg2, '-c:a', 'mp2', '-muxdelay', 0.5, '-output_ts_offset', 1000, '-f', 'mpegts'], {}),
  filmed(
    'hevc.ts',
    [...flags('-c:v libx265 -preset veryfast -x265-params log-level=error -pix_fmt yuv420p'), ...ac3, '-f', 'mpegts'],
    { rate: '50', channels: 6 },
  ),
  ...['mts', 'm2ts'].flatMap((format) => [
    filmed(`camera.${format}`, [...h264, ...ac3, ...(format === 'mts' ? ['-f', 'mpegts'] : m2ts)], {}),
    filmed(`surround.${format}`, [...h264, '-bf', 2, ...ac3, ...m2ts], { rate: '24000/1001', channels: 6 }),
    filmed(`mpeg2.${format}`, [...mpeg2, ...ac3, ...m2ts], { rate: '30000/1001' }),
  ]),
  ...['3gp', '3g2'].flatMap((format) => [
    filmed(`h264.${format}`, [...h264, ...aac], { rate: '15' }),
    filmed(`h263.${format}`, ['-c:v', 'h263', '-q:v', 2, ...aac, '-ac', 1], {
      ...phone,
      channels: 1,
      rate: '30000/1001',
    }),
    filmed(`mpeg4.${format}`, ['-c:v', 'mpeg4', '-q:v', 2, ...aac], { ...phone, rate: '12' }),
  ]),
  filmed('vorbis.ogv', [...theora, '-c:a', 'libvorbis', ...withTitle, '-f', 'ogg'], {}, titled),
  filmed('flac.ogv', [...theora, '-c:a', 'flac', '-f', 'ogg'], { rate: '30' }),
  filmed('opus.ogv', [...theora, '-c:a', 'libopus', '-f', 'ogg'], { channels: 1 }),
  filmed('mpeg2.mxf', [...mpeg2, '-aspect', '4:3', '-c:a', 'pcm_s16le', '-f', 'mxf'], { ...pal }),
  filmed('hd.mxf', flags('-c:v libx264 -preset ultrafast -qp 10 -pix_fmt yuv420p -c:a pcm_s24le -f mxf'), {}),
  filmed('jpeg2000.mxf', flags('-c:v jpeg2000 -pix_fmt yuv420p -c:a pcm_s16le -f mxf'), { rate: '30000/1001' }),
  filmed('pal.dv', ['-target', 'pal-dv', '-aspect', '4:3'], { ...pal }),
  filmed('wide.dv', ['-target', 'pal-dv', '-aspect', '16:9'], { ...pal, pixel: 64 / 45 }),
  filmed(
    'ntsc.dv',
    ['-target', 'ntsc-dv', '-aspect', '4:3'],
    { width: 720, height: 480, rate: '30000/1001' },
    { truth: { size: { width: 720, height: 540 } } },
  ),
  ...['rm', 'rmvb'].flatMap((format) => [
    filmed(`ten.${format}`, real, { ...phone }),
    filmed(`twenty.${format}`, real2, { ...phone, rate: '15', channels: 1 }),
    filmed(`wide.${format}`, real2, { width: 352, height: 288, rate: '30' }),
  ]),
  filmed('sorenson.swf', ['-c:v', 'flv', '-q:v', 2, '-c:a', 'libmp3lame', '-ar', 44_100, '-f', 'swf'], {}),
  filmed('jpeg.swf', ['-c:v', 'mjpeg', '-q:v', 2, '-c:a', 'libmp3lame', '-ar', 44_100, '-f', 'swf'], { channels: 1 }),
  filmed('silent.swf', ['-c:v', 'flv', '-q:v', 2, '-f', 'swf'], { channels: 0, rate: '12' }),
]
