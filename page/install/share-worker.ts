/**
 * The service worker. It takes the files that people share with the installed page. Everything else goes to the
 * service.
 */
import { keepShared } from './shared-files.ts'

interface FetchEvent extends Event {
  request: Request
  respondWith(answer: Promise<Response>): void
}

const at = (path: string) => new URL(path, location.href).href

async function receive(request: Request): Promise<Response> {
  const files = (await request.formData()).getAll('files').filter((value) => value instanceof File)
  await keepShared(at('shared/'), files)
  return Response.redirect(at('../#shared'), 303)
}

// A new version need not wait: no page depends on the old one.
addEventListener('install', () => void (globalThis as unknown as { skipWaiting(): Promise<void> }).skipWaiting())
addEventListener('fetch', (event) => {
  const { request, respondWith } = event as FetchEvent
  if (request.method === 'POST' && request.url === at('share')) respondWith.call(event, receive(request))
})
