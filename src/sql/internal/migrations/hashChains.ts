/** The hashes of several entries of a history at once: each covers the one before, the first one what is given. */
export const hashChains: ReadonlyArray<string> = [
  `CREATE FUNCTION apportion.chain(hash text, previous text, entry text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
      BEGIN
        RETURN encode(sha256(convert_to(coalesce(hash, previous, '') || chr(10) || entry, 'UTF8')), 'hex');
      END
    $$`,
  `CREATE AGGREGATE apportion.chained(previous text, entry text) (
    SFUNC = apportion.chain, STYPE = text
  )`,
]
