/**
 * What operators read in a terminal. Users wrote parts of it, such as names of keys. A terminal obeys control
 * characters: they can change lines above, show other text than there is, and on some terminals run commands. So all
 * output of the operator's commands, every line of the log and each error of a start pass through here.
 */

/** Control characters, also those of C1; characters that reorder or hide text; separators of lines. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** Escapes what a terminal would not show, line breaks too, as JSON does: `\u001b`. */
export const escapeLine = (text: string): string =>
  text.replace(UNPRINTABLE, (character) => character.split('').map(escapeUnit).join(''))

const escapeUnit = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Escapes what a terminal would not show, except line breaks. JSON text stays JSON of the same value. */
export const escapeLines = (text: string): string => text.split('\n').map(escapeLine).join('\n')

/** Prints a line on standard output. */
export const printLine = (line: string): void => console.log(escapeLine(line))

/** Prints JSON text on standard output. */
export const printJson = (json: string): void => console.log(escapeLines(json))

/** Prints a message on standard error. It may have several lines. */
export const printError = (message: string): void => console.error(escapeLines(message))
