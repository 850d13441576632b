/** Bots and webhooks. */
export const sql = `
-- A row for each bot that people made; the server's own have none.
CREATE TABLE bots (
  user_id INTEGER PRIMARY KEY REFERENCES users (id),
  default_sending_channel_id INTEGER REFERENCES channels (id),
  default_events_channel_id INTEGER REFERENCES channels (id),
  default_all_public_streams INTEGER NOT NULL CHECK (default_all_public_streams IN (0, 1)),
  integration TEXT, -- an incoming webhook's; null: any
  config TEXT,      -- JSON object of strings: the integration's options; null: none
  webhook_secret TEXT, -- what an incoming webhook's senders sign with; null: signatures are not checked
  notified_at INTEGER, -- when its owner was last told that its messages reach no channel
  is_paused INTEGER NOT NULL DEFAULT 0 CHECK (is_paused IN (0, 1)), -- an outgoing webhook's deliveries wait
  is_failing INTEGER NOT NULL DEFAULT 0 CHECK (is_failing IN (0, 1)) -- its owner was told, and it has not worked since
) STRICT;

-- Where an outgoing webhook's messages go.
CREATE TABLE bot_services (
  bot_id INTEGER PRIMARY KEY REFERENCES users (id),
  name TEXT NOT NULL,
  base_url TEXT NOT NULL,
  interface INTEGER NOT NULL CHECK (interface IN (1, 2)), -- 1 generic, 2 Slack-compatible
  token TEXT NOT NULL,  -- sent with each delivery
  secret TEXT NOT NULL, -- signs each delivery
  chosen_by INTEGER NOT NULL REFERENCES users (id) -- who picked the address: their rights decide where it may lead
) STRICT;

CREATE TABLE bot_storage (
  user_id INTEGER NOT NULL REFERENCES users (id),
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (user_id, key)
) STRICT, WITHOUT ROWID;

-- The outbox: a row is written in the transaction of the message that it is about, and stays as the log of deliveries.
CREATE TABLE webhook_deliveries (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uid TEXT NOT NULL UNIQUE, -- what receivers tell a repeat by
  bot_id INTEGER NOT NULL REFERENCES users (id),
  message_id INTEGER, -- null: a test
  trigger TEXT NOT NULL CHECK (trigger IN ('direct_message', 'mention', 'test')),
  state TEXT NOT NULL CHECK (state IN ('waiting', 'delivered', 'failed')),
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL, -- given up when it has not been delivered by then
  due_at INTEGER NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  tried_at INTEGER,
  status INTEGER,     -- of the last answer
  latency INTEGER,    -- milliseconds
  error TEXT,
  request TEXT,       -- bounded, the token left out
  answer TEXT,        -- bounded
  reply_id INTEGER    -- the message that the answer became
) STRICT;
CREATE INDEX webhook_deliveries_by_bot ON webhook_deliveries (bot_id, id);
CREATE INDEX webhook_deliveries_failed ON webhook_deliveries (bot_id, id) WHERE state = 'failed';
CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (bot_id, trigger = 'test', id) WHERE state = 'waiting';
CREATE INDEX webhook_deliveries_by_due ON webhook_deliveries (bot_id, due_at)
  WHERE state = 'waiting' AND (trigger = 'test' OR attempts > 0);

-- What incoming webhooks were sent, and what became of it.
CREATE TABLE webhook_receipts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  bot_id INTEGER NOT NULL REFERENCES users (id),
  integration TEXT NOT NULL,
  event TEXT,
  state TEXT NOT NULL CHECK (state IN ('posted', 'ignored', 'refused')),
  received_at INTEGER NOT NULL,
  latency INTEGER NOT NULL,
  status INTEGER NOT NULL,
  error TEXT,
  payload TEXT NOT NULL, -- bounded, keys and signatures left out
  message_id INTEGER
) STRICT;
CREATE INDEX webhook_receipts_by_bot ON webhook_receipts (bot_id, id);
`;
