import { sample } from './test/fixtures/samples.ts'
for (const f of ['step','iges','brep','fcstd','scad']) console.log((await sample(f)).path)
process.exit(0)
