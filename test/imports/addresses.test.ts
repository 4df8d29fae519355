/** Public addresses, according to IANA's special-purpose address registries (RFC 6890). */
import { networkInterfaces } from 'node:os'
import t from 'tap'
import { createGate } from '../../kernel/imports/addresses.ts'

const gate = createGate([])

t.test('public addresses are allowed', async (t) => {
  const addresses = `1.1.1.1 8.8.8.8 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.1 172.15.255.255 172.32.0.0
    192.0.3.1 192.167.255.255 198.17.255.255 223.255.255.255 2606:4700::1111 2001:4860:4860::8888 2400:cb00::1`
  for (const address of addresses.split(/\s+/)) t.ok(gate(address), address)
})

t.test('all others are not', async (t) => {
  const refused: Record<string, string[]> = {
    'this network': ['0.0.0.0', '0.1.2.3', '::'],
    loopback: ['127.0.0.1', '127.255.255.254', '::1'],
    private: ['10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1', 'fc00::1', 'fd00:ec2::254'],
    'link-local': ['169.254.169.254', '169.254.0.1', 'fe80::1', 'febf::1', 'fec0::1'],
    'shared and provider': ['100.64.0.1', '100.100.100.200', '100.127.255.255', '192.0.0.192', '168.63.129.16'],
    documentation: ['192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1'],
    benchmarks: ['198.18.0.1', '198.19.255.255', '2001:2::1'],
    'multicast and reserved': ['224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255', 'ff02::1', '5f00::1'],
    'IPv4 in IPv6, mapped or compatible': ['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:8.8.8.8', '::127.0.0.1'],
    'IPv4 in IPv6, translated': ['::ffff:0:127.0.0.1', '64:ff9b::7f00:1', '64:ff9b::808:808', '64:ff9b:1::7f00:1'],
    '6to4, its relays, Teredo': ['2002:7f00:1::', '2002:808:808::1', '192.88.99.1', '2001:0:53aa:64c::'],
    'other parts of the IPv6 space': ['100::1', '200::1', '400::1', '4000::1', '8000::1', 'e000::1', '2001:20::1'],
    'no address at all': ['', 'localhost', '127.0.0.1:80', '[::1]', 'fe80::1%eth0', '1.2.3.4/8'],
  }
  for (const [kind, addresses] of Object.entries(refused)) {
    for (const address of addresses) t.notOk(gate(address), `${kind}: ${address}`)
  }
})

t.test('addresses of this machine are not allowed, even if they are public', async (t) => {
  const own = Object.values(networkInterfaces()).flatMap((all) => all ?? [])
  t.ok(own.length > 0)
  for (const { address } of own) t.notOk(gate(address), address)
})

t.test('an operator can allow networks', async (t) => {
  const open = createGate(['10.1.0.0/16', '127.0.0.1', 'fd00::/8', '::1'])
  for (const address of ['10.1.2.3', '127.0.0.1', 'fd12::1', '::1', '::ffff:127.0.0.1', '8.8.8.8']) {
    t.ok(open(address), address)
  }
  for (const address of ['10.2.0.1', '127.0.0.2', 'fc00::1', '::2', '::ffff:127.0.0.2', '169.254.169.254']) {
    t.notOk(open(address), address)
  }
})
