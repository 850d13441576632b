/** Those that were given up are counted for the list of bots, and replayed: few among a month of others. */
export const sql = `
CREATE INDEX webhook_deliveries_failed ON webhook_deliveries (bot_id, id) WHERE state = 'failed';
`;
