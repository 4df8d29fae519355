/** Sizes in points. */
const papers = '/letter [612 792] /legal [612 1008] /tabloid [792 1224] /a3 [842 1191] /a4 [595 842] /a5 [420 595]'

const program = (file: string) => `16 dict begin
/papers << ${papers} >> def /size null def /box null def /begun false def
/words {[ exch {token not {exit} if exch} loop ]} def
/small {127 string cvs 0 1 2 index length 1 sub {
  1 index exch 2 copy get dup 65 ge 1 index 90 le and {32 add} if put
} for} def
/field {text exch anchorsearch {pop words exch exec} {pop pop} ifelse} def
/margin {dup 0 lt {pop 0} if} def
/look {
  {1 2 getinterval /size exch def} (%%DocumentMedia:) field
  {0 get small cvn papers exch get size null eq {/size exch def} if} (%%DocumentPaperSizes:) field
  {box null eq {/box exch def} {pop} ifelse} (%%BoundingBox:) field
} def
{
  /source ${file} (r) file def /line 65535 string def
  {
    100 {
      source line readline not {exit} if
      dup (%%EndComments) eq {exit} if
      dup (%) anchorsearch {pop pop /begun true def} {pop begun {exit} if} ifelse
      /text exch def {look} stopped {clear} if
    } repeat
  } stopped {clear} if
  size null eq box null ne and {
    box aload pop /top exch def /right exch def
    right 595.5 gt top 842.5 gt or {
      top exch margin add right 3 -1 roll margin add exch 2 array astore /size exch def
    } if
  } if
  size {dup 9 lt exch 14400 gt or {stop} if} forall
  << /PageSize size >> setpagedevice
} stopped clear end`

/**
 * PostScript that sets the size of the page by the comments at the head of a file (Adobe's Document Structuring
 * Conventions 3.0, §5), for programs that set none: that of the medium or paper, else of a bounding box larger than A4.
 * The head ends before the first line that is no comment; lines for a printer may stand before it.
 *
 * @param file A PostScript string: the path of the file.
 */
export const setPaper = (file: string): string => program(file).replaceAll(/\s+/g, ' ')
