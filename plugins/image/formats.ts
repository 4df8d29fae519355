import { declared } from '../formats/family.ts'
import { cameraRaws } from '../formats/raster/camera-raw.ts'
import { pictures } from '../formats/raster/pictures.ts'

/** Targets and sources of the category: raster pictures, including camera raws. */
export const formats = declared(pictures, cameraRaws)
