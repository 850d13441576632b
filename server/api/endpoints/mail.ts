import { z } from "zod";
import type { App } from "../../app.ts";
import { badRequest, refusedParameter, reported } from "../../errors.ts";
import { Redirect } from "../../http/file-answers.ts";
import { integer, json, rawOrJson, text } from "../../http/params.ts";
import { isDeliverable, personToMail } from "../access/mails.ts";
import { newResetSeed } from "../access/sign-in-links.ts";
import { userToChange, validEmail } from "../access/users.ts";
import { clearFailingAddress, requestReset, storeSmtpPassword, unsubscribeFromMails } from "../actions/mails.ts";
import { changeOperatorSettings } from "../actions/operator-settings.ts";
import {
  failingAddressesOnWire,
  mailStateOnWire,
  testContent,
  wireFailingAddress,
  wireMailState,
} from "../presenters/mails.ts";
import { wireProblem } from "../presenters/problems.ts";
import { isMailOn, passwordBinding } from "../queries/mails.ts";
import {
  isSetByEnvironment,
  operatorSetting,
  publicUrl,
  type SmtpSetting,
  smtpSetting,
} from "../queries/operator-settings.ts";
import { emailKey, userById } from "../queries/users.ts";
import { beforeSignIn, endpoint, forOwners } from "./endpoint.ts";

const MAX_PASSWORD_LENGTH = 500;

export const getMail = endpoint({
  route: "GET /host/mail",
  summary: "Get the mail server's settings, without the password, and the state of its mails.",
  ...forOwners,
  response: z.object({
    smtp: smtpSetting.nullable(),
    has_password: z.boolean().describe("Whether there is a password for this server and user."),
    public_url: publicUrl.nullable(),
    link_url: z.string().describe("The URL in mails: `public_url`, or this server's address in the network."),
    set_by_environment: z.array(z.enum(["SMTP", "PUBLIC_URL"])).describe("Settings that cannot be changed here."),
    state: wireMailState,
  }),
  handle: ({ reader, app }) => ({
    smtp: operatorSetting(reader, "SMTP"),
    has_password: app.mail.hasPassword,
    public_url: operatorSetting(reader, "PUBLIC_URL"),
    link_url: app.mail.baseUrl,
    set_by_environment: (["SMTP", "PUBLIC_URL"] as const).filter(isSetByEnvironment),
    state: mailStateOnWire(reader),
  }),
});

export const putMail = endpoint({
  route: "PUT /host/mail",
  summary: "Set the mail server, its password and the URL in mails. Omitted parameters do not change.",
  ...forOwners,
  params: {
    smtp: json(smtpSetting.nullable()).optional().describe("null: the server sends no email."),
    password: text()
      .maxLength(MAX_PASSWORD_LENGTH)
      .optional()
      .describe("Required after a change of server, security or user: no other server gets a stored password."),
    public_url: rawOrJson(publicUrl.nullable()).optional(),
  },
  handle: ({ viewer, params, reader, transact, app }) => {
    const { smtp, password, public_url } = params;
    const setting = smtp === undefined ? operatorSetting(reader, "SMTP") : smtp;
    assertHasPassword(app, setting, { given: password, before: operatorSetting(reader, "SMTP") });
    const sealed =
      password !== undefined && setting ? app.mailKeys.sealPassword(passwordBinding(setting), password) : undefined;
    transact((tx) => {
      if (sealed !== undefined || smtp === null) storeSmtpPassword(tx, sealed ?? null);
      changeOperatorSettings(tx, viewer, { SMTP: smtp, PUBLIC_URL: public_url });
    });
    app.mail.refresh();
  },
});

function assertHasPassword(
  app: App,
  setting: SmtpSetting | null,
  { given, before }: { given: string | undefined; before: SmtpSetting | null },
): void {
  if (!setting || setting.user === null || (given !== undefined && given !== "")) return;
  const isSame = before !== null && passwordBinding(before) === passwordBinding(setting);
  if (!process.env["SMTP_PASSWORD"] && (given === "" || !isSame || !app.mail.hasPassword))
    throw badRequest("smtp_password_missing", {}, { var_name: "password" });
}

