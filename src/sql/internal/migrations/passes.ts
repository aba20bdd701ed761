/** The statements that make the table of passes, in order. */
export const passes: ReadonlyArray<string> = [
  `CREATE TABLE apportion.passes (
    account_id apportion.key_text NOT NULL,
    pass_id apportion.key_text NOT NULL,
    collaborator_id apportion.key_text NOT NULL,
    -- Without the secret of the link, which is not kept anywhere.
    document json NOT NULL,
    version apportion.version NOT NULL,
    PRIMARY KEY (account_id, pass_id),
    -- A collaborator who is removed by hand leaves no pass.
    FOREIGN KEY (account_id, collaborator_id) REFERENCES apportion.collaborators
      ON DELETE CASCADE
  )`,
  `CREATE INDEX passes_of_collaborator ON apportion.passes
    (account_id, collaborator_id, pass_id)`,
]
