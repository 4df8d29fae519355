import { convertAsGotenberg, gotenbergError } from '../doors/gotenberg.ts'
import { endpoint, type Resource, SENT } from '../endpoint.ts'

/** The route of Gotenberg that document archives call. Off unless the operator opens it. */
export const gotenberg: Resource = {
  tag: 'Conversions',
  endpoints: [
    endpoint('POST', '/forms/libreoffice/convert', {
      id: 'convertAsGotenberg',
      authentication: 'optional',
      rate: 'conversions',
      alsoCountedAs: 'uploads',
      undocumented: true,
      foreignError: gotenbergError,
      summary: 'Convert documents to PDF as Gotenberg does',
      description: 'As the documentation of Gotenberg describes it.',
      body: { media: 'multipart/form-data', schema: { type: 'object' } },
      answer: { status: 200, description: 'One PDF, or a ZIP.', media: '*/*' },
      handle: async (kernel, { ctx, recheck }, edge) => {
        await convertAsGotenberg(kernel, edge, { ctx, recheck })
        return SENT
      },
    }),
  ],
}
