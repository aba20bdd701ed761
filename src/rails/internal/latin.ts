/**
 * Replaces letters by plain Latin ones, for rails that allow no others. Each letter has one replacement, chosen so that
 * a bank which compares names reads the same name. A character without a common replacement (a sign, a picture, a
 * letter of another script) has none.
 */

/** Latin letters that are not a plain letter with marks, and signs that stand for others. */
const latin: Readonly<Record<string, string>> = {
  ß: "ss",
  ẞ: "SS",
  æ: "ae",
  Æ: "Ae",
  œ: "oe",
  Œ: "Oe",
  ø: "o",
  Ø: "O",
  đ: "d",
  Đ: "D",
  ð: "d",
  Ð: "D",
  þ: "th",
  Þ: "Th",
  ł: "l",
  Ł: "L",
  ħ: "h",
  Ħ: "H",
  ı: "i",
  ŋ: "n",
  Ŋ: "N",
  ŧ: "t",
  Ŧ: "T",
  ə: "e",
  Ə: "E",
  ĸ: "k",
  "’": "'",
  "‘": "'",
  "‚": ",",
  ʼ: "'",
  ʹ: "'",
  "`": "'",
  "´": "'",
  "“": "'",
  "”": "'",
  "„": "'",
  "«": "'",
  "»": "'",
  '"': "'",
  "‐": "-",
  "‑": "-",
  "–": "-",
  "—": "-",
  "−": "-",
  _: "-",
  "~": "-",
  "&": "+",
  "[": "(",
  "]": ")",
  "{": "(",
  "}": ")",
  "\\": "/",
  "|": "/",
  ";": ",",
  "!": ".",
  "#": ".",
  $: ".",
  "%": ".",
  "*": ".",
  "<": ".",
  "=": ".",
  ">": ".",
  "@": ".",
  "^": ".",
  "…": "...",
  "·": ".",
  "•": ".",
  "€": "EUR",
  ª: "a",
  º: "o",
}

const pairs = (from: string, to: string): Readonly<Record<string, string>> => {
  const letters = to.split(" ")
  return Object.fromEntries([...from].map((letter, place) => [letter, letters[place] ?? ""]))
}

/** Greek letters as ISO 843 writes them one by one. */
const greek = pairs(
  "αβγδεζηθικλμνξοπρσςτυφχψω",
  "a v g d e z i th i k l m n x o p r s s t y f ch ps o",
)

/** Cyrillic letters as passports write them. */
const cyrillic = pairs(
  "абвгдеёжзийклмнопрстуфхцчшщъыьэюяєіїґђјљњћџѓќѕ",
  "a b v g d e e zh z i y k l m n o p r s t u f kh ts ch sh shch ie y ' e yu ya ie i i g d j lj nj c dz g k dz",
)

const small: Readonly<Record<string, string>> = { ...greek, ...cyrillic }

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const marks = /\p{M}/gu

const known = (character: string): string | undefined => {
  if (Object.hasOwn(latin, character)) return latin[character]
  const lower = character.toLowerCase()
  const letter = Object.hasOwn(small, lower) ? small[lower] : undefined
  if (letter === undefined) return undefined
  return lower === character ? letter : capital(letter)
}

/** One character in plain Latin letters; `undefined` without a common replacement. */
export const inLatin = (character: string): string | undefined => {
  const direct = known(character)
  if (direct !== undefined) return direct
  // Also resolves widths and ligatures: a full-width letter is that letter.
  const parts = character.normalize("NFKD")
  const plain = parts.replace(marks, "")
  // A mark alone becomes a blank with the mark, which is no letter.
  const isMark = plain.trim() === "" && character.trim() !== ""
  if (isMark || plain === "" || plain === character) return undefined
  const letters = [...plain].map((part) => (/^[ -~]$/.test(part) ? part : known(part)))
  return letters.includes(undefined) ? undefined : letters.join("")
}
