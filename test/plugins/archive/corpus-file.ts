import { join, resolve } from 'node:path'

const corpus = resolve(process.env.ATHANOR_CORPUS ?? join(import.meta.dirname, '../../../../shared/corpus'))

/** Returns the path of a real file of the corpus, if it exists. */
export const corpusFile = (name: string) => join(corpus, 'video-audio-archive', name)