export const testMail = endpoint({
  route: "POST /host/mail/test",
  summary: "Send a test mail, and get the mail server's error if it fails.",
  ...forOwners,
  params: { to: text().maxLength(254).optional().describe("An email address. Default: the caller's.") },
  response: z.object({ to: z.string(), problem: wireProblem.nullable() }),
  handle: async ({ viewer, params, reader, app }) => {
    if (!isMailOn(reader)) throw badRequest("mail_off");
    const to = params.to === undefined ? viewer?.email : validEmail(params.to);
    if (to === undefined || !isDeliverable(reader, to)) throw refusedParameter("to", "email_not_deliverable");
    const failure = await app.mail.sendNow(testContent(reader, viewer, to));
    return { to, problem: failure ? reported(failure.problem) : null };
  },
});

export const testOwnMail = endpoint({
  route: "POST /host/mail/own-test",
  summary: "Send a test mail to the caller's own email address.",
  who: "guest",
  bots: false,
  outsideApi: true,
  response: z.object({
    to: z.string(),
    is_sent: z.boolean(),
    response: z.string().nullable().describe("The mail server's refusal of this address."),
  }),
  handle: async ({ viewer, reader, transact, app }) => {
    if (!isMailOn(reader)) throw badRequest("mail_off");
    if (!personToMail(reader, viewer.id)) throw badRequest("email_not_deliverable", { parameter: "email" });
    app.ownMails.count(`test ${viewer.id}`);
    const failure = await app.mail.sendNow(testContent(reader, viewer, viewer.email));
    if (!failure) transact((tx) => clearFailingAddress(tx, viewer.id));
    // The other errors are about the operator's mail server.
    return { to: viewer.email, is_sent: !failure, response: failure?.part === "address" ? failure.response : null };
  },
});

export const getFailingAddresses = endpoint({
  route: "GET /host/failing-addresses",
  summary: "List people whose email address the mail server refused: the caller and, for administrators, others.",
  who: "guest",
  bots: false,
  outsideApi: true,
  response: z.object({ failing_addresses: z.array(wireFailingAddress) }),
  handle: ({ viewer, reader }) => ({ failing_addresses: failingAddressesOnWire(reader, viewer) }),
});

export const retryAddress = endpoint({
  route: "DELETE /host/failing-addresses/{user_id}",
  summary: "Send mails to a refused email address again: the caller's or, for administrators, another person's.",
  who: "guest",
  bots: false,
  outsideApi: true,
  params: { user_id: integer() },
  handle: ({ viewer, params, transact }) =>
    transact((tx) => {
      const user = params.user_id === viewer.id ? viewer : userToChange(tx, viewer, params.user_id);
      clearFailingAddress(tx, user.id);
    }),
});

export const requestResetMail = endpoint({
  route: "POST /host/reset-mails",
  summary: "Send a password reset link to an email address. The response is the same without an account.",
  ...beforeSignIn,
  params: { email: text().maxLength(254).describe("The address for signing in.") },
  handle: ({ params, reader, transact, app, source }) => {
    if (!isMailOn(reader)) throw badRequest("mail_off");
    const address = validEmail(params.email);
    app.resetMails.bySource.count(source);
    app.resetMails.byAddress.count(emailKey(address));
    // The account is looked up when the mail is sent, so the request takes the same time for all addresses.
    transact((tx) => requestReset(tx, address, newResetSeed()));
  },
});

const unsubscribeParams = { token: text().maxLength(100).describe("The token in the mail's link.") };

/** In the header of mails. Mail clients call it with POST (RFC 8058), or open it in a browser. */
export const openUnsubscribe = endpoint({
  route: "GET /host/unsubscribe/{token}",
  summary: "Open the page that turns off mails about messages.",
  who: "anyone",
  ignoreCredentials: true,
  outsideApi: true,
  sendsFile: true,
  params: unsubscribeParams,
  handle: ({ params }) => new Redirect(`/unsubscribe/#${encodeURIComponent(params.token)}`),
});

export const unsubscribe = endpoint({
  route: "POST /host/unsubscribe/{token}",
  summary: "Turn off a person's mails about messages, with the token of such a mail.",
  who: "anyone",
  ignoreCredentials: true,
  outsideApi: true,
  params: unsubscribeParams,
  handle: ({ params, transact, app }) => {
    const userId = app.mailKeys.userOfUnsubscribeToken(params.token);
    transact((tx) => {
      const user = userId === undefined ? undefined : userById(tx, userId);
      if (!user) throw badRequest("unsubscribe_link_invalid", {}, { var_name: "token" });
      unsubscribeFromMails(tx, user);
    });
  },
});
