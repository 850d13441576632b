import { z } from "zod";
import type { App } from "../../app.ts";
import { ApiError, aboutParameter } from "../../errors.ts";
import { validPassword } from "../../host/credentials/passwords.ts";
import { integer, text } from "../../http/params.ts";
import {
  newLinkToken,
  ownerToResetPassword,
  SIGN_IN_LINK_SECONDS,
  userAndEmailOfLink,
  userByLink,
  userToResetPassword,
  voidLink,
} from "../access/sign-in-links.ts";
import { changePassword, rememberAddress } from "../actions/sessions.ts";
import { createSignInLink } from "../actions/sign-in-links.ts";
import { organizationSetting } from "../queries/organization.ts";
import type { User } from "../queries/users.ts";
import { beforeSignIn, endpoint } from "./endpoint.ts";
import { rejectHeldPolls } from "./password.ts";

export const postSignInLink = endpoint({
  route: "POST /host/sign-in-links",
  summary: "Create a password reset link for a user. It works once within an hour and replaces earlier links.",
  who: "administrator",
  bots: false,
  outsideApi: true,
  params: { user_id: integer() },
  response: z.object({ link: z.string(), expires_in_seconds: z.int() }),
  handle: ({ viewer, params, transact, baseUrl, app }) => {
    const token = newLinkToken();
    transact((tx) => createSignInLink(tx, viewer, userToResetPassword(tx, viewer, params.user_id), token));
    // Browsers do not send the fragment, so logs never contain the token.
    return {
      link: `${app.stateFeed.addressForOthers(baseUrl)}/reset/#${token}`,
      expires_in_seconds: SIGN_IN_LINK_SECONDS,
    };
  },
});

/** Limits guessing of tokens per source. */
function countingAttempts<T>({ app, source }: { app: App; source: string }, open: () => T): T {
  // No username contains \0, so sign-ins cannot use up these attempts.
  const attempt = app.signIns.begin(`\0sign-in link ${source}`, source);
  try {
    const result = open();
    attempt.succeeded();
    return result;
  } catch (error) {
    attempt[error instanceof ApiError ? "failed" : "abandoned"]();
    throw error;
  }
}

const token = text().maxLength(100).describe("The fragment of the link, after #.");

export const openSignInLink = endpoint({
  route: "POST /host/sign-in-links/open",
  summary: "Get the user of a password reset link, for its page.",
  ...beforeSignIn,
  params: { token },
  response: z.object({
    full_name: z.string(),
    email: z.string().nullable().describe("null if the link's creator cannot see it."),
    organization: z.string(),
  }),
  handle: (call) => {
    const { reader, app, params } = call;
    const { user, email } = countingAttempts(call, () => userAndEmailOfLink(reader, params.token, app.now()));
    return { full_name: user.full_name, email, organization: organizationSetting(reader, "name") };
  },
});

export const resetPassword = endpoint({
  route: "POST /host/password-resets",
  summary: "Set a new password with a reset link. Voids the link and all keys and sessions.",
  ...beforeSignIn,
  params: { token, new_password: text().describe("6 to 100 characters.") },
  handle: async (call) => {
    const { reader, app, params, transact, source } = call;
    const open = () => userByLink(reader, params.token, app.now());
    const user = countingAttempts(call, open);
    const password = await aboutParameter("new_password", () =>
      validPassword(params.new_password, [user.full_name, user.email]),
    );
    const hash = await app.passwords.hash(password, { source, person: user.id });
    transact((tx) => {
      // During hashing, another request may have used the link.
      const current: User = userByLink(tx, params.token, tx.now);
      if (current.id !== user.id) throw voidLink();
      rememberAddress(tx, changePassword(tx, current, current, hash), source);
    });
    // People who forgot their password have tried several.
    app.signIns.forgive(user.email, source);
    rejectHeldPolls(app, user.id);
  },
});

export const setOwnerPassword = endpoint({
  route: "POST /host/owner-passwords",
  summary: "Set the password of an owner. Only for the operator. Voids the owner's keys and sessions.",
  who: "operator",
  outsideApi: true,
  params: { user_id: integer(), new_password: text().describe("6 to 100 characters.") },
  handle: async ({ viewer, reader, app, params, transact, source }) => {
    const user = ownerToResetPassword(reader, params.user_id);
    const password = await aboutParameter("new_password", () =>
      validPassword(params.new_password, [user.full_name, user.email]),
    );
    const hash = await app.passwords.hash(password, { source, person: viewer?.id ?? user.id });
    transact((tx) => {
      const owner = ownerToResetPassword(tx, user.id); // The owner may have changed during hashing.
      changePassword(tx, viewer ?? owner, owner, hash);
    });
    app.signIns.forgive(user.email, source); // Failed attempts no longer count.
    rejectHeldPolls(app, user.id);
  },
});
