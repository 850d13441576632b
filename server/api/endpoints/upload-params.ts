import type { App } from "../../app.ts";
import { restOfPath, text } from "../../http/params.ts";
import type { Reader } from "../../storage/transaction.ts";
import { signInFirst, viewerByKeyAlone } from "../access/authentication.ts";
import { spectator } from "../access/public-access.ts";
import type { User } from "../queries/users.ts";

export const path = { realm_id_str: text(), filename: restOfPath() };

interface Params {
  realm_id_str: string;
  filename: string;
}

export const pathId = ({ realm_id_str, filename }: Params): string => `${realm_id_str}/${filename}`;

/** Clients that put an address into a picture cannot send a header: their key stands in the query then. */
export function readerOf(
  { viewer, reader, app }: { viewer: User | null; reader: Reader; app: App },
  apiKey: string | undefined,
): User {
  if (viewer) return viewer;
  if (apiKey !== undefined) return viewerByKeyAlone(reader, app.keys, apiKey);
  const anybody = spectator(reader);
  if (!anybody) throw signInFirst();
  return anybody;
}

export const apiKey = text().optional().describe("An API key, for callers who can send no header.");
