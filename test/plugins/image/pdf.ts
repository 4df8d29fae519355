/** One page of a pdf: its paper and crop in points, and its clockwise rotation. */
export interface Page {
  paper: [number, number]
  crop?: [number, number, number, number]
  turn?: 0 | 90 | 180 | 270
}

/** A pdf with blue pages and a red square of 20 points in the upper left corner of the unrotated view. */
export function pdf(pages: readonly Page[]): Buffer {
  const objects = ['', '<</Type/Catalog/Pages 2 0 R>>', '']
  const kids = pages.map(({ paper: [width, height], crop = [0, 0, width, height], turn = 0 }) => {
    const draw = `0 0 1 rg 0 0 ${width} ${height} re f 1 0 0 rg ${crop[0]} ${crop[3] - 20} 20 20 re f`
    const contents = objects.push(`<</Length ${draw.length}>>stream\n${draw}\nendstream`) - 1
    const box = `/MediaBox[0 0 ${width} ${height}]/CropBox[${crop.join(' ')}]/Rotate ${turn}`
    return objects.push(`<</Type/Page/Parent 2 0 R${box}/Contents ${contents} 0 R>>`) - 1
  })
  objects[2] = `<</Type/Pages/Count ${kids.length}/Kids[${kids.map((kid) => `${kid} 0 R`).join(' ')}]>>`
  let body = '%PDF-1.4\n'
  const offsets = objects.map((object, number) => {
    const at = body.length
    if (number > 0) body += `${number} 0 obj${object}endobj\n`
    return `${String(at).padStart(10, '0')} 00000 n \n`
  })
  offsets[0] = '0000000000 65535 f \n'
  const end = `trailer<</Size ${objects.length}/Root 1 0 R>>\nstartxref\n${body.length}\n%%EOF\n`
  return Buffer.from(`${body}xref\n0 ${objects.length}\n${offsets.join('')}${end}`, 'latin1')
}
