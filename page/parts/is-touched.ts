/** Whether people use a finger: they drop nothing, and a keyboard on the screen hides half of it. */
export const isTouched = () => matchMedia('(pointer: coarse)').matches
