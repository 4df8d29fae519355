import type { Family } from '../family.ts'

const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml'
const open = 'application/vnd.oasis.opendocument'
const flat = (kind: string) => ({ root: 'document', attributes: new RegExp(`opendocument\\.${kind}`) })

/** Word processor documents. */
export const texts = {
  docx: { mime: `${word}.document`, zip: { main: ['wordprocessingml.document.main+xml'] } },
  doc: {
    mime: 'application/msword',
    signatures: ['\xdb\xa5\x2d\0', '\x9b\xa5\x21\0'],
    xml: { root: 'worddocument', attributes: /http:\/\/schemas\.microsoft\.com\/office\/word\/2003\/wordml/ },
  },
  docm: {
    mime: 'application/vnd.ms-word.document.macroEnabled.12',
    zip: { main: ['ms-word.document.macroenabled.main+xml', 'ms-word.template.macroenabledtemplate.main+xml'] },
  },
  dotx: { mime: `${word}.template`, zip: { main: ['wordprocessingml.template.main+xml'] } },
  dot: { mime: 'application/msword-template' },
  odt: { mime: `${open}.text`, zip: { types: [`${open}.text`, `${open}.text-master`] } },
  ott: { mime: `${open}.text-template`, zip: { types: [`${open}.text-template`] } },
  fodt: { mime: `${open}.text-flat-xml`, xml: flat('text') },
  rtf: { mime: 'application/rtf', signatures: ['{\\rtf'], marks: [/^\{\\rtf/], fileType: 'rtf' },
} satisfies Family

/** Documents of old programs, and of Hangul. */
export const olderTexts = {
  wpd: { mime: 'application/vnd.wordperfect', label: 'WordPerfect', signatures: ['\xffWPC'] },
  wps: { mime: 'application/vnd.ms-works', label: 'Works' },
  wri: { mime: 'application/x-mswrite', label: 'Windows Write', signatures: ['\x31\xbe\0\0', '\x32\xbe\0\0'] },
  hwp: {
    mime: 'application/x-hwp',
    aliases: ['hwpx'],
    signatures: ['HWP Document File'],
    zip: { types: ['application/hwp+zip'] },
  },
  sxw: {
    mime: 'application/vnd.sun.xml.writer',
    zip: {
      types: [
        'application/vnd.sun.xml.writer',
        'application/vnd.sun.xml.writer.template',
        'application/vnd.sun.xml.writer.global',
      ],
    },
  },
} satisfies Family
