import type { Family } from '../family.ts'

const powerPoint = 'application/vnd.openxmlformats-officedocument.presentationml'
const open = 'application/vnd.oasis.opendocument.presentation'

const wanted = ['pdf', 'pptx', 'jpg', 'png', 'odp', 'ppt', 'html', 'txt', 'md', 'ppsx']

/** Presentations. */
export const slides = {
  pptx: { mime: `${powerPoint}.presentation`, zip: { main: ['presentationml.presentation.main+xml'] }, wanted },
  ppt: { mime: 'application/vnd.ms-powerpoint', wanted },
  pptm: {
    mime: 'application/vnd.ms-powerpoint.presentation.macroEnabled.12',
    zip: {
      main: [
        'ms-powerpoint.presentation.macroenabled.main+xml',
        'ms-powerpoint.slideshow.macroenabled.main+xml',
        'ms-powerpoint.template.macroenabled.main+xml',
      ],
    },
    wanted,
  },
  ppsx: { mime: `${powerPoint}.slideshow`, zip: { main: ['presentationml.slideshow.main+xml'] }, wanted },
  pps: { mime: 'application/vnd.ms-powerpoint-show', wanted },
  potx: { mime: `${powerPoint}.template`, zip: { main: ['presentationml.template.main+xml'] }, wanted },
  odp: { mime: open, zip: { types: [open, `${open}-template`] }, wanted },
  fodp: { mime: `${open}-flat-xml`, xml: { root: 'document', attributes: /opendocument\.presentation/ }, wanted },
} satisfies Family
