/** A bot's tests and its other deliveries wait apart; what is tried again, and each test, is found by when it is due. */
export const sql = `
DROP INDEX webhook_deliveries_waiting;
CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (bot_id, trigger = 'test', id) WHERE state = 'waiting';
CREATE INDEX webhook_deliveries_by_due ON webhook_deliveries (bot_id, due_at)
  WHERE state = 'waiting' AND (trigger = 'test' OR attempts > 0);
`;
