// What happened in each account. A transaction adds its events without numbers: a counter that each of them raised
// would make all that write to an account wait for each other. They get numbers when they are first asked for, one
// caller at a time.

/** The statements that make the tables of events, in order. */
export const events: ReadonlyArray<string> = [
  // Who sees what another transaction has kept draws after it: positions follow what led to what.
  "CREATE SEQUENCE apportion.event_positions",
  `CREATE TABLE apportion.new_events (
    account_id apportion.key_text NOT NULL,
    position bigint NOT NULL DEFAULT nextval('apportion.event_positions'),
    at apportion.seconds NOT NULL,
    document json NOT NULL,
    PRIMARY KEY (account_id, position)
  )`,
  `CREATE TABLE apportion.events (
    account_id apportion.key_text NOT NULL,
    number apportion.version NOT NULL,
    event_id uuid NOT NULL,
    at apportion.seconds NOT NULL,
    document json NOT NULL,
    PRIMARY KEY (account_id, number)
  )`,
  // The number of the last event of an account; its row is locked while numbers are given.
  `CREATE TABLE apportion.event_heads (
    account_id apportion.key_text PRIMARY KEY,
    number apportion.tally NOT NULL
  )`,
  // Each statement of it sees what was kept when it began: the one that takes, what was kept before the lock was had.
  `CREATE FUNCTION apportion.number_events(account text, most bigint) RETURNS bigint
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
          RETURNING position, at, document
        ) INSERT INTO apportion.events (account_id, number, event_id, at, document)
          SELECT account, head + row_number() OVER (ORDER BY position), gen_random_uuid(),
            at, document FROM taken;
        GET DIAGNOSTICS given = ROW_COUNT;
        UPDATE apportion.event_heads SET number = head + given WHERE account_id = account;
        RETURN given;
      END
    $$`,
  `CREATE TRIGGER events_never_change BEFORE UPDATE ON apportion.events
    FOR EACH ROW EXECUTE FUNCTION apportion.refuse_change()`,
]
