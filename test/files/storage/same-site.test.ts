import t from 'tap'
import { isSameSite } from '../../../kernel/files/storage/open.ts'

t.test('hosts of one site, and of two', async (t) => {
  const same = [
    'a.example.org b.example.org',
    'example.org a.b.example.org',
    'A.example.org. b.example.org',
    'a.b b',
    '127.0.0.1 127.0.0.1',
    '[::1] ::1',
    'localhost localhost',
    'a.co.uk b.co.uk',
  ]
  const different = [
    'a.example.org a.example.net',
    'convert.example.org s3.amazonaws.com',
    'minio athanor',
    '10.0.0.1 192.168.0.1',
    '127.0.0.1 localhost',
    'example.org [::1]',
    'myexample.org example.org',
  ]
  for (const [pairs, expected] of [[same, true] as const, [different, false] as const]) {
    for (const pair of pairs) {
      const [one, other] = pair.split(' ') as [string, string]
      t.strictSame([isSameSite(one, other), isSameSite(other, one)], [expected, expected], pair)
    }
  }
})
