import { extensions, type Family } from '../family.ts'

const wanted = ['pdf', 'html', 'txt', 'docx', 'md', 'rtf']

/** Email. */
export const mails = {
  eml: { mime: 'message/rfc822', text: 'marked', wanted },
  msg: { mime: 'application/vnd.ms-outlook', wanted },
} satisfies Family

/** All email formats. */
export const mail = extensions(mails)
