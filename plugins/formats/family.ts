import type { Format } from '../../kernel/contract.ts'

/** A format that ships, with what the readers of containers look up to tell it from its neighbours. */
export interface OwnFormat extends Format {
  /** Major brands of an ISO base media file (ISO 14496-12 §4.3, mp4ra.org). */
  brands?: readonly string[]
  /** In a zip: the content of its member `mimetype`, or content types of its main part (ECMA-376 part 1, §15.2). Lower case. */
  zip?: { readonly types?: readonly string[]; readonly main?: readonly string[] }
  /** The XML document's root, lower case, and what its attributes say where the root alone is not enough. */
  xml?: { readonly root: string; readonly attributes?: RegExp }
  /** For a camera's raw that is a TIFF: the tag of that name, and compressions that only raws have. */
  tiff?: { readonly maker?: RegExp; readonly compressions?: readonly number[] }
  /** What the package file-type calls it, where its rule is a signature that text cannot have by chance. */
  fileType?: string
}

/** Formats of one family by canonical extension. */
export type Family = Readonly<Record<string, OwnFormat>>

/** What the contract knows of these formats, for a plugin's manifest. */
export function declared(...families: readonly Family[]): Record<string, Format> {
  const formats = families.flatMap((family) => Object.entries(family))
  return Object.fromEntries(
    formats.map(([extension, { brands: _b, zip: _z, xml: _x, tiff: _t, fileType: _f, ...format }]) => [
      extension,
      format,
    ]),
  )
}

/** The extensions of a family, in its order. */
export const extensions = (...families: readonly Family[]): string[] =>
  families.flatMap((family) => Object.keys(family))

/** A list without some of its extensions. */
export const without = (list: readonly string[], ...left: readonly string[]): string[] =>
  list.filter((extension) => !left.includes(extension))

/** Pairs of what a property of the formats lists and the format that it means. */
export function listed<Item>(
  family: Family,
  read: (format: OwnFormat) => readonly Item[] | undefined,
): [Item, string][] {
  return Object.entries(family).flatMap(([extension, format]) =>
    (read(format) ?? []).map((item): [Item, string] => [item, extension]),
  )
}
