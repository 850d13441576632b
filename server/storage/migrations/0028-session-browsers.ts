/** In which browser each session is, so that its person knows it again. Those from before have none. */
export const sql = `
ALTER TABLE sessions ADD COLUMN user_agent TEXT NOT NULL DEFAULT '';
`;
