/** What the video plugin runs, without running it. test/depth measures what comes of such commands. */
import t from 'tap'
import { streamsBut } from '../../../engines/ffmpeg/media.ts'
import { readMedia } from '../../../engines/ffmpeg/report.ts'
import { createOptionsValidator } from '../../../kernel/catalogue/options.ts'
import { fail } from '../../../kernel/kit.ts'
import plugin from '../../../plugins/video/index.ts'
import type { Answer } from '../../harness/command-lines.ts'
import { agree, linesOf, probed } from '../routes.ts'

const ten = { duration: '10' }
const whole = 'out_time_us=10000000'
const sound = (codec_name: string, channels = 2, more = {}) => ({
  codec_type: 'audio',
  codec_name,
  channels,
  sample_rate: '48000',
  duration: '10',
  ...more,
})
const picture = (codec_name: string, more = {}) => ({
  codec_type: 'video',
  codec_name,
  width: 640,
  height: 360,
  pix_fmt: 'yuv420p',
  level: 30,
  duration: '10',
  r_frame_rate: '25/1',
  avg_frame_rate: '25/1',
  ...more,
})
const text = (codec_name: string) => ({ codec_type: 'subtitle', codec_name, tags: { language: 'deu' } })
const hdr = { pix_fmt: 'yuv420p10le', color_transfer: 'smpte2084', sample_aspect_ratio: '4:3' }
const odd = { r_frame_rate: '17/1', avg_frame_rate: '17/1' }
const cover = { codec_type: 'video', codec_name: 'mjpeg', pix_fmt: 'yuvj420p', disposition: { attached_pic: 1 } }
const place = 'com.apple.quicktime.location.ISO6709'

/** By the format that they are given under. */
const sources: Readonly<Record<string, string>> = {
  avi: probed(ten, picture('ffv1'), sound('pcm_s16le', 6)),
  mp4: probed(ten, picture('h264'), sound('aac')),
  mkv: probed(
    ...([ten, picture('hevc', { ...hdr, ...odd }), sound('ac3', 6, { tags: { language: 'deu' } })] as const),
    ...[sound('opus', 1, { tags: { language: 'fra' } }), text('subrip'), text('hdmv_pgs_subtitle')],
  ),
  webm: probed(ten, picture('vp9'), sound('opus')),
  mpg: probed(ten, picture('mpeg2video', { field_order: 'tt' }), sound('mp2')),
  mov: probed(
    { ...ten, tags: { [place]: '+48.1+011.5/' } },
    picture('h264', { side_data_list: [{ rotation: -90 }] }),
    cover,
  ),
  wmv: probed(ten, picture('wmv2'), sound('wmav2')),
  '3gp': probed(ten, picture('h263'), sound('amr_nb', 1)),
  '3g2': probed(ten, picture('mpeg4'), sound('mp3')),
  f4v: probed(ten, picture('h264', { width: 900, height: 1600, level: 41 }), sound('mp3', 2, { sample_rate: '44100' })),
  gif: probed({ duration: '1' }, picture('gif', { nb_frames: '10', r_frame_rate: '10/1', avg_frame_rate: '10/1' })),
  ogv: probed(ten, picture('theora'), sound('vorbis')),
  ts: probed(ten, picture('h264', { pix_fmt: 'yuv444p' }), sound('ac3', 6)),
  mxf: probed({}, picture('mpeg2video', { duration: '8' }), sound('pcm_s16le')),
  asf: probed(ten, picture('msmpeg4v2', { avg_frame_rate: '23/1' }), sound('pcm_s16le', 4)),
}

async function commands(pair: string, options = {}, ffmpeg: Answer | readonly Answer[] = whole) {
  const answers = { ffprobe: sources[pair.split('>')[0]!]!, ffmpeg }
  return (await linesOf(plugin, pair, options, answers)).filter((line) => !line.includes('-read_intervals'))
}

