import { buffer } from 'node:stream/consumers'
import { ZipFile } from 'yazl'
import { type Mesh, threes } from './mesh.ts'

const xml = '<?xml version="1.0" encoding="UTF-8"?>'
const schemas = 'http://schemas.openxmlformats.org/package/2006'
const microsoft = 'http://schemas.microsoft.com/3dmanufacturing'

const types = `${xml}
<Types xmlns="${schemas}/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Default Extension="model" ContentType="application/vnd.ms-package.3dmanufacturing-3dmodel+xml"/>
</Types>`

const relations = `${xml}
<Relationships xmlns="${schemas}/relationships">
<Relationship Target="/3D/3dmodel.model" Id="model" Type="${microsoft}/2013/01/3dmodel"/>
</Relationships>`

const model = ({ points, triangles }: Mesh) => `${xml}
<model unit="millimeter" xml:lang="en-US" xmlns="${microsoft}/core/2015/02">
<resources><object id="1" type="model"><mesh><vertices>
${threes(points, (x, y, z) => `<vertex x="${x}" y="${y}" z="${z}"/>`)}
</vertices><triangles>
${threes(triangles, (a, b, c) => `<triangle v1="${a}" v2="${b}" v3="${c}"/>`)}
</triangles></mesh></object></resources>
<build><item objectid="1"/></build>
</model>`

/** 3D Manufacturing Format, core specification 1.3: a package with one object, in millimetres. */
export async function threeMf(mesh: Mesh): Promise<Buffer> {
  const zip = new ZipFile()
  // A fixed date, so that the same mesh gives the same file.
  const mtime = new Date(1980, 0, 1)
  zip.addBuffer(Buffer.from(types), '[Content_Types].xml', { mtime })
  zip.addBuffer(Buffer.from(relations), '_rels/.rels', { mtime })
  zip.addBuffer(Buffer.from(model(mesh)), '3D/3dmodel.model', { mtime })
  zip.end()
  return buffer(zip.outputStream)
}
