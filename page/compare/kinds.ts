/** How the page shows a file. */
export type Shown = 'image' | 'audio' | 'video' | 'text' | 'pdf'

/** Formats that browsers show. What one of them cannot show after all, its element reports. */
const FORMATS: Readonly<Record<Shown, string>> = {
  image: 'jpg png gif webp avif svg bmp ico apng',
  audio: 'mp3 wav ogg oga opus flac m4a aac',
  video: 'mp4 m4v webm mov ogv',
  text: 'txt md csv tsv json xml html yaml toml tex rst org adoc srt vtt',
  pdf: 'pdf ocr.pdf pdfa.pdf',
}

/** Returns how the page shows a format; undefined if it cannot. Most phones show no PDF within a page. */
export const shownAs = (format: string): Shown | undefined =>
  (Object.keys(FORMATS) as Shown[]).find(
    (kind) => FORMATS[kind].split(' ').includes(format) && (kind !== 'pdf' || navigator.pdfViewerEnabled),
  )

/** What a comparison shows. */
export interface Sides {
  /** The local file; undefined if there is none, or if the browser cannot show its format. */
  source: File | undefined
  /** URL of the result. */
  result: string
  /** Called if the browser cannot show the source. */
  onUnshown: () => void
  /** Called if the result cannot be fetched, or if the browser cannot show it. */
  onFailed: () => void
}
