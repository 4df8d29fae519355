/** Loaded into a service by --import: SIGUSR2 sets its clock an hour forward, SIGWINCH an hour back. */
const HOUR = 3_600_000
const real = Date.now
let offset = 0
const RealDate = Date
globalThis.Date = class extends RealDate {
  constructor(...given) {
    super(...(given.length ? given : [real() + offset]))
  }
  static now() {
    return real() + offset
  }
}
process.on('SIGUSR2', () => {
  offset += HOUR
})
process.on('SIGWINCH', () => {
  offset -= HOUR
})
