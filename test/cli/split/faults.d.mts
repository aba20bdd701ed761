/** A fault that random lines have to notice. */
export interface Fault {
  readonly name: string
  /** The file in the sources. */
  readonly file: string
  readonly from: string
  readonly to: string
}

export const faults: ReadonlyArray<Fault>
