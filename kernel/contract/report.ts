/** What plugins tell for the report of a conversion. Types only: importing this file runs nothing. */

/** What a step found out about a file while it did something else. Unknown numbers are left out. */
export interface Measures {
  /** Pages, slides or pictures. */
  readonly pages?: number | undefined
  /** Frames of an animation. */
  readonly frames?: number | undefined
  /** Seconds of sound or film. */
  readonly seconds?: number | undefined
  /** Pixels of the first picture, as it is shown. */
  readonly width?: number | undefined
  readonly height?: number | undefined
}

/** Kinds of content that a conversion drops or replaces. */
export type LossKind = 'alpha' | 'animation' | 'fonts' | 'layers' | 'macros' | 'metadata' | 'streams'
