/** Targets and their options. Written by `npm run client-types`: change the plugins. */

/** Options of image targets. */
export interface ImageOptions {
  /** Quality from 1 to 100. A png gets a palette of fewer colours, and only if quality is given. */
  quality?: number
  /** Width in pixels of the box that fit uses. */
  maxWidth?: number
  /** Height in pixels of the box that fit uses. */
  maxHeight?: number
  /**
   * How the picture fits into the box. inside and outside keep its shape and never enlarge it. cover crops, contain
   * pads and fill stretches; without both maxWidth and maxHeight, these three act as inside.
   */
  fit?: 'inside' | 'cover' | 'contain' | 'fill' | 'outside'
  /** Makes a progressive jpg, or an interlaced png or gif. */
  progressive?: boolean
  /**
   * Removes EXIF, XMP, IPTC and comments. A colour profile other than sRGB stays. Orientation is always applied to
   * the pixels.
   */
  stripMetadata?: boolean
  /**
   * Largest size of the result in kB of 1,000 bytes. The service searches for the best quality that meets it; quality
   * is then the ceiling. Only for lossy targets.
   */
  targetSizeKb?: number
  /** Encodes without loss. It cannot be combined with quality or targetSizeKb, and is not possible for jpg. */
  lossless?: boolean
}

/** Options of document targets. */
export interface DocumentOptions {
  /**
   * remove strips title, author, creator and subject, and clears keywords, company, custom properties and XMP; keep
   * preserves them.
   */
  metadata?: 'remove' | 'keep'
}

/** Options of video targets. */
export interface VideoOptions {
  /**
   * Fits the picture into 1280×720 or 1920×1080 pixels, turned for portrait; never enlarges. Default: as the source.
   */
  resolution?: '720p' | '1080p'
  /** Video codec, for mp4, mov, mkv, flv, ts, m2ts, 3gp and 3g2. Default: what suits the target. */
  codec?: 'h264'
  /**
   * Constant rate factor on H.264's scale, 0 (best) to 51, mapped to the codec's own; 0 counts as 1. It cannot be
   * combined with bitrate.
   */
  crf?: number
  /** Average video bit rate in kbit/s. It cannot be combined with crf. */
  bitrate?: number
  /** Frames a second. Default: as the source. */
  framerate?: 24 | 30
  /**
   * Audio bit rate in kbit/s; the nearest that the codec and the channels allow. Surround sound gets more by default.
   */
  audioBitrate?: number
  /** Removes the sound. */
  stripAudio?: boolean
}

/** Options of audio targets. */
export interface AudioOptions {
  /**
   * Bit rate in kbit/s; the nearest that the codec, the sample rate and the channels allow. Lossless targets ignore
   * it.
   */
  bitrate?: number
  /** Sample rate in Hz; the nearest lower one that the codec allows. Default: as the source. */
  sampleRate?: 8000 | 11025 | 12000 | 16000 | 22050 | 24000 | 32000 | 44100 | 48000 | 88200 | 96000 | 192000
  /**
   * Number of channels. They are mixed down, never added; at most as many as the target holds. Default: as the
   * source.
   */
  channels?: 1 | 2 | 6
  /** Two-pass loudness by EBU R 128 to -16 LUFS with a true peak of -1.5 dBTP. */
  normalize?: boolean
}

/** Options of archive targets. */
export interface ArchiveOptions {
  /**
   * Effort from 0 to 9, mapped to the format's own scale. 0 does not compress zip, jar, 7z and tar.gz, and is the
   * fastest for others.
   */
  compression?: number
}

/** Options of vector targets. */
export interface VectorOptions {
  /** Resolution in dpi of rasterised parts, and of traced pictures, which sets their size. */
  density?: number
}

/** Options of cad targets. */
export interface CadOptions {
  /** Resolution in dpi of traced pictures, which sets their size. */
  density?: number
}

/** Ebook targets have no options. */
export type EbookOptions = Record<never, never>

