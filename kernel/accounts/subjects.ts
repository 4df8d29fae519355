/** Converts subjects of a record to its column `charged_to`, separated by spaces, and back; null: none. */
export const readSubjects = (charged_to: string | null): string[] => inOrder(charged_to?.split(' ') ?? [])

/** Sorts subjects in the order in which their rows are changed, so that transactions cannot deadlock. */
export const inOrder = (subjects: readonly string[]): string[] => subjects.toSorted()
