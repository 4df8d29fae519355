/** SQL that compares the column `subject` with as many values as there are subjects: one or two. */
export const isOneOf = (subjects: readonly string[]): string => `subject in (${subjects.map(() => '?').join(', ')})`
