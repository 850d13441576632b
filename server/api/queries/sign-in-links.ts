import type { Reader } from "../../storage/transaction.ts";

export interface SignInLink {
  user_id: number;
  /** The user's when the link was made: a link of an earlier generation is void. */
  key_generation: number;
  made_by: number;
  /** Milliseconds since the epoch. */
  expires_at: number;
}

/** The link whose token has this digest; expired ones too. */
export const signInLinkByDigest = (reader: Reader, digest: string): SignInLink | undefined =>
  reader.get<SignInLink>(
    "SELECT user_id, key_generation, made_by, expires_at FROM sign_in_links WHERE digest = ?",
    digest,
  );
