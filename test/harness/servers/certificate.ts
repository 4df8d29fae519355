import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

/**
 * Writes a key and a certificate for this machine, and for the host of the examples, into `folder`, valid for two days.
 * Undefined without openssl.
 */
export function makeCertificate(folder: string): { key: string; cert: string } | undefined {
  const key = join(folder, 'key.pem')
  const cert = join(folder, 'cert.pem')
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1,DNS:convert.example.org']
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', cert, '-days', '2']
  return spawnSync('openssl', [...request, ...subject]).status === 0 ? { key, cert } : undefined
}
