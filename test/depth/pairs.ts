/** The hundred pairs that people use most, the most used of a group first. */
export const pairs: readonly string[] = `
heic>jpg heic>png heic>pdf webp>png webp>jpg png>jpg png>webp png>pdf png>svg png>ico png>avif
jpg>png jpg>pdf jpg>webp jpg>avif jpg>svg jpg>docx jpg>txt avif>jpg avif>png jxl>jpg bmp>jpg tif>jpg tif>pdf
gif>mp4 gif>webp psd>png cr2>jpg nef>jpg arw>jpg dng>jpg
svg>png svg>jpg svg>pdf svg>dxf eps>png ai>svg emf>png vsdx>pdf
dwg>pdf dwg>dxf dxf>pdf dxf>svg step>stl stl>obj stl>step obj>stl 3mf>stl fbx>glb glb>stl
docx>pdf docx>txt docx>html doc>docx doc>pdf odt>docx odt>pdf rtf>pdf txt>pdf md>html md>docx html>pdf
pdf>docx pdf>jpg pdf>png pdf>txt pdf>xlsx pdf>pptx pdf>epub pdf>html pdf>md
pptx>pdf ppt>pptx xlsx>csv xlsx>pdf xls>xlsx csv>xlsx csv>json json>csv epub>mobi epub>pdf epub>azw3 mobi>epub azw3>epub
wav>mp3 m4a>mp3 flac>mp3 ogg>mp3 mp3>wav
mov>mp4 mkv>mp4 avi>mp4 webm>mp4 mp4>mp3 mp4>gif mp4>webm
zip>7z rar>zip 7z>zip tar.gz>zip
`
  .trim()
  .split(/\s+/)