/** Filters that many commands have. */
const short = {
  EVEN: "scale=w='max(2,trunc(iw/2)*2)':h='max(2,trunc(ih/2)*2)',setsar=1",
  TONED:
    'zscale=min=2020_ncl:pin=2020:t=linear:npl=100,format=gbrpf32le,zscale=p=bt709,tonemap=tonemap=hable:desat=0,zscale=t=bt709:m=bt709:r=tv,format=yuv420p',
  SQUARED: "scale=w='iw*min(max(sar,1),4)':h='ih/max(min(sar,1),1/4)'",
  'BOX-640':
    "scale=w='if(gte(iw,ih),min(iw,640),min(iw,480))':h='if(gte(iw,ih),min(ih,480),min(ih,640))':force_original_aspect_ratio=decrease:force_divisible_by=2",
  X264: '-c:v:0 libx264 -pix_fmt:v:0 yuv420p -preset veryfast',
  TAGS: '-map_metadata 0:g -map_chapters 0 -max_muxing_queue_size 4096',
}

const after = /^ffmpeg (?:-fflags \+genpts -f \w+ -i )?(.*)$/

t.test('each target: its encoders, and its container', (t) =>
  agree(
    t,
    commands,
    `
avi>mp4: -map 0:0 -map 0:1 -filter:v:0 EVEN -fps_mode:v:0 vfr X264 -crf 23 -c:a:0 aac -ar:a:0 48000 -ac:a:0 6 -b:a:0 384k TAGS -f mp4 -movflags +faststart
avi>mov: -map 0:0 -map 0:1 -filter:v:0 EVEN -fps_mode:v:0 vfr X264 -crf 23 -c:a copy TAGS -f mov -movflags +faststart
avi>webm: -map 0:0 -map 0:1 -filter:v:0 EVEN -fps_mode:v:0 vfr -c:v:0 libvpx-vp9 -pix_fmt:v:0 yuv420p -deadline realtime -cpu-used 6 -row-mt 1 -crf 33 -b:v:0 0 -filter:a:0 aformat=channel_layouts=5.1 -c:a:0 libopus -ar:a:0 48000 -b:a:0 256k TAGS -f webm
avi>wmv: -map 0:0 -map 0:1 -filter:v:0 EVEN -fps_mode:v:0 vfr -c:v:0 wmv2 -pix_fmt:v:0 yuv420p -q:v:0 4 -c:a:0 wmav2 -ar:a:0 48000 -ac:a:0 2 -b:a:0 160k TAGS -f asf
avi>flv: -map 0:0 -map 0:1 -filter:v:0 EVEN -fps_mode:v:0 vfr X264 -crf 23 -c:a:0 aac -ar:a:0 48000 -ac:a:0 2 -b:a:0 128k TAGS -f flv
avi>mpg: -map 0:0 -map 0:1 -filter:v:0 fps=25:eof_action=pass,EVEN -fps_mode:v:0 cfr -c:v:0 mpeg2video -pix_fmt:v:0 yuv420p -g 15 -bf 2 -maxrate 9000k -bufsize 1835k -q:v:0 4 -c:a:0 mp2 -ar:a:0 48000 -ac:a:0 2 -b:a:0 192k TAGS -f vob
avi>ts: -map 0:0 -map 0:1 -filter:v:0 EVEN -fps_mode:v:0 vfr X264 -crf 23 -c:a:0 aac -ar:a:0 48000 -ac:a:0 6 -b:a:0 384k TAGS -f mpegts
avi>m2ts: -map 0:0 -map 0:1 -filter:v:0 EVEN -fps_mode:v:0 vfr X264 -crf 23 -c:a:0 ac3 -ar:a:0 48000 -ac:a:0 6 -b:a:0 448k TAGS -f mpegts -mpegts_m2ts_mode 1
avi>3gp: -map 0:0 -map 0:1 -filter:v:0 BOX-640,EVEN -fps_mode:v:0 vfr X264 -profile:v:0 baseline -level 3.0 -crf 23 -c:a:0 aac -ar:a:0 48000 -ac:a:0 2 -b:a:0 96k TAGS -f 3gp -movflags +faststart
avi>3g2: -map 0:0 -map 0:1 -filter:v:0 BOX-640,EVEN -fps_mode:v:0 vfr X264 -profile:v:0 baseline -level 3.0 -crf 23 -c:a:0 aac -ar:a:0 48000 -ac:a:0 2 -b:a:0 96k TAGS -f 3g2 -movflags +faststart
avi>ogv: -map 0:0 -map 0:1 -filter:v:0 fps=25/1:eof_action=pass,EVEN -fps_mode:v:0 cfr -c:v:0 libtheora -pix_fmt:v:0 yuv420p -q:v:0 7.0 -c:a:0 libvorbis -ar:a:0 48000 -ac:a:0 6 -q:a:0 2.29 TAGS -f ogv
avi>mxf: -map 0:0 -map 0:1 -filter:v:0 tpad=stop_mode=clone:stop=-1,fps=25:eof_action=pass,EVEN -fps_mode:v:0 cfr -c:v:0 mpeg2video -pix_fmt:v:0 yuv420p -g 12 -bf 0 -q:v:0 4 -t 10 -filter:a:0 aresample=async=1:first_pts=0,apad -c:a:0 pcm_s16le -ar:a:0 48000 -ac:a:0 6 TAGS -f mxf
ogv>avi: -map 0:0 -map 0:1 -filter:v:0 fps=25/1:eof_action=pass,EVEN -fps_mode:v:0 cfr -c:v:0 mpeg4 -pix_fmt:v:0 yuv420p -vtag XVID -q:v:0 4 -c:a:0 libmp3lame -ar:a:0 48000 -ac:a:0 2 -b:a:0 160k -map_metadata 0:s:0 -map_chapters 0 -max_muxing_queue_size 4096 -f avi
`,
    after,
    short,
  ),
)

