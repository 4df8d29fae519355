/** Fields of an object that another program sent: any of them can be missing, or of another type. */
export type Fields = Readonly<Partial<Record<string, unknown>>>

/** Returns the fields of a value; none if it is not an object. */
export const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? { ...value } : {})
