import { z } from "zod";
import { newLinkToken, SIGN_IN_LINK_SECONDS, userByLink, userToLetIn, voidLink } from "../access/sign-in-links.ts";
import { changePassword } from "../actions/credentials.ts";
import { makeSignInLink } from "../actions/sign-in-links.ts";
import type { App } from "../app.ts";
import { validPassword } from "../credentials/passwords.ts";
import { ApiError, aboutParameter } from "../errors.ts";
import { integer, text } from "../http/params.ts";
import { organizationSetting } from "../queries/organization.ts";
import type { User } from "../queries/users.ts";
import { endpoint } from "./endpoint.ts";
import { keysChanged } from "./password.ts";

export const postSignInLink = endpoint({
  route: "POST /host/sign-in-links",
  summary:
    "A link by which somebody who forgot their password sets a new one: once, within the hour. A newer one counts.",
  who: "administrator",
  bots: false,
  outsideApi: true,
  params: { user_id: integer() },
  response: z.object({ link: z.string(), expires_in_seconds: z.int() }),
  handle: ({ viewer, params, reader, transact, baseUrl, app }) => {
    const user = userToLetIn(reader, viewer, params.user_id);
    const token = newLinkToken();
    transact((tx) => makeSignInLink(tx, viewer, user, token));
    // Behind the #, so that it is in no log on its way.
    return {
      link: `${app.stateFeed.addressForOthers(baseUrl)}/reset/#${token}`,
      expires_in_seconds: SIGN_IN_LINK_SECONDS,
    };
  },
});

/** Slows down guessing of tokens from one address, though there are far too many to guess. */
function tried<T>({ app, address }: { app: App; address: string }, open: () => T): T {
  // No username holds \0: whoever tries to sign in by this name uses up nobody's attempts.
  const attempt = app.signIns.begin(`\0sign-in link ${address}`, address);
  try {
    const opened = open();
    attempt.succeeded();
    return opened;
  } catch (error) {
    attempt[error instanceof ApiError ? "failed" : "abandoned"]();
    throw error;
  }
}

const token = text().maxLength(100).describe("What stands behind the # of the link.");

export const openSignInLink = endpoint({
  route: "POST /host/sign-in-links/open",
  summary: "Whose password a link sets: for the page behind it.",
  who: "anyone",
  ignoreCredentials: true,
  ownPagesOnly: true,
  outsideApi: true,
  params: { token },
  response: z.object({ full_name: z.string(), email: z.string(), organization: z.string() }),
  handle: (call) => {
    const { reader, app, params } = call;
    const { full_name, email } = tried(call, () => userByLink(reader, params.token, app.now()));
    return { full_name, email, organization: organizationSetting(reader, "name") };
  },
});

export const resetPassword = endpoint({
  route: "POST /host/password-resets",
  summary: "Set a new password by a link. Keys and sessions from before are void, and so is the link.",
  who: "anyone",
  ignoreCredentials: true,
  ownPagesOnly: true,
  outsideApi: true,
  params: { token, new_password: text().describe("6 to 100 characters.") },
  handle: async (call) => {
    const { reader, app, params, transact } = call;
    const open = () => userByLink(reader, params.token, app.now());
    const user = tried(call, open);
    const password = aboutParameter("new_password", () =>
      validPassword(params.new_password, [user.full_name, user.email]),
    );
    const hash = await app.passwords.hash(password);
    transact((tx) => {
      // Of two at once, one gets it.
      const now: User = userByLink(tx, params.token, tx.now);
      if (now.id !== user.id) throw voidLink();
      changePassword(tx, now, now, hash);
    });
    // Who forgot a password has tried several: those do not keep them out now.
    app.signIns.forgive(user.email);
    keysChanged(app, user.id);
    return {};
  },
});
