/** Deliveries that were given up, which Overview counts (docs/protocol.md#outgoing-webhooks). */
export const sql = `
CREATE INDEX webhook_deliveries_failed ON webhook_deliveries (bot_id, id) WHERE state = 'failed';
`;
