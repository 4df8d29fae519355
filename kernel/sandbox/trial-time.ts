/**
 * Milliseconds that a program of the machine may take to answer when the service tries it out. From a slow disk, on a
 * busy machine, a first start can take a minute.
 */
export const TRIAL_TIME = 120_000
