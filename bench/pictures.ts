import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'

/** Pictures in the sizes of the goals, made of blurred noise over a gradient: they compress like photographs. */
export async function makePictures(folder: string) {
  const paint = async (width: number, height: number) => {
    const noise = { type: 'gaussian' as const, mean: 128, sigma: 40 }
    const grain = await sharp({ create: { width, height, channels: 3, background: '#000', noise } })
      .blur(1.2)
      .png()
      .toBuffer()
    const sky = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><defs><linearGradient id="a" x2="1" y2="1"><stop stop-color="#246"/><stop offset="1" stop-color="#fc8"/></linearGradient></defs><rect width="100%" height="100%" fill="url(#a)" opacity=".7"/></svg>`
    return sharp(grain).composite([{ input: Buffer.from(sky) }])
  }
  const png1 = join(folder, 'one.png')
  const jpg12 = join(folder, 'twelve.jpg')
  const svg = join(folder, 'drawing.svg')
  await (await paint(1250, 800)).png().toFile(png1)
  await (await paint(4000, 3000)).jpeg({ quality: 90 }).toFile(jpg12)
  const shapes = Array.from({ length: 900 }, (_, n) => {
    const x = (n * 37) % 1000
    const y = (n * 91) % 800
    const r = 5 + (n % 40)
    return `<circle cx="${x}" cy="${y}" r="${r}" fill="hsl(${n % 360} 70% 50%)" opacity=".5"/><path d="M${x} ${y}q40 ${r} 90 9t${r} 60" stroke="#123" fill="none"/>`
  })
  await writeFile(svg, `<svg xmlns="http://www.w3.org/2000/svg" width="1000" height="800">${shapes.join('')}</svg>`)
  return { png1, jpg12, svg }
}
