/// <reference types="node" preserve="true" />
// Authors outside get this file as declarations, where nothing else would bring the type of Buffer.
/**
 * The part of the contract that describes file formats and how they are recognised. Types only: importing this file runs
 * nothing.
 */

/** A file under examination: its first bytes at hand, the rest within a budget. */
export interface Source {
  /** Bytes. */
  readonly size: number
  /** The first 64 KiB, or the whole of a smaller file. */
  readonly head: Buffer
  /** The beginning as text; undefined when the bytes are not text. */
  readonly text?: Text
  /**
   * Resolves to at most `length` bytes from `offset`: fewer at the end of the file, none outside of it.
   * @throws RangeError when the file has cost too much already.
   */
  read(offset: number, length: number): Promise<Buffer>
}

/** The beginning of a text, decoded. Letters of 8-bit and East Asian sets come out as Latin-1. */
export interface Text {
  /** The text of the head. */
  readonly start: string
  /** `start` without a byte order mark and leading white space. */
  readonly body: string
  /** Whether `start` is all of the file. */
  readonly whole: boolean
  /** The last 4 KiB as Latin-1, or `start` when that is all. */
  readonly tail: string
}

/** A kind of file that is known and never converted. The phrase tells a client why. */
export interface Refusal {
  refused: string
}

/** A canonical extension, or why there is none. */
export type Verdict = string | Refusal

/**
 * Looks at a file from one angle. `hint` is the canonical extension that the file's name suggests, or ''. A look that
 * throws has found nothing.
 */
export type Look = (file: Source, hint: string) => Promise<Verdict | undefined> | Verdict | undefined

/** Bytes at the start of a file, or at an offset, as Latin-1; or a pattern for its first 64 bytes as Latin-1. */
export type Signature = string | RegExp | { readonly bytes: string; readonly at: number }

/**
 * One step of detection. Steps are asked in order, and the first verdict wins.
 *
 * `when` says which files it is asked about: `bytes` those that are no text, `text` texts, `any` both, `unnamed` texts
 * whose name means no format of plain text.
 */
export type Recogniser = { readonly when: 'bytes' | 'text' | 'any' | 'unnamed' } & (
  | { readonly look: Look /** A cheap test that must pass first. */; readonly starts?: (head: Buffer) => boolean }
  | { readonly signatures: readonly (readonly [signature: Signature, verdict: Verdict])[] }
  /** Patterns for the beginning of a text, `Text.body`. */
  | { readonly marks: readonly (readonly [mark: RegExp, verdict: Verdict])[] }
)

/** A file format. It belongs to the one category whose plugin declares it. */
export interface Format {
  /** Its media type, by the IANA registry where it is registered. */
  mime: string
  /** How people write its name. Default: the extension in capitals. */
  label?: string
  /** Other extensions of the same format, e.g. `jpeg` for `jpg`. Lower case. Clients may use them. */
  aliases?: readonly string[]
  /** Further extensions that hint at the format when a file is uploaded. Clients may not use them. */
  hints?: readonly string[]
  /** Bytes that stand for this format alone. */
  signatures?: readonly Signature[]
  /** Patterns that a text of this format begins with, leading white space aside. */
  marks?: readonly RegExp[]
  /**
   * Recognises the format by the first 64 KiB, where signatures and marks are not enough. A plugin from outside is asked
   * before the formats that ship.
   */
  sniff?: (head: Uint8Array) => boolean
  /** Whether it is text; `plain`: nothing in it marks it, so a text whose name has its extension is believed. */
  text?: 'plain' | 'marked'
  /** Whether a result with this beginning is of the format, where detection would name a narrower one. */
  holds?: (head: Uint8Array) => boolean
  /** Targets that people want from this source, most wanted first. Default: the category's `wanted`. */
  wanted?: readonly string[]
}
