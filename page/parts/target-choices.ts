import type { Format } from '../../client/client.ts'
import type { State } from '../state/reducer.ts'

/** Targets under one heading: the suggested ones, or those of a category. */
export interface Group {
  /** `suggested`, or a category. */
  id: string
  formats: readonly string[]
}

/** The usual order of the categories; others follow. */
const CATEGORIES = ['image', 'document', 'video', 'audio', 'archive', 'vector', 'cad', 'ebook']

/**
 * Returns the targets that match a search, in groups: suggestions first, then by category, starting with the category
 * of the source. During a search there are no suggestions, so that each format is listed once.
 */
export function groupTargets(
  {
    targets,
    suggestions = [],
    category,
  }: { targets: readonly string[]; suggestions?: readonly string[]; category?: string },
  formats: State['formats'],
  query: string,
): Group[] {
  const wanted = query.trim().toLowerCase().replace(/^\./, '')
  const found = targets.filter((target) => !wanted || matches(formats.get(target), target, wanted))
  const suggested = wanted ? [] : suggestions.filter((target) => found.includes(target))
  const rank = (id: string) =>
    id === category ? -1 : CATEGORIES.includes(id) ? CATEGORIES.indexOf(id) : CATEGORIES.length
  const byCategory = Map.groupBy(found, (target) => formats.get(target)?.category ?? '')
  const groups = [...byCategory].sort(([a], [b]) => rank(a) - rank(b))
  return [
    ...(suggested.length ? [{ id: 'suggested', formats: suggested }] : []),
    ...groups.map(([id, list]) => ({
      id,
      formats: list.toSorted((a, b) => exactness(a, wanted) - exactness(b, wanted) || a.localeCompare(b)),
    })),
  ]
}

const matches = (format: Format | undefined, target: string, wanted: string) =>
  [target, ...(format?.aliases ?? [])].some((name) => name.includes(wanted)) ||
  (wanted.length > 2 && (format?.category.startsWith(wanted) || format?.mimeType.includes(wanted)))

/** Sorts the best matches first: the exact name, then names that begin with the search text. */
const exactness = (target: string, wanted: string) =>
  !wanted ? 0 : target === wanted ? 0 : target.startsWith(wanted) ? 1 : 2
