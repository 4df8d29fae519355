/** What elements in the scripts of the page become: shorter than calls with their children as properties. */
export { Fragment, h } from 'preact'
