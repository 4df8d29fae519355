/** Subjects that a record was charged to, as its column `charged_to` has them: with spaces between; null: none. */
export const readSubjects = (charged_to: string | null): string[] => inOrder(charged_to?.split(' ') ?? [])

/** Subjects in the one order in which their rows are changed: so transactions never wait for each other in a circle. */
export const inOrder = (subjects: readonly string[]): string[] => subjects.toSorted()
