/// <reference types="node" preserve="true" />
// External authors get this file as declarations, and nothing else there provides the type of Buffer.
/**
 * The part of the contract that describes file formats and their detection. Types only: importing this file runs
 * nothing.
 */

/** A file under detection. Its first bytes are in memory; reading more is limited by a budget. */
export interface Source {
  /** Bytes. */
  readonly size: number
  /** The first 64 KiB, or all of a smaller file. */
  readonly head: Buffer
  /** The beginning as text; undefined if the bytes are not text. */
  readonly text?: Text
  /**
   * Resolves to at most `length` bytes from `offset`: fewer at the end of the file, none beyond it.
   * @throws RangeError if the read budget of the file is spent.
   */
  read(offset: number, length: number): Promise<Buffer>
}

/** The decoded beginning of a text. Letters of 8-bit and East Asian character sets are decoded as Latin-1. */
export interface Text {
  /** The text of the head. */
  readonly start: string
  /** `start` without byte order mark and leading white space. */
  readonly body: string
  /** Whether `start` is the whole file. */
  readonly whole: boolean
  /** The last 4 KiB as Latin-1, or `start` if that is the whole file. */
  readonly tail: string
}

/** A known kind of file that the service never converts. The phrase tells the client why. */
export interface Refusal {
  refused: string
}

/** A canonical extension, or a refusal. */
export type Verdict = string | Refusal

/**
 * Tests a file for some formats. `hint` is the canonical extension that the file name suggests, or ''. If the function
 * throws, it has found nothing.
 */
export type Look = (file: Source, hint: string) => Promise<Verdict | undefined> | Verdict | undefined

/** Bytes at the start of a file, or at an offset, as Latin-1; or a pattern for the first 64 bytes as Latin-1. */
export type Signature = string | RegExp | { readonly bytes: string; readonly at: number }

/**
 * One step of detection. Steps run in order, and the first verdict wins.
 *
 * `when` selects the files: `bytes` for files that are not text, `text` for texts, `any` for both, `unnamed` for texts
 * whose name does not suggest a plain text format.
 */
export type Recogniser = { readonly when: 'bytes' | 'text' | 'any' | 'unnamed' } & (
  | { readonly look: Look /** A cheap test that must pass first. */; readonly starts?: (head: Buffer) => boolean }
  | { readonly signatures: readonly (readonly [signature: Signature, verdict: Verdict])[] }
  /** Patterns for the beginning of a text, `Text.body`. */
  | { readonly marks: readonly (readonly [mark: RegExp, verdict: Verdict])[] }
)

/** A file format. It belongs to the category of the plugin that declares it. */
export interface Format {
  /** Media type, from the IANA registry if registered there. */
  mime: string
  /** Name for people. Default: the extension in capitals. */
  label?: string
  /** Other extensions of the same format, e.g. `jpeg` for `jpg`. Lower case. Clients may use them. */
  aliases?: readonly string[]
  /** Further extensions that hint at the format when a file is uploaded. Clients may not use them. */
  hints?: readonly string[]
  /** Bytes that identify only this format. */
  signatures?: readonly Signature[]
  /** Patterns for the start of a text in this format, after leading white space. */
  marks?: readonly RegExp[]
  /**
   * Recognises the format by the first 64 KiB, if signatures and marks are not enough. External plugins run before the
   * bundled formats.
   */
  sniff?: (head: Uint8Array) => boolean
  /** Set for text formats. `plain`: the content has no marks, so the extension of a text file's name decides. */
  text?: 'plain' | 'marked'
  /** Whether a result with this beginning has the format, even if detection would name a more specific one. */
  holds?: (head: Uint8Array) => boolean
  /** Suggested targets for this source, most wanted first. Default: the category's `wanted`. */
  wanted?: readonly string[]
}
