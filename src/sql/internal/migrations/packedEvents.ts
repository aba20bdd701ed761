/** Events of sales in few bytes: packed, where those of before and of everything else have a document. */

export const packedEvents: ReadonlyArray<string> = [
  ...["new_events", "events"].map(
    (table) => `ALTER TABLE apportion.${table} ALTER COLUMN document DROP NOT NULL,
      ADD COLUMN packed bytea,
      ADD CONSTRAINT ${table}_are_whole CHECK ((document IS NULL) = (packed IS NOT NULL)) NOT VALID`,
  ),
  // As before, and with what is packed.
  `CREATE OR REPLACE FUNCTION apportion.number_events(account text, most bigint) RETURNS bigint
    LANGUAGE plpgsql AS $$
      DECLARE
        head bigint;
        given bigint;
      BEGIN
        IF NOT EXISTS (SELECT FROM apportion.new_events WHERE account_id = account) THEN
          RETURN 0;
        END IF;
        INSERT INTO apportion.event_heads (account_id, number) VALUES (account, 0)
          ON CONFLICT (account_id) DO NOTHING;
        SELECT number INTO head FROM apportion.event_heads WHERE account_id = account FOR UPDATE;
        WITH next AS (
          SELECT position FROM apportion.new_events WHERE account_id = account
          ORDER BY position LIMIT most
        ), taken AS (
          DELETE FROM apportion.new_events WHERE account_id = account
            AND position = ANY (ARRAY(SELECT position FROM next))
          RETURNING position, at, document, packed
        ) INSERT INTO apportion.events (account_id, number, event_id, at, document, packed)
          SELECT account, head + row_number() OVER (ORDER BY position), gen_random_uuid(),
            at, document, packed FROM taken;
        GET DIAGNOSTICS given = ROW_COUNT;
        UPDATE apportion.event_heads SET number = head + given WHERE account_id = account;
        RETURN given;
      END
    $$`,
]
