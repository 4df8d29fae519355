import { spawn } from 'node:child_process'
import { createReadStream, createWriteStream, readdirSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'

/**
 * Pipes raw samples through GStreamer's encoder, and writes the file header, which the encoder leaves out. Only the
 * necessary plugins are loaded: scanning all of them takes longer than encoding.
 */
const [mode = '7', input = '', output = ''] = process.argv.slice(2)

const folders = readdirSync('/usr/lib').map((name) => `/usr/lib/${name}/gstreamer-1.0`)
const plugins = folders.flatMap((folder) => {
  try {
    const names = readdirSync(folder).filter((name) => /^libgst(coreelements|rawparse|amrnb)\.so$/.test(name))
    return names.map((name) => `--gst-plugin-load=${folder}/${name}`)
  } catch {
    return []
  }
})
const samples = 'format=pcm pcm-format=s16le sample-rate=8000 num-channels=1'
const stages = ['fdsrc fd=0', `rawaudioparse ${samples}`, `amrnbenc band-mode=${Number(mode)}`, 'fdsink fd=1']
const encoder = spawn(
  '/usr/bin/gst-launch-1.0',
  ['-q', '--gst-disable-registry-update', ...plugins, ...stages.join(' ! ').split(' ')],
  { stdio: ['pipe', 'pipe', 'inherit'], env: { PATH: '/usr/bin', HOME: '/tmp', GST_PLUGIN_SYSTEM_PATH_1_0: '' } },
)
const ended = new Promise<number | null>((resolve, reject) => encoder.on('error', reject).on('close', resolve))

const file = createWriteStream(output)
file.write('#!AMR\n')
// The sink must be a pipe: in a file, it would seek back and overwrite the header.
await Promise.all([pipeline(createReadStream(input), encoder.stdin), pipeline(encoder.stdout, file)])
const code = await ended
if (code !== 0) throw new Error(`the encoder ended with ${code}`)
