/** Writes text in large pieces, and waits when the reader is slower. */
import type { Sink } from "../Io.js"

const pieceLength = 1 << 16

export class Output {
  private readonly sink: Sink
  private pieces = ""

  constructor(sink: Sink) {
    this.sink = sink
  }

  /** Adds text. */
  add(text: string): void {
    this.pieces += text
  }

  /** Writes what was added, and then bytes of UTF-8. */
  async write(bytes: Uint8Array): Promise<void> {
    await this.flush()
    if (bytes.length > 0) await this.sink.write(bytes)
  }

  /** Writes what was added, when it is enough to be worth it. */
  async flushLarge(): Promise<void> {
    if (this.pieces.length >= pieceLength) await this.flush()
  }

  /** Writes what was added. */
  async flush(): Promise<void> {
    const text = this.pieces
    this.pieces = ""
    if (text !== "") await this.sink.write(text)
  }
}
