/** Faults that the histories have to notice. */
export const faults = []
