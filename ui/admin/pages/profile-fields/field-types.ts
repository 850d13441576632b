import type { FIELD_TYPE } from "../../../../server/api/queries/profile-fields.ts";

/** The types that are filled in otherwise than as a line of text: docs/protocol.md#other-records. */
export const FIELD = {
  LONG_TEXT: 2,
  SELECT: 3,
  DATE: 4,
  LINK: 5,
  EXTERNAL_ACCOUNT: 7,
} as const satisfies Partial<typeof FIELD_TYPE>;
