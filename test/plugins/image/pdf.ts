import { pdfOf, streamOf } from '../../fixtures/pdf.ts'

/** One page of a pdf: its paper and crop in points, and its clockwise rotation. */
export interface Page {
  paper: [number, number]
  crop?: [number, number, number, number]
  turn?: 0 | 90 | 180 | 270
}

/** A pdf with blue pages and a red square of 20 points in the upper left corner of the unrotated view. */
export function pdf(pages: readonly Page[]): Buffer {
  const kids = pages.map((_, index) => `${3 + 2 * index} 0 R`).join(' ')
  const drawn = pages.flatMap(({ paper: [width, height], crop = [0, 0, width, height], turn = 0 }, index) => [
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${width} ${height}]/CropBox[${crop.join(' ')}]/Rotate ${turn}/Contents ${4 + 2 * index} 0 R>>`,
    streamOf(`0 0 1 rg 0 0 ${width} ${height} re f 1 0 0 rg ${crop[0]} ${crop[3] - 20} 20 20 re f`),
  ])
  return pdfOf(['<</Type/Catalog/Pages 2 0 R>>', `<</Type/Pages/Count ${pages.length}/Kids[${kids}]>>`, ...drawn])
}
