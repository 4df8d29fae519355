import { sample } from './test/fixtures/samples.ts'

console.log((await sample('svg')).path, (await sample('pdf')).path, (await sample('stl')).path)
process.exit(0)
