/** Filters that tone map PQ and HLG for screens without high dynamic range. */
export const toned: readonly string[] = [
  'zscale=min=2020_ncl:pin=2020:t=linear:npl=100',
  'format=gbrpf32le',
  'zscale=p=bt709',
  'tonemap=tonemap=hable:desat=0',
  'zscale=t=bt709:m=bt709:r=tv',
  'format=yuv420p',
]