t.test('what is copied, corrected and left out', (t) =>
  agree(
    t,
    commands,
    `
mp4>mkv: -map 0:0 -map 0:1 -c:v:0 copy -c:a copy TAGS -f matroska
mp4>mov: -map 0:0 -map 0:1 -c:v:0 copy -c:a copy TAGS -f mov -movflags +faststart
mp4>ts: -map 0:0 -map 0:1 -c:v:0 copy -c:a copy TAGS -f mpegts
mp4>3gp: -map 0:0 -map 0:1 -c:v:0 copy -c:a copy TAGS -f 3gp -movflags +faststart
mkv>mp4: -map 0:0 -map 0:1 -map 0:2 -map 0:3 -c:s:0 mov_text -c:v:0 copy -tag:v:0 hvc1 -c:a:0 aac -ar:a:0 48000 -ac:a:0 6 -b:a:0 384k -c:a:1 aac -ar:a:1 48000 -ac:a:1 1 -b:a:1 128k TAGS -f mp4 -movflags +faststart
mkv>mov: -map 0:0 -map 0:1 -map 0:2 -map 0:3 -c:s:0 mov_text -metadata:s:s:0 language=ger -c:v:0 copy -tag:v:0 hvc1 -c:a:0 aac -ar:a:0 48000 -ac:a:0 6 -b:a:0 384k -c:a:1 aac -ar:a:1 48000 -ac:a:1 1 -b:a:1 128k -metadata:s:a:0 language=ger TAGS -f mov -movflags +faststart
mkv>webm: -map 0:0 -map 0:1 -map 0:2 -map 0:3 -c:s:0 webvtt -filter:v:0 TONED,SQUARED,EVEN -fps_mode:v:0 vfr -c:v:0 libvpx-vp9 -pix_fmt:v:0 yuv420p -deadline realtime -cpu-used 6 -row-mt 1 -crf 33 -b:v:0 0 -filter:a:0 aformat=channel_layouts=5.1 -c:a:0 libopus -ar:a:0 48000 -b:a:0 256k -filter:a:1 aformat=channel_layouts=mono -c:a:1 libopus -ar:a:1 48000 -b:a:1 112k TAGS -f webm
mkv>ts: -map 0:0 -map 0:1 -map 0:2 -filter:v:0 TONED,SQUARED,EVEN -fps_mode:v:0 vfr X264 -crf 23 -c:a:0 aac -ar:a:0 48000 -ac:a:0 6 -b:a:0 384k -c:a:1 aac -ar:a:1 48000 -ac:a:1 1 -b:a:1 128k TAGS -f mpegts
mkv>avi: -map 0:0 -map 0:1 -filter:v:0 TONED,SQUARED,fps=17/1:eof_action=pass,EVEN -fps_mode:v:0 cfr -c:v:0 mpeg4 -pix_fmt:v:0 yuv420p -vtag XVID -q:v:0 4 -c:a:0 libmp3lame -ar:a:0 48000 -ac:a:0 2 -b:a:0 160k TAGS -f avi
mov>mp4: -map 0:0 -c:v:0 copy -an -map 0:1 -c:v:1 copy -disposition:v:1 attached_pic -map_metadata 0:g -metadata location=+48.1+011.5/ -map_chapters 0 -max_muxing_queue_size 4096 -f mp4 -movflags +faststart
mov>mkv: -map 0:0 -filter:v:0 EVEN -fps_mode:v:0 vfr X264 -crf 23 -an TAGS -f matroska
mov>3gp: -map 0:0 -c:v:0 copy -an -map_metadata 0:g -metadata location=+48.1+011.5/ -map_chapters 0 -max_muxing_queue_size 4096 -f 3gp -movflags +faststart
wmv>mkv: -map 0:0 -map 0:1 -filter:v:0 EVEN -fps_mode:v:0 vfr X264 -crf 23 -filter:a:0 aresample=async=1 -c:a:0 aac -ar:a:0 48000 -ac:a:0 2 -b:a:0 128k TAGS -f matroska
3gp>mp4: -f mov -i -map 0:1 -c copy -f amr ; sox -t amr-nb ; ffmpeg -fflags +genpts -f mov -i -f wav -ignore_length 1 -i /scratch/decoded.wav -map 0:0 -map 1:0 -filter:v:0 EVEN -fps_mode:v:0 vfr X264 -crf 23 -c:a:0 aac -ar:a:0 48000 -ac:a:0 1 -b:a:0 128k TAGS -f mp4 -movflags +faststart
3g2>mp4: -map 0:0 -map 0:1 -filter:v:0 EVEN -fps_mode:v:0 vfr X264 -crf 23 -c:a:0 aac -ar:a:0 48000 -ac:a:0 2 -b:a:0 128k TAGS -f mp4 -movflags +faststart
3g2>mov: -map 0:0 -map 0:1 -c:v:0 copy -c:a copy TAGS -f mov -movflags +faststart
3g2>avi: -map 0:0 -map 0:1 -c:v:0 copy -r:v:0 25/1 -c:a copy TAGS -f avi
3g2>flv: -map 0:0 -map 0:1 -filter:v:0 EVEN -fps_mode:v:0 vfr X264 -crf 23 -c:a:0 aac -ar:a:0 48000 -ac:a:0 2 -b:a:0 128k TAGS -f flv
f4v>flv: -map 0:0 -map 0:1 -c:v:0 copy -c:a copy TAGS -f flv
f4v>3gp: -map 0:0 -map 0:1 -filter:v:0 BOX-640,EVEN -fps_mode:v:0 vfr X264 -profile:v:0 baseline -level 3.0 -crf 23 -c:a:0 aac -ar:a:0 44100 -ac:a:0 2 -b:a:0 96k TAGS -f 3gp -movflags +faststart
gif>mp4: -map 0:0 -filter:v:0 fps=10/1:eof_action=pass,EVEN -fps_mode:v:0 vfr X264 -crf 23 -an TAGS -f mp4 -movflags +faststart
gif>mpg: -map 0:0 -filter:v:0 fps=24000/1001:eof_action=pass,EVEN -fps_mode:v:0 cfr -c:v:0 mpeg2video -pix_fmt:v:0 yuv420p -g 15 -bf 2 -maxrate 9000k -bufsize 1835k -q:v:0 4 -an TAGS -f vob
ogv>mkv: -map 0:0 -map 0:1 -c:v:0 copy -c:a copy -map_metadata 0:s:0 -map_chapters 0 -max_muxing_queue_size 4096 -f matroska
ts>mp4: -map 0:0 -map 0:1 -filter:v:0 EVEN -fps_mode:v:0 vfr X264 -crf 23 -c:a:0 aac -ar:a:0 48000 -ac:a:0 6 -b:a:0 384k TAGS -f mp4 -movflags +faststart
ts>mkv: -map 0:0 -map 0:1 -c:v:0 copy -c:a copy TAGS -f matroska
ts>m2ts: -map 0:0 -map 0:1 -filter:v:0 EVEN -fps_mode:v:0 vfr X264 -crf 23 -c:a copy TAGS -f mpegts -mpegts_m2ts_mode 1
asf>webm: -map 0:0 -map 0:1 -filter:v:0 EVEN -fps_mode:v:0 vfr -enc_time_base:v:0 -1 -c:v:0 libvpx-vp9 -pix_fmt:v:0 yuv420p -deadline realtime -cpu-used 6 -row-mt 1 -crf 33 -b:v:0 0 -filter:a:0 aresample=async=1,aformat=channel_layouts=quad -c:a:0 libopus -ar:a:0 48000 -b:a:0 256k TAGS -f webm
mpg>mp4: -map 0:0 -map 0:1 -filter:v:0 bwdif=mode=send_frame:deint=interlaced,EVEN -fps_mode:v:0 vfr X264 -crf 23 -c:a:0 aac -ar:a:0 48000 -ac:a:0 2 -b:a:0 128k TAGS -f mp4 -movflags +faststart
`,
    after,
    short,
  ),
)

