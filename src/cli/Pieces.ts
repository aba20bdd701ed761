/**
 * Cuts an input into pieces that are read each by itself, in another thread perhaps: what belongs to
 * the input as a whole is done here, in the order of the input, and as little else as possible.
 */
import { CsvCutter, entriesOf as entriesOfRows, type Rows } from "./CsvCutter.js"
import * as Format from "./Format.js"
import * as Input from "./Input.js"
import type { Element } from "./JsonElements.js"
import { JsonLines } from "./JsonLines.js"
import { LineCutter, type Lines } from "./LineCutter.js"
import type { Entry } from "./Records.js"
import type { Source } from "./Sources.js"

/** Elements of a JSON document. They are good together or not at all, as they came in one chunk. */
export interface Elements {
  readonly _tag: "Elements"
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Of each element: where it begins and ends in the bytes, and its line and column in the input. */
  readonly places: Float64Array<ArrayBuffer>
  readonly paths: ReadonlyArray<string>
}

export type Piece = Lines | Elements | Rows

const numbersOfPlace = 4

const elementsPiece = (elements: ReadonlyArray<Element>): Elements => {
  const bytes = new Uint8Array(elements.reduce((sum, element) => sum + element.bytes.length, 0))
  const places = new Float64Array(elements.length * numbersOfPlace)
  let start = 0
  elements.forEach((element, index) => {
    const end = start + element.bytes.length
    bytes.set(element.bytes, start)
    places.set([start, end, element.line, element.column], index * numbersOfPlace)
    start = end
  })
  return { _tag: "Elements", bytes, places, paths: elements.map(({ path }) => path) }
}

async function* cutLines(input: Format.Opened, pieceBytes: number): AsyncGenerator<Lines> {
  const cutter = new LineCutter(pieceBytes)
  try {
    for await (const chunk of input.chunks()) {
      cutter.push(chunk)
      if (cutter.isFull) yield cutter.take()
    }
  } catch (cause) {
    // What came before the input failed is read all the same.
    yield cutter.take()
    throw cause
  }
  yield cutter.end()
}

/** The pieces of an input, of about a size when it has lines. */
export async function* read(
  source: Source,
  options: { readonly kind: Input.Kind; readonly note: Input.Note; readonly pieceBytes: number },
): AsyncGenerator<Piece> {
  const input = await Format.open(source)
  if (input.format === "lines") yield* cutLines(input, options.pieceBytes)
  else if (input.format === "csv") {
    // No column of orders is one of several values, so there are no commas to tell of at the end.
    yield* Input.readCsv(input, options, (shape, header) => new CsvCutter(shape, header))
  } else {
    for await (const elements of Input.readElements(input, options.kind)) {
      yield elementsPiece(elements)
    }
  }
}

/** The bytes of a piece, which another thread gets without a copy. */
export const buffersOf = (piece: Piece): ReadonlyArray<ArrayBuffer> => {
  if (piece._tag === "Lines") return piece.chunks.map(({ buffer }) => buffer)
  return piece._tag === "Elements" ? [piece.bytes.buffer, piece.places.buffer] : []
}

function* entriesOfLines({ chunks, firstLine }: Lines): Generator<Entry> {
  const lines = new JsonLines(firstLine)
  for (const chunk of chunks) {
    yield* lines.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength))
  }
  yield* lines.end()
}

const elementsOf = ({ bytes, places, paths }: Elements): ReadonlyArray<Element> => {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return paths.map((path, index) => {
    const at = index * numbersOfPlace
    const [start = 0, end = 0, line = 1, column = 1] = places.subarray(at, at + numbersOfPlace)
    return { bytes: all.subarray(start, end), line, column, path }
  })
}

/** The entries of a piece. Like {@link Input.read}, it throws what makes the input unusable. */
export const entriesOf = (
  piece: Piece,
  options: { readonly name: string; readonly kind: Input.Kind },
): Iterable<Entry> => {
  if (piece._tag === "Lines") return entriesOfLines(piece)
  if (piece._tag === "Elements") return Input.parseElements(elementsOf(piece), options)
  return entriesOfRows(piece, options.kind.csv ?? { columns: {} })
}
