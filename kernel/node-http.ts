/**
 * What the service itself uses of `node:http`. An ES import of that module, also by a package, reads its `WebSocket`. With it
 * come the classes of `fetch`, which take 1.4 MB, and time at the start.
 */
export const { createServer, IncomingMessage, request, STATUS_CODES } = process.getBuiltinModule('node:http')