t.test("quality and bit rate, on each encoder's scale; and what they keep from being copied", (t) =>
  agree(
    t,
    commands,
    `
webm>mp4 {"crf":0}: X264 -crf 1
webm>mp4 {"crf":40}: X264 -crf 40
webm>mp4 {"bitrate":900}: X264 -b:v:0 900k -maxrate 1350k -bufsize 1800k
mpg>webm {"crf":0}: -c:v:0 libvpx-vp9 -pix_fmt:v:0 yuv420p -deadline realtime -cpu-used 6 -row-mt 1 -crf 4 -b:v:0 0
mpg>webm {"crf":51}: -c:v:0 libvpx-vp9 -pix_fmt:v:0 yuv420p -deadline realtime -cpu-used 6 -row-mt 1 -crf 63 -b:v:0 0
mpg>webm {"bitrate":900}: -c:v:0 libvpx-vp9 -pix_fmt:v:0 yuv420p -deadline realtime -cpu-used 6 -row-mt 1 -b:v:0 900k -minrate:v:0 900k -maxrate:v:0 900k -bufsize:v:0 900k -undershoot-pct 50 -overshoot-pct 50
webm>avi {"crf":10}: -c:v:0 mpeg4 -pix_fmt:v:0 yuv420p -vtag XVID -q:v:0 2
webm>avi {"crf":51}: -c:v:0 mpeg4 -pix_fmt:v:0 yuv420p -vtag XVID -q:v:0 31
webm>avi {"bitrate":1500}: -c:v:0 mpeg4 -pix_fmt:v:0 yuv420p -vtag XVID -b:v:0 1500k
webm>wmv {"crf":17}: -c:v:0 wmv2 -pix_fmt:v:0 yuv420p -q:v:0 2
webm>mpg {"crf":30}: -c:v:0 mpeg2video -pix_fmt:v:0 yuv420p -g 15 -bf 2 -maxrate 9000k -bufsize 1835k -q:v:0 10
webm>mxf {"crf":30}: -c:v:0 mpeg2video -pix_fmt:v:0 yuv420p -g 12 -bf 0 -q:v:0 10 -t 10
webm>ogv {"crf":10}: -c:v:0 libtheora -pix_fmt:v:0 yuv420p -q:v:0 10.0
webm>ogv {"crf":30}: -c:v:0 libtheora -pix_fmt:v:0 yuv420p -q:v:0 4.2
webm>ogv {"crf":51}: -c:v:0 libtheora -pix_fmt:v:0 yuv420p -q:v:0 0.0
webm>ogv {"bitrate":300}: -c:v:0 libtheora -pix_fmt:v:0 yuv420p -b:v:0 300k
webm>3gp {"crf":40}: X264 -profile:v:0 baseline -level 3.0 -crf 40
webm>mkv {"codec":"h264"}: X264 -crf 23
mp4>mkv {"codec":"h264"}: -c:v:0 copy
mp4>mkv {"crf":20}: X264 -crf 20
mp4>mkv {"bitrate":500}: X264 -b:v:0 500k -maxrate 750k -bufsize 1000k
mp4>mp4 {"crf":20}: X264 -crf 20
`,
    /((?:-c:v:0|X264)(?:(?! -c:a| -filter:a| -an| TAGS).)*)/,
    short,
  ),
)

