import { program } from '../fixtures/program.ts'
import type { Drawn } from './metafile.ts'

const attributes = (tag: string) =>
  Object.fromEntries([...tag.matchAll(/([\w:-]+)="([^"]*)"/g)].map(([, name, value]) => [name!, value!]))

const centimetres = (length = '') => {
  const [, number, unit] = /^(-?[\d.]+)(cm|mm|in)$/.exec(length) ?? []
  if (!number) throw new Error(`a length of "${length}"`)
  return Number(number) * { cm: 1, mm: 0.1, in: 2.54 }[unit as 'cm' | 'mm' | 'in']
}

/** Colours of areas and lines, and line widths in centimetres, by the name of an automatic style. */
function looks(content: string) {
  const styles = content.matchAll(/<style:style style:name="([^"]*)" style:family="graphic"[\s\S]*?<\/style:style>/g)
  return new Map(
    [...styles].map(([text, name]) => {
      const style = attributes(/<style:graphic-properties[^>]*>/.exec(text)?.[0] ?? '')
      const fill = style['draw:fill'] === 'solid' ? style['draw:fill-color'] : 'none'
      const clear = style['draw:opacity'] ? ` fill-opacity="${style['draw:opacity']}"` : ''
      const width = style['svg:stroke-width'] ? centimetres(style['svg:stroke-width']) : 0.01
      const line = style['draw:stroke'] === 'solid' ? style['svg:stroke-color'] : 'none'
      return [name!, { paint: `fill="${fill}"${clear} stroke="${line}" stroke-linejoin="round"`, width }]
    }),
  )
}

/**
 * Parses an OpenDocument drawing of one page without the program that wrote it (OpenDocument 1.3 part 3, §10.3):
 * returns its paths and polygons as SVG. Throws if it contains pictures or other shapes.
 */
export async function openDrawing(path: string): Promise<Drawn> {
  const member = async (name: string) => (await program('unzip', '-p', path, name)).toString()
  const [content, styles] = await Promise.all([member('content.xml'), member('styles.xml')])
  if (content.split('<draw:page ').length !== 2) throw new Error('not one page')
  if (/<draw:(image|frame|object)\b/.test(content)) throw new Error('a picture instead of shapes')
  const page = attributes(/<style:page-layout-properties[^>]*>/.exec(styles)![0])
  const width = centimetres(page['fo:page-width'])
  const height = centimetres(page['fo:page-height'])
  const look = looks(content)
  const shapes = [...content.matchAll(/<draw:(path|polygon|polyline)\b[^>]*>/g)].map(([tag, kind]) => {
    const shape = attributes(tag)
    if (shape['draw:transform']) throw new Error('a shape that is turned')
    const [left, top, across, down] = shape['svg:viewBox']!.split(' ').map(Number) as [number, number, number, number]
    const { paint, width: line } = look.get(shape['draw:style-name']!)!
    const scales = [centimetres(shape['svg:width']) / (across || 1), centimetres(shape['svg:height']) / (down || 1)]
    const place = `translate(${centimetres(shape['svg:x'])} ${centimetres(shape['svg:y'])}) scale(${scales}) translate(${-left} ${-top})`
    const drawn = kind === 'path' ? `<path d="${shape['svg:d']}"` : `<${kind} points="${shape['draw:points']}"`
    return `<g transform="${place}">${drawn} ${paint} stroke-width="${line / scales[0]!}" fill-rule="evenodd"/></g>`
  })
  if (shapes.length === 0) throw new Error('a drawing without shapes')
  const size = `width="${width * 100}" height="${height * 100}" viewBox="0 0 ${width} ${height}"`
  return {
    svg: `<svg xmlns="http://www.w3.org/2000/svg" ${size}>${shapes.join('')}</svg>`,
    width: width / 2.54,
    height: height / 2.54,
  }
}
