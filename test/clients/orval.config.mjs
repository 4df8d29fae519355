/** What orval is told by its configuration alone: where the document is, and where the service. */
export default {
  athanor: {
    input: process.env.DOCUMENT,
    output: { target: process.env.OUTPUT, client: 'fetch', baseUrl: process.env.BASE_URL },
  },
}