t.test('resolution and frame rate', (t) =>
  agree(
    t,
    commands,
    `
f4v>mp4 {"resolution":"720p"}: -filter:v:0 scale=w='if(gte(iw,ih),min(iw,1280),min(iw,720))':h='if(gte(iw,ih),min(ih,720),min(ih,1280))':force_original_aspect_ratio=decrease:force_divisible_by=2,EVEN -fps_mode:v:0 vfr
f4v>mp4 {"resolution":"1080p"}: -c:v:0 copy
mxf>mp4 {"resolution":"1080p"}: -filter:v:0 scale=w='if(gte(iw,ih),min(iw,1920),min(iw,1080))':h='if(gte(iw,ih),min(ih,1080),min(ih,1920))':force_original_aspect_ratio=decrease:force_divisible_by=2,EVEN -fps_mode:v:0 vfr
mp4>mkv {"resolution":"720p"}: -c:v:0 copy
mp4>mkv {"framerate":24}: -filter:v:0 fps=24:eof_action=pass,EVEN -fps_mode:v:0 vfr
mp4>mkv {"framerate":30}: -filter:v:0 fps=30:eof_action=pass,EVEN -fps_mode:v:0 vfr
mp4>avi {"framerate":30}: -filter:v:0 fps=30:eof_action=pass,EVEN -fps_mode:v:0 cfr
mkv>mov {"framerate":30}: -filter:v:0 TONED,SQUARED,fps=30:eof_action=pass,EVEN -fps_mode:v:0 vfr
gif>mp4 {"framerate":30}: -filter:v:0 fps=30:eof_action=pass,EVEN -fps_mode:v:0 vfr
`,
    /(?:-map \S+ |-c:s:0 .*language=ger )+((?:-filter:v:0 |-c:v:0 copy)(?:(?! X264| -c:v:0 m| -c:a).)*)/,
    short,
  ),
)

