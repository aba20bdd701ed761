/** Steps that are added as they come, each done when the one before it is; the first that fails ends all. */
export class Sequence {
  private last: Promise<void> = Promise.resolve()
  private steps: Array<Promise<void>> = []
  private hasFailed = false
  private readonly failing = Promise.withResolvers<never>()

  constructor() {
    this.failing.promise.catch(() => undefined)
  }

  /** Fails when a step does; it never ends otherwise. */
  get failure(): Promise<never> {
    return this.failing.promise
  }

  /** Adds a step. */
  add(step: () => Promise<void> | void): void {
    this.last = this.last.then(step)
    this.last.catch((cause: unknown) => {
      this.hasFailed = true
      this.failing.reject(cause)
    })
    this.steps.push(this.last)
  }

  /** Waits until no more than some steps are left; fails when a step did. */
  async atMost(count: number): Promise<void> {
    if (this.hasFailed) await this.failing.promise
    while (this.steps.length > count) await this.steps.shift()
  }
}
