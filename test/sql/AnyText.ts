import fc from "fast-check"

/** Code units at which one way of writing ends and another begins, or that stand for something else. */
const edges = [
  ...[0x00, 0x01, 0x02, 0x0d, 0x0e, 0x1d, 0x1e, 0x20, 0x41, 0x61, 0x7f, 0x80, 0x7ff, 0x800],
  ...[0x4e00, 0x4e01, 0x55ff, 0x5600, 0xd7fe, 0xd7ff, 0xd800, 0xdbff, 0xdc00, 0xdfff],
  ...[0xe000, 0xfefd, 0xfefe, 0xfeff, 0xff00, 0xfffd, 0xfffe, 0xffff],
]

const unit = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...edges) },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 0xffff }) },
  { weight: 1, arbitrary: fc.integer({ min: 0xd800, max: 0xdfff }) },
)

const piece = fc.oneof(
  { weight: 6, arbitrary: unit.map((code) => String.fromCharCode(code)) },
  { weight: 1, arbitrary: fc.constantFrom("🎨", "𐀀", "\u{10ffff}", "art", "一丁") },
)

/** Any text: whole letters, halves of surrogate pairs, NUL, and the letters that stand for others. */
export const anyText: fc.Arbitrary<string> = fc
  .array(piece, { maxLength: 8 })
  .map((pieces) => pieces.join(""))