t.test('the sound', (t) =>
  agree(
    t,
    commands,
    `
mp4>mkv {"stripAudio":true}: -c:v:0 copy -an
3gp>mkv {"stripAudio":true}: X264 -crf 23 -an
mp4>mkv {"audioBitrate":64}: -c:v:0 copy -c:a:0 aac -ar:a:0 48000 -ac:a:0 2 -b:a:0 64k
avi>m2ts {"audioBitrate":512}: X264 -crf 23 -c:a:0 ac3 -ar:a:0 48000 -ac:a:0 6 -b:a:0 512k
mkv>mov {"audioBitrate":256}: -c:v:0 copy -tag:v:0 hvc1 -c:a:0 aac -ar:a:0 48000 -ac:a:0 6 -b:a:0 256k -c:a:1 aac -ar:a:1 48000 -ac:a:1 1 -b:a:1 256k -metadata:s:a:0 language=ger
mp4>mp4 {"stripAudio":true}: -c:v:0 copy -an
`,
    /((?:-c:v:0|X264) .*) TAGS/,
    short,
  ),
)

t.test('what cannot be copied after all is encoded, and then without subtitles', async (t) => {
  const refused = fail('CONVERSION_ERROR', 'no')
  t.match(await commands('mkv>mp4', {}, [refused, refused, whole]), [
    /mov_text -c:v:0 copy/,
    /mov_text .*libx264/,
    /^(?!.*mov_text).*libx264/,
  ])
  t.match(await commands('mp4>mkv', {}, [refused, whole]), [/-c:v:0 copy/, /libx264.*-c:a:0 aac/])
  const edited = probed(ten, picture('h264', { duration: '9.8' }), sound('aac'))
  const lines = await linesOf(plugin, 'mp4>mkv', {}, { ffprobe: [sources.mp4!, edited], ffmpeg: whole })
  t.match(lines, [/^ffprobe -f mov -show/, /^ffprobe -f mov -ignore_editlist 1 -show/, /libx264/], 'an edit list')
  const same = probed(ten, picture('h264', { duration: '9.9' }), sound('aac'))
  t.match((await linesOf(plugin, 'mp4>mkv', {}, { ffprobe: [sources.mp4!, same], ffmpeg: whole })).at(-1), /copy/)
})

