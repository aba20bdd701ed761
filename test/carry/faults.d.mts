/** A fault that histories have to notice. */
export interface Fault {
  readonly name: string
  /** The file in the library's agreements. */
  readonly file: string
  readonly from: string
  readonly to: string
}

export const faults: ReadonlyArray<Fault>
