/** Read receipts are on in a new organization. One from before keeps them as they were: off, unless somebody chose. */
export const sql = `
INSERT INTO organization_settings (name, value)
SELECT 'enable_read_receipts', 'false' FROM organization ORDER BY id
ON CONFLICT (name) DO NOTHING;
`;
