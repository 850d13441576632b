/** The system bots, which send the server's own messages. Never edited after it has shipped. */
export const sql = `
-- Which of the server's own bots this is; null: anybody else. Nobody owns them or signs in as one.
ALTER TABLE users ADD COLUMN system_bot TEXT CHECK (system_bot IS NULL OR (is_bot = 1 AND bot_owner_id IS NULL));
CREATE UNIQUE INDEX users_by_system_bot ON users (system_bot) WHERE system_bot IS NOT NULL;

-- Where there is no organization yet, it gets its bots when it is made.
INSERT INTO users (email, email_key, full_name, role, is_bot, bot_type, joined_at, system_bot)
SELECT 'notification-bot@hearth.invalid', 'notification-bot@hearth.invalid', 'Notification Bot', 400, 1, 1, created_at,
  'notification'
FROM organization ORDER BY id;
`;
