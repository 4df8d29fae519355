import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

/** A key and a certificate for this machine, written into `folder`, good for two days; undefined without openssl. */
export function makeCertificate(folder: string): { key: string; cert: string } | undefined {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1']
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', cert, '-days', '2']
  return spawnSync('openssl', [...request, ...subject]).status === 0 ? { key, cert } : undefined
}
