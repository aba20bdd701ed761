/** CRC-32 as in zip and PNG, of the reversed polynomial. */
const remainders: Uint32Array = /* @__PURE__ */ Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ 0xed_b8_83_20 : rest >>> 1
  return rest
})

/** The checksum of bytes, from 0 to 4294967295. */
export const crc32 = (bytes: Uint8Array): number => {
  let rest = 0xff_ff_ff_ff
  for (const byte of bytes) rest = (remainders[(rest ^ byte) & 0xff] ?? 0) ^ (rest >>> 8)
  return (rest ^ 0xff_ff_ff_ff) >>> 0
}
