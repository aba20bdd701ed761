/** Values by key, of which only those that were used last are kept. */
export class RecentValues<Value extends object> {
  /** The last used ones at the end. */
  private readonly values = new Map<string, Value>()
  private readonly most: number

  constructor(most: number) {
    this.most = most
  }

  get(key: string): Value | undefined {
    const value = this.values.get(key)
    if (value !== undefined) this.set(key, value)
    return value
  }

  set(key: string, value: Value): void {
    const { values } = this
    values.delete(key)
    values.set(key, value)
    const [oldest] = values.keys()
    if (values.size > this.most && oldest !== undefined) values.delete(oldest)
  }
}
