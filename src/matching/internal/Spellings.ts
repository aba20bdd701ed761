/** A flood of texts that nobody asks for must not fill the memory. */
const mostSpellings = 1 << 14
/** Nor must a few texts that are as long as books. */
const longest = 128

/**
 * Remembers which number a text leads to as people spell it, so that the same spelling is folded once.
 * -1: it leads nowhere.
 */
export class Spellings {
  private readonly known = new Map<string, number>()
  private readonly find: (text: string) => number

  constructor(find: (text: string) => number) {
    this.find = find
  }

  numberOf(text: string): number {
    return this.known.get(text) ?? this.learn(text)
  }

  /** What texts lead to has changed. */
  forget(): void {
    if (this.known.size > 0) this.known.clear()
  }

  private learn(text: string): number {
    const number = this.find(text)
    if (text.length > longest) return number
    if (this.known.size >= mostSpellings) this.known.clear()
    this.known.set(text, number)
    return number
  }
}
