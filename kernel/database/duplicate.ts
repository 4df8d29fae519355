/** Whether a statement failed since a row with such a unique key exists already. */
export function isDuplicate(error: unknown): boolean {
  const { code } = error as { code?: string }
  return code === 'ER_DUP_ENTRY' || /^SQLITE_CONSTRAINT_(PRIMARYKEY|UNIQUE)$/.test(code ?? '')
}