/** Formats of the category image. */
export type ImageTarget =
  | 'jpg'
  | 'jpeg'
  | 'jfif'
  | 'jpe'
  | 'png'
  | 'apng'
  | 'webp'
  | 'avif'
  | 'heic'
  | 'heif'
  | 'hif'
  | 'gif'
  | 'bmp'
  | 'dib'
  | 'tif'
  | 'tiff'
  | 'ico'
  | 'cur'
  | 'icns'
  | 'jxl'
  | 'jp2'
  | 'j2k'
  | 'jpf'
  | 'jpx'
  | 'j2c'
  | 'jpc'
  | 'jxr'
  | 'wdp'
  | 'hdp'
  | 'psd'
  | 'psb'
  | 'xcf'
  | 'tga'
  | 'pcx'
  | 'dcx'
  | 'ppm'
  | 'pgm'
  | 'pbm'
  | 'pam'
  | 'pnm'
  | 'pfm'
  | 'xbm'
  | 'xpm'
  | 'wbmp'
  | 'sgi'
  | 'rgb'
  | 'rgba'
  | 'bw'
  | 'ras'
  | 'xwd'
  | 'dpx'
  | 'cin'
  | 'exr'
  | 'hdr'
  | 'dds'
  | 'fits'
  | 'fit'
  | 'fts'
  | 'qoi'
  | 'jls'
  | 'mng'
  | 'jng'
  | 'pict'
  | 'pct'
  | 'pic'
  | 'pcd'
  | 'dcm'
  | 'dicom'
  | 'jb2'
  | 'jbig2'
  | 'miff'
  | 'dng'
  | 'cr2'
  | 'cr3'
  | 'crw'
  | 'nef'
  | 'arw'
  | 'orf'
  | 'rw2'
  | 'raf'
  | 'pef'
  | 'srw'

/** Formats of the category document. */
export type DocumentTarget =
  | 'docx'
  | 'doc'
  | 'docm'
  | 'dotx'
  | 'dot'
  | 'odt'
  | 'ott'
  | 'fodt'
  | 'rtf'
  | 'txt'
  | 'text'
  | 'log'
  | 'html'
  | 'htm'
  | 'xhtml'
  | 'xht'
  | 'mht'
  | 'mhtml'
  | 'md'
  | 'markdown'
  | 'mkd'
  | 'mdown'
  | 'md.zip'
  | 'rst'
  | 'org'
  | 'tex'
  | 'latex'
  | 'adoc'
  | 'asciidoc'
  | 'textile'
  | 'wiki'
  | 'mediawiki'
  | 'dbk'
  | 'docbook'
  | 'ipynb'
  | 'opml'
  | 'jats.xml'
  | 'icml'
  | 'pdf'
  | 'ocr.pdf'
  | 'pdfa.pdf'
  | 'ps'
  | 'xps'
  | 'oxps'
  | 'djvu'
  | 'djv'
  | 'xlsx'
  | 'xls'
  | 'xlsm'
  | 'xlsb'
  | 'ods'
  | 'fods'
  | 'csv'
  | 'tsv'
  | 'tab'
  | 'pptx'
  | 'ppt'
  | 'pptm'
  | 'ppsx'
  | 'pps'
  | 'potx'
  | 'odp'
  | 'fodp'
  | 'vsd'
  | 'vsdx'
  | 'pub'
  | 'wpd'
  | 'wps'
  | 'wri'
  | 'hwp'
  | 'hwpx'
  | 'sxw'
  | 'json'
  | 'xml'
  | 'yaml'
  | 'yml'
  | 'eml'
  | 'msg'

/** Formats of the category video. */
export type VideoTarget =
  | 'mp4'
  | 'm4v'
  | 'mkv'
  | 'webm'
  | 'mov'
  | 'avi'
  | 'wmv'
  | 'asf'
  | 'flv'
  | 'f4v'
  | 'mpg'
  | 'mpeg'
  | 'mpe'
  | 'm2v'
  | 'm1v'
  | 'vob'
  | 'ts'
  | 'mts'
  | 'm2ts'
  | '3gp'
  | '3gpp'
  | '3g2'
  | '3gpp2'
  | 'ogv'
  | 'mxf'
  | 'dv'
  | 'rm'
  | 'rmvb'
  | 'swf'

