/** Entity names of the characters 160 to 255, in order (XHTML 1.0, Latin-1 entities). */
const LATIN =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml'

/** Other entities: name, character, … (XHTML 1.0, special characters and symbols). */
const OTHERS =
  'OElig Œ oelig œ Scaron Š scaron š Yuml Ÿ fnof ƒ circ ˆ tilde ˜ ensp \u2002 emsp \u2003 thinsp \u2009 zwnj \u200c zwj \u200d lrm \u200e rlm \u200f ndash – mdash — lsquo ‘ rsquo ’ sbquo ‚ ldquo “ rdquo ” bdquo „ dagger † Dagger ‡ bull • hellip … permil ‰ prime ′ Prime ″ lsaquo ‹ rsaquo › euro € trade ™ larr ← uarr ↑ rarr → darr ↓ harr ↔ lArr ⇐ rArr ⇒ hArr ⇔ minus − infin ∞ asymp ≈ ne ≠ equiv ≡ le ≤ ge ≥ radic √ sum ∑ prod ∏ part ∂ int ∫ forall ∀ exist ∃ empty ∅ nabla ∇ isin ∈ notin ∉ ni ∋ lowast ∗ prop ∝ ang ∠ and ∧ or ∨ cap ∩ cup ∪ there4 ∴ sim ∼ cong ≅ sub ⊂ sup ⊃ nsub ⊄ sube ⊆ supe ⊇ oplus ⊕ otimes ⊗ perp ⊥ sdot ⋅ lceil ⌈ rceil ⌉ lfloor ⌊ rfloor ⌋ loz ◊ spades ♠ clubs ♣ hearts ♥ diams ♦ oline ‾ frasl ⁄ crarr ↵ uArr ⇑ dArr ⇓ alpha α Alpha Α beta β Beta Β gamma γ Gamma Γ delta δ Delta Δ epsilon ε Epsilon Ε zeta ζ Zeta Ζ eta η Eta Η theta θ Theta Θ iota ι Iota Ι kappa κ Kappa Κ lambda λ Lambda Λ mu μ Mu Μ nu ν Nu Ν xi ξ Xi Ξ omicron ο Omicron Ο pi π Pi Π rho ρ Rho Ρ sigma σ Sigma Σ tau τ Tau Τ upsilon υ Upsilon Υ phi φ Phi Φ chi χ Chi Χ psi ψ Psi Ψ omega ω Omega Ω sigmaf ς thetasym ϑ upsih ϒ piv ϖ'.split(
    / /,
  )

const CHARACTERS = new Map<string, string>([
  ...LATIN.split(' ').map((name, index): [string, string] => [name, String.fromCharCode(160 + index)]),
  ...OTHERS.flatMap((name, index): [string, string][] => (index % 2 ? [] : [[name, OTHERS[index + 1]!]])),
])

/** Replaces HTML entities in XML with their characters. Unknown entities become literal text. */
export const unnamed = (xml: string): string =>
  xml.replace(/&(?!(?:amp|lt|gt|quot|apos);)([A-Za-z]\w{1,31});/g, (_, name) => CHARACTERS.get(name) ?? `&amp;${name};`)
