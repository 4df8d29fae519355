/** Reads the subjects of a record's column `charged_to`, which are separated by spaces; null: none. */
export const readSubjects = (charged_to: string | null): string[] => charged_to?.split(' ') ?? []
