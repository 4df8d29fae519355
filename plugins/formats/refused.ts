import type { Refusal, Signature } from '../../kernel/contract.ts'
import { executable, font, sqlite, unsupported, unsupportedSound } from './refusals.ts'

/** Signatures of files that are refused. */
export const refusedSignatures: readonly [Signature, Refusal][] = [
  ['\x7fELF', executable],
  ['\xfe\xed\xfa\xce', executable],
  ['\xfe\xed\xfa\xcf', executable],
  ['\xce\xfa\xed\xfe', executable],
  ['\xcf\xfa\xed\xfe', executable],
  ['\xca\xfe\xba\xbe', executable],
  ['dex\n0', executable],
  ['\0asm', executable],
  ['wOFF', font],
  ['wOF2', font],
  ['OTTO\0', font],
  ['ttcf\0', font],
  ['true\0', font],
  ['typ1\0', font],
  ['%!PS-AdobeFont', font],
  ['%!FontType1', font],
  ['\x01fcp', font],
  ['STARTFONT 2', font],
  ['SplineFontDB:', font],
  ['SQLite format 3\0', sqlite],
  ['\0\x01\0\0Standard ', unsupported('Access')],
  ['MP+', unsupportedSound('Musepack')],
  ['MPCK', unsupportedSound('Musepack')],
  ['tBaK', unsupportedSound('TAK')],
  ['(DWF V', unsupported('DWF')],
  [/^\x80\x01....%!/s, font],
]

/** Beginnings of texts that are refused. */
export const refusedMarks: readonly [RegExp, Refusal][] = [
  [/^(STARTFONT 2|SplineFontDB:|%!PS-AdobeFont|%!FontType1)/, font],
  [/^#VRML V[12]\.0 /, unsupported('VRML')],
  [/^#Inventor V[12]\.[01] /, unsupported('Open Inventor')],
]
