import type { Format } from '../../kernel/contract.ts'

/** A bundled format, with the properties by which it is identified inside containers. */
export interface OwnFormat extends Format {
  /** Major brands of an ISO base media file (ISO 14496-12 §4.3, mp4ra.org). */
  brands?: readonly string[]
  /**
   * In a zip: the content of its member `mimetype`, or content types of its main part (ECMA-376 part 1, §15.2). Lower
   * case.
   */
  zip?: { readonly types?: readonly string[]; readonly main?: readonly string[] }
  /** The root element of the XML document in lower case, and a pattern for its attributes if the root is ambiguous. */
  xml?: { readonly root: string; readonly attributes?: RegExp }
  /** For camera raw files based on TIFF: a pattern for the tag Make, and compressions that only raw files have. */
  tiff?: { readonly maker?: RegExp; readonly compressions?: readonly number[] }
  /** Its name in the package file-type, if its rule is a signature that text cannot contain by chance. */
  fileType?: string
}

/** Formats of one family by canonical extension. */
export type Family = Readonly<Record<string, OwnFormat>>

/** The formats with the contract's properties only, for a plugin's manifest. */
export function declared(...families: readonly Family[]): Record<string, Format> {
  const formats = families.flatMap((family) => Object.entries(family))
  return Object.fromEntries(
    formats.map(([extension, { brands: _b, zip: _z, xml: _x, tiff: _t, fileType: _f, ...format }]) => [
      extension,
      format,
    ]),
  )
}

/** The extensions of families, in order. */
export const extensions = (...families: readonly Family[]): string[] =>
  families.flatMap((family) => Object.keys(family))

/** A list without some of its extensions. */
export const without = (list: readonly string[], ...left: readonly string[]): string[] =>
  list.filter((extension) => !left.includes(extension))

/** Pairs of each item in a list property and the format that has it. */
export function listed<Item>(
  family: Family,
  read: (format: OwnFormat) => readonly Item[] | undefined,
): [Item, string][] {
  return Object.entries(family).flatMap(([extension, format]) =>
    (read(format) ?? []).map((item): [Item, string] => [item, extension]),
  )
}
