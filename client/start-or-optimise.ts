/**
 * Starts a conversion; a file that has the format already is optimised.
 *
 * @param start Sends the request, with these fields in addition. @throws AthanorError as `start`.
 */
export async function startOrOptimise<Started>(
  start: (intent: { jobIntent?: 'transform' }) => Promise<Started>,
): Promise<Started> {
  try {
    return await start({})
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'SAME_FORMAT_NOOP') throw error
    return start({ jobIntent: 'transform' })
  }
}
