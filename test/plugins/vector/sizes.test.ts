/** SVG whose own size is absurd. */
import sharp from 'sharp'
import t from 'tap'
import { workshop } from './workshop.ts'

t.setTimeout(60 * 60_000)

const { convert, failure, ...rest } = await workshop()
t.teardown(() => rest[Symbol.asyncDispose]())

const svg = (
  root: string,
  content = '<rect width="40" height="40" fill="red"/><rect x="40" width="40" height="40"/>',
) => `<svg xmlns="http://www.w3.org/2000/svg" ${root}>${content}</svg>`
const relative = '<rect width="50%" height="100%" fill="red"/>'

/** Size at 96 dpi, and whether the left half is red and the right half is not. */
async function seen(drawing: string, to = 'png') {
  const { bytes } = await convert(drawing, 'svg', to)
  const png = to === 'png' ? bytes : (await convert(bytes, to, 'png')).bytes
  const { width, height } = await sharp(png).metadata()
  const { data } = await sharp(png)
    .flatten({ background: '#fff' })
    .resize(4, 2, { fit: 'fill' })
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const red = [3, 6].map((at) => data[at]! > 150 && data[at + 1]! < 100)
  return [Math.round((width! * 96) / 150), Math.round((height! * 96) / 150), ...red]
}

const box = 'viewBox="0 0 80 40"'
const asContent = [80, 40, true, false]

for (const size of [
  'width="1e9" height="5e8"',
  'width="-80" height="-40"',
  'width="NaN" height="tall"',
  'width="0" height="0"',
])
  t.test(size, async (t) => {
    t.same(await seen(svg(`${size} ${box}`)), asContent, 'the view box counts')
    t.same(await seen(svg(`${size} ${box}`), 'pdf'), asContent, 'also in PDF')
    t.same(await seen(svg(size)), asContent, 'else the content')
    t.same(await seen(svg(size, relative)), [300, 150, true, false], 'which depends on the size')
  })

t.test('view boxes', async (t) => {
  t.same(await seen(svg(box)), asContent)
  t.same(await seen(svg(`width="100%" height="100%" ${box}`)), asContent)
  t.same(await seen(svg('viewBox="0 0 1e9 5e8"', relative)), [1024, 512, true, false])
  for (const wrong of ['0 0 0 0', '0 0 -80 40', '0 0 NaN 40', 'none'])
    t.same(await seen(svg(`viewBox="${wrong}"`)), asContent, wrong)
})

t.test('sizes that somebody can mean stay', async (t) => {
  t.same(await seen(svg(`width="200mm" height="100mm" ${box}`)), [756, 378, true, false])
  t.same((await failure(svg(`width="90000" height="45000" ${box}`), 'svg', 'png')).code, 'RESOURCE_LIMIT')
  const gradient = '<defs><linearGradient id="g" x1="0%" x2="100%"><stop/></linearGradient></defs>'
  t.same(
    await seen(svg('', `${gradient}<rect width="80" height="40" fill="red"/><rect x="40" width="40" height="40"/>`)),
    asContent,
  )
})
