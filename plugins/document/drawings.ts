import type { Route } from '../../kernel/contract.ts'
import { model, plan } from '../formats/model/models.ts'
import type { DocumentOptions } from './options.ts'

/** Drawings and models, on a page of their size. */
export const drawings: Route<DocumentOptions>[] = [
  {
    from: [...plan, 'fig', ...model],
    to: ['pdf'],
    via: 'svg',
  },
]
