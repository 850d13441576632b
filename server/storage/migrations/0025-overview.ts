/** What Overview counts: deliveries that were given up, and who joined by an invitation. */
export const sql = `
CREATE INDEX webhook_deliveries_failed ON webhook_deliveries (bot_id, id) WHERE state = 'failed';
CREATE INDEX audit_of_joining ON audit (id) WHERE action = 'join by invitation';
`;
