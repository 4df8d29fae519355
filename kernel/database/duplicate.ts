/** Whether a statement failed because a row with the same unique key exists. */
export function isDuplicate(error: unknown): boolean {
  const { code } = error as { code?: string }
  return code === 'ER_DUP_ENTRY' || /^SQLITE_CONSTRAINT_(PRIMARYKEY|UNIQUE)$/.test(code ?? '')
}