t.test('smaller with the same streams, or the source', async (t) => {
  const smaller = async (size: number, duration: string | undefined = '10.05', source = sources.webm!) => {
    const told = JSON.stringify({ format: { size: String(size), duration } })
    return (await linesOf(plugin, 'webm>webm', {}, { ffprobe: [source, told], ffmpeg: whole })).slice(1)
  }
  const all = 'ffmpeg -f matroska -i -map 0 -c copy -map_metadata 0 -map_chapters 0 -max_muxing_queue_size 4096 -f webm'
  const shown = 'ffprobe -f matroska -show_entries format=size,duration'
  t.strictSame(await smaller(999), [all, shown])
  t.strictSame(await smaller(1000), [all, shown, 'cp'])
  t.strictSame(await smaller(999, '9.8'), [all, shown, 'cp'])
  const live = probed({}, { codec_type: 'video', codec_name: 'vp8', width: 320, height: 180 })
  t.strictSame(await smaller(1001, '10.05', live), [all, shown], 'larger, with the duration that a recorder left out')
})

t.test('all streams that the result has not are reported', (t) => {
  const media = readMedia('mov', probed(ten, picture('h264'), picture('hevc'), sound('aac')).split('\n'))
  t.strictSame(streamsBut(media, [media.video!, ...media.sounds]), ['video (hevc)'])
  t.end()
})

t.test('refusals', async (t) => {
  const refusal = (ffprobe: string, pair = 'mp4>mkv', options = {}, ffmpeg = whole) =>
    linesOf(plugin, pair, options, { ffprobe, ffmpeg }).then(
      (lines) => lines.at(-1)!,
      ({ code, message }) => `${code}: ${message}`,
    )
  const nothing = 'there is nothing to make a video of'
  t.equal(await refusal(probed(ten, sound('aac'))), `CONVERSION_ERROR: No video inside: ${nothing}`)
  const unknown = probed(ten, { codec_type: 'video', codec_tag_string: 'odd ' }, sound('aac'))
  t.equal(
    await refusal(unknown),
    `CONVERSION_ERROR: The pictures are in a codec that cannot be decoded here: ${nothing}`,
  )
  t.match(await refusal(probed(ten, picture('h264', { codec_tag_string: 'encv' }))), /^ENCRYPTED_INPUT/)
  const cut = 'The file is incomplete: it breaks off after 4.0 of 10.0 seconds'
  t.equal(await refusal(sources.mp4!, 'mp4>mkv', {}, 'out_time_us=4000000\npartial file'), `CONVERSION_ERROR: ${cut}`)
  const none = 'Output file is empty, nothing was encoded'
  const held = 'CONVERSION_ERROR: The file holds no video that can be decoded'
  t.equal(await refusal(probed({}, picture('wmv2', { duration: '0' })), 'wmv>mp4', {}, none), held)
  t.equal(await refusal(probed({}, picture('wmv2', { duration: '0' })), 'wmv>mp4', {}, 'frame=1\nframe=0'), held)
  const gif = (seconds: number, frames: number, side: number, rate = '10/1') =>
    probed(
      { duration: `${seconds}` },
      picture('gif', { nb_frames: `${frames}`, width: side, height: side, r_frame_rate: rate, avg_frame_rate: rate }),
    )
  const bomb = (frames: string, side: string) =>
    `RESOURCE_LIMIT: The film would have ${frames} frames of ${side} × ${side} pixels; at most 100,000 frames and 20,000 megapixels can be made`
  t.equal(await refusal(gif(1, 100_001, 16), 'gif>mp4'), bomb('100,001', '16'))
  t.match(await refusal(gif(1, 100_000, 16), 'gif>mp4'), /^ffmpeg/)
  t.equal(await refusal(gif(9000, 9000, 4000, '1/1'), 'gif>webm'), bomb('9,000', '4,000'))
  t.equal(await refusal(gif(20_000, 300, 1000), 'gif>mp4'), bomb('200,000', '1,000'), 'frames that last')
  t.equal(await refusal(gif(2000, 4000, 1000, '2/1'), 'gif>mp4', { framerate: 30 }), bomb('60,000', '1,000'))
  t.match(await refusal(gif(2000, 4000, 1000, '2/1'), 'gif>mp4'), /^ffmpeg/)
  const { check } = createOptionsValidator([plugin])
  for (const to of ['avi', 'wmv', 'mpg', 'webm', 'ogv', 'mxf'])
    t.throws(
      () => check(plugin, to, { codec: 'h264' }),
      { code: 'INVALID_OPTIONS', message: /^options.codec h264 is/ },
      to,
    )
  for (const to of ['mp4', 'mov', 'mkv', 'flv', 'ts', 'm2ts', '3gp', '3g2']) check(plugin, to, { codec: 'h264' })
  const both = 'options.crf cannot be given together with options.bitrate: leave one of them out'
  t.throws(() => check(plugin, 'mkv', { crf: 20, bitrate: 500 }), { code: 'INVALID_OPTIONS', message: both })
})