/** Formats of the category audio. */
export type AudioTarget =
  | 'mp3'
  | 'wav'
  | 'wave'
  | 'flac'
  | 'aac'
  | 'm4a'
  | 'm4b'
  | 'm4r'
  | 'ogg'
  | 'oga'
  | 'opus'
  | 'spx'
  | 'wma'
  | 'aiff'
  | 'aif'
  | 'aifc'
  | 'amr'
  | 'awb'
  | 'ac3'
  | 'eac3'
  | 'ec3'
  | 'au'
  | 'snd'
  | 'caf'
  | 'dts'
  | 'ape'
  | 'wv'
  | 'mp2'
  | 'mka'
  | 'voc'
  | 'ra'
  | 'weba'
  | 'tta'

/** Formats of the category archive. */
export type ArchiveTarget =
  | 'zip'
  | '7z'
  | 'rar'
  | 'tar'
  | 'tar.gz'
  | 'tgz'
  | 'tar.bz2'
  | 'tbz2'
  | 'tbz'
  | 'tb2'
  | 'tar.xz'
  | 'txz'
  | 'tar.zst'
  | 'tzst'
  | 'tar.lz4'
  | 'tlz4'
  | 'tar.lz'
  | 'tar.lzma'
  | 'tlz'
  | 'tar.z'
  | 'taz'
  | 'gz'
  | 'gzip'
  | 'bz2'
  | 'bz'
  | 'xz'
  | 'zst'
  | 'lz4'
  | 'lzma'
  | 'lz'
  | 'br'
  | 'cab'
  | 'iso'
  | 'jar'
  | 'cpio'
  | 'ar'
  | 'deb'
  | 'rpm'
  | 'lha'
  | 'lzh'
  | 'wim'
  | 'arj'
  | 'z'

/** Formats of the category vector. */
export type VectorTarget = 'svg' | 'svgz' | 'eps' | 'ai' | 'emf' | 'wmf' | 'odg' | 'fig' | 'cdr'

/** Formats of the category cad. */
export type CadTarget =
  | 'dxf'
  | 'dwg'
  | 'step'
  | 'stp'
  | 'iges'
  | 'igs'
  | 'brep'
  | 'brp'
  | 'fcstd'
  | 'stl'
  | 'obj'
  | 'ply'
  | 'off'
  | '3mf'
  | 'amf'
  | 'gltf'
  | 'glb'
  | 'fbx'
  | 'dae'
  | '3ds'
  | 'x3d'
  | 'x'
  | 'lwo'
  | 'ac'
  | 'ase'
  | 'blend'
  | 'ifc'
  | 'scad'

/** Formats of the category ebook. */
export type EbookTarget =
  | 'epub'
  | 'mobi'
  | 'azw3'
  | 'azw'
  | 'kf8'
  | 'prc'
  | 'fb2'
  | 'htmlz'
  | 'txtz'
  | 'lit'
  | 'lrf'
  | 'pdb'
  | 'pmlz'
  | 'rb'
  | 'chm'
  | 'cbz'
  | 'cbr'
  | 'cb7'
  | 'cbt'

/** Formats that are known here; a service may have others. */
export type Target =
  | ImageTarget
  | DocumentTarget
  | VideoTarget
  | AudioTarget
  | ArchiveTarget
  | VectorTarget
  | CadTarget
  | EbookTarget

/** The options of a target. Of one that is not known here: any, each a text, a number or a boolean. */
export type OptionsOf<To extends string> = To extends ImageTarget
  ? ImageOptions
  : To extends DocumentTarget
    ? DocumentOptions
    : To extends VideoTarget
      ? VideoOptions
      : To extends AudioTarget
        ? AudioOptions
        : To extends ArchiveTarget
          ? ArchiveOptions
          : To extends VectorTarget
            ? VectorOptions
            : To extends CadTarget
              ? CadOptions
              : To extends EbookTarget
                ? EbookOptions
                : Readonly<Record<string, unknown>>
