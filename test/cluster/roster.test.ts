/** What a node knows of the others. */
import t from 'tap'
import { writeReport } from '../../kernel/cluster/abilities.ts'
import { createRoster, sumPlaces } from '../../kernel/cluster/roster.ts'
import type { LivingNode } from '../../kernel/database/tables/nodes.ts'

const tool = (engine: string, pair: string) => {
  const [fromFormat, toFormat] = pair.split('>') as [string, string]
  return { engine, fromFormat, toFormat }
}
const pictures = writeReport([tool('sharp', 'png>webp'), tool('sharp', 'png>jpg'), tool('magick', 'bmp>webp')])
const all = writeReport([tool('magick', 'png>webp'), tool('ffmpeg', 'wav>mp3')])
const reports = new Map([pictures, all].map(({ abilities, abilities_digest: digest }) => [digest!, abilities!]))

const node = (id: string, abilities_digest: string | null, lease = 1000, age = 0) =>
  ({ id, abilities_digest, lease, age, light_workers: 3, heavy_workers: 1 }) as LivingNode

t.test('nodes that can convert the same are one group, whose places add up', async (t) => {
  const { roster, update } = createRoster()
  const asked: (readonly string[])[] = []
  const look = (...nodes: LivingNode[]) =>
    update(nodes, async (groups) => {
      asked.push(groups)
      return new Map(groups.map((group) => [group, reports.get(group)!]))
    })
  let changes = 0
  roster.onOffered(() => void changes++)
  const picture = pictures.abilities_digest!
  const both = all.abilities_digest!
  t.not(picture, both)
  t.strictSame([roster.worksFor(), roster.offered().size], [0, 0])

  await look(node('a', picture, 1000, 60_000), node('b', picture), node('c', both), node('api', null, 1000, 90_000))
  t.strictSame(asked, [[picture, both]])
  t.strictSame([...roster.groups()].sort(), [picture, both].sort())
  t.strictSame(['b', 'c', 'api', 'none'].map(roster.groupOf), [picture, both, undefined, undefined])
  const ofPictures = { name: picture, nodes: 2, workers: { light: 6, heavy: 2 } }
  const ofAll = { name: both, nodes: 1, workers: { light: 3, heavy: 1 } }
  t.strictSame(roster.takersOf('png>webp'), [ofPictures, ofAll])
  t.strictSame(roster.takersOf('png>jpg'), [ofPictures])
  t.strictSame(roster.takersOf('stl>obj'), [])
  t.ok(roster.worksFor() >= 60_000 && roster.worksFor() < 90_000, 'one that only serves clients does not count')
  const first = [picture, both].sort()[0] === picture ? 'sharp' : 'magick'
  t.equal(roster.offered().get('png>webp'), first, 'the engine of the first group')
  t.strictSame([...roster.offered().keys()].sort(), ['bmp>webp', 'png>jpg', 'png>webp', 'wav>mp3'])

  await look(node('a', picture), node('c', both, 0))
  t.equal(changes, 1, 'the same is offered: one that was here may come back')
  t.strictSame(roster.takersOf('wav>mp3'), [], 'but runs nothing')
  t.strictSame(roster.takersOf('png>jpg'), [{ ...ofPictures, nodes: 1, workers: ofAll.workers }])

  await look(node('a', picture))
  t.equal(changes, 2)
  t.notOk(roster.offered().has('wav>mp3'))
  await look(node('c', both, 0))
  t.strictSame(asked, [[picture, both], [both]], 'reports of groups that were gone are read again, others are kept')
  t.equal(roster.worksFor(), 0)
})

t.test('places add up', async (t) => {
  t.strictSame(sumPlaces([]), { light: 0, heavy: 0 })
  t.strictSame(sumPlaces([node('a', null), node('b', null)]), { light: 6, heavy: 2 })
})
