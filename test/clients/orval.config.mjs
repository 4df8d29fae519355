/** Only the configuration tells orval the paths of the document and of the service. */
export default {
  athanor: {
    input: process.env.DOCUMENT,
    output: { target: process.env.OUTPUT, client: 'fetch', baseUrl: process.env.BASE_URL },
  },
}
