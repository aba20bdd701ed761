/** The statements that make the tables of webhook endpoints, in order. */
export const webhooks: ReadonlyArray<string> = [
  `CREATE TABLE apportion.webhook_endpoints (
    account_id apportion.key_text NOT NULL,
    endpoint_id apportion.key_text NOT NULL,
    is_active boolean NOT NULL,
    -- With the keys, which are secret.
    document json NOT NULL,
    version apportion.version NOT NULL,
    PRIMARY KEY (account_id, endpoint_id)
  ) WITH (fillfactor = 50)`,
  `CREATE INDEX webhook_endpoints_active ON apportion.webhook_endpoints (account_id)
    WHERE is_active`,
  `CREATE TABLE apportion.dead_letters (
    account_id apportion.key_text NOT NULL,
    endpoint_id apportion.key_text NOT NULL,
    number apportion.version NOT NULL,
    is_replayed boolean NOT NULL,
    document json NOT NULL,
    PRIMARY KEY (account_id, endpoint_id, number),
    FOREIGN KEY (account_id, endpoint_id) REFERENCES apportion.webhook_endpoints
      ON DELETE CASCADE
  )`,
  `CREATE INDEX dead_letters_replayed ON apportion.dead_letters (account_id, endpoint_id, number)
    WHERE is_replayed`,
]
