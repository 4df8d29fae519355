/** The bundler extracts style sheets from the script. */
declare module '*.css'