t.test('which jobs are heavy from the beginning', async (t) => {
  const heavy = (options: object, size = 200_000_000) =>
    plugin.heavy({ from: 'mov', to: 'mp4', intent: 'convert', size, options })
  t.strictSame([heavy({}), heavy({}, 200_000_001)], [false, true])
  for (const options of [{ crf: 0 }, { bitrate: 500 }, { resolution: '720p' }, { framerate: 24 }, { codec: 'h264' }])
    t.ok(heavy(options), JSON.stringify(options))
  t.notOk(heavy({ stripAudio: true, audioBitrate: 64 }))
})

t.test('a light job copies pictures, and does not encode them', async (t) => {
  const light = (pair: string, answers: Answer | readonly Answer[] = whole) =>
    linesOf(plugin, pair, {}, { ffprobe: sources[pair.split('>')[0]!]!, ffmpeg: answers }, true)
  for (const pair of ['mp4>mkv', 'mp4>ts', 'mp4>flv', 'avi>mkv', 'mp4>mp4']) await t.resolves(light(pair), pair)
  for (const pair of ['mp4>avi', 'mp4>webm', 'gif>mp4', 'mp4>mpg', 'wmv>mp4'])
    await t.rejects(light(pair), { name: 'NeedsHeavy' }, pair)
  const refused = fail('CONVERSION_ERROR', 'The copy fails')
  await t.rejects(light('mp4>mkv', [refused, whole]), { name: 'NeedsHeavy' }, 'the second attempt encodes')
  const long = probed(
    { duration: '3600' },
    { codec_type: 'video', codec_name: 'h264', pix_fmt: 'yuv420p', width: 640, height: 480, duration: '3600' },
    { codec_type: 'audio', codec_name: 'ac3', channels: 2, sample_rate: '48000', duration: '3600' },
  )
  const sounds = linesOf(plugin, 'mkv>mp4', {}, { ffprobe: long, ffmpeg: whole }, true)
  await t.rejects(sounds, { name: 'NeedsHeavy' }, 'an hour of sound to encode')
})

t.test('black shows through transparent areas, and no color that they hide', async (t) => {
  for (const [codec, more, decoder] of [
    ['vp9', { tags: { alpha_mode: '1' } }, '-c:v libvpx-vp9 '],
    ['prores', { pix_fmt: 'yuva444p12le' }, ''],
  ] as const) {
    const answers = { ffprobe: probed(ten, picture(codec, more)), ffmpeg: whole }
    const [encoding] = (await linesOf(plugin, 'mkv>mp4', {}, answers)).filter((line) => line.startsWith('ffmpeg'))
    t.match(encoding, `-f matroska ${decoder}-i -map 0:0 -filter:v:0 premultiply=inplace=1,`)
  }
})
