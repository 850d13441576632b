/** Entries of the audit that one request made name the first of them, so that they are shown as one act. */
export const sql = `
ALTER TABLE audit ADD COLUMN first_id INTEGER REFERENCES audit (id); -- null: the first, or the only one
CREATE INDEX audit_by_act ON audit (first_id, id) WHERE first_id IS NOT NULL;
`;
