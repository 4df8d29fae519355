/** What groups the operations in the OpenAPI document, with its description there. */
export const TAGS = {
  Files: 'Uploads and downloads.',
  Imports: 'Files from URLs and cloud providers.',
  Conversions: 'Conversions of single files and of batches.',
  Catalogue: 'What this installation can convert.',
  Accounts: 'Users, sign-in and API keys.',
  Teams: 'Accounts that share conversions.',
  Operating: 'For operators; never rate-limited.',
}

export type Tag = keyof typeof TAGS
