import { createHash } from "node:crypto";
import type { NodemailerError, SMTPPoolOptions, SMTPPoolSentMessageInfo, Mail as Transporter } from "nodemailer";
import type { MailContent } from "../../api/presenters/mails.ts";
import { passwordBinding } from "../../api/queries/mails.ts";
import type { SmtpSetting } from "../../api/queries/operator-settings.ts";
import { Failure, type Problem, problem } from "../../errors.ts";
import { layoutOf } from "./layout.ts";

/** A provider may allow few connections. */
const MAX_CONNECTIONS = 1;
const TIMEOUT_MS = 20_000;
/** Responses of mail servers can be long. */
const MAX_RESPONSE = 300;

/**
 * The part that failed. `server`: the connection, or a refusal that concerns all mails. `address`: the receiver, permanently.
 * `mail`: this mail, permanently. `for now`: this mail, and a later attempt may succeed.
 */
export type FailedPart = "server" | "address" | "mail" | "for now";

export class MailFailed extends Failure {
  override readonly name = "MailFailed";
  readonly part: FailedPart;
  /** The response of the mail server; empty without one. It can contain the receiver's address, unlike `problem`. */
  readonly response: string;

  constructor(part: FailedPart, why: Problem, response = "") {
    super(why);
    this.part = part;
    this.response = response;
  }
}

export interface SmtpAccess {
  readonly setting: SmtpSetting;
  /** Undefined without a user. */
  readonly password: string | undefined;
}

export interface SmtpTesting {
  /** PEM of further certificate authorities. */
  ca?: string;
  timeoutMs?: number;
}

export interface OutgoingMail extends MailContent {
  /** Unique and stable: a repeated mail has the same Message-ID, by which mail clients recognize it. */
  readonly id: string;
  readonly fromName: string;
}

/** Sends mails over one connection, which stays open for a while. */
export class Smtp {
  readonly #testing: SmtpTesting;
  #open: { key: string; transport: Transporter<SMTPPoolSentMessageInfo, SMTPPoolOptions> } | undefined;

  constructor(testing: SmtpTesting = {}) {
    this.#testing = testing;
  }

  /** Resolves when the mail server has accepted the mail. @throws MailFailed */
  async send(access: SmtpAccess, mail: OutgoingMail): Promise<void> {
    const transport = await this.#transport(access);
    try {
      await transport.sendMail(messageOf(access.setting, mail));
    } catch (error) {
      throw failureOf(error as NodemailerError, access.setting, mail.to.address);
    }
  }

  /** Mails in progress fail. */
  close(): void {
    this.#open?.transport.close();
    this.#open = undefined;
  }

  async #transport({ setting, password }: SmtpAccess) {
    const key = JSON.stringify([passwordBinding(setting), password]);
    if (this.#open?.key === key) return this.#open.transport;
    // Loaded with the first mail, so that the start does not wait for it.
    const { createTransport } = await import("nodemailer");
    this.close();
    const { timeoutMs = TIMEOUT_MS, ca } = this.#testing;
    const { host, port, security, user } = setting;
    const transport = createTransport({
      pool: true,
      maxConnections: MAX_CONNECTIONS,
      maxRequeues: 0, // a mail that may have been accepted is not repeated silently
      host,
      port,
      secure: security === "tls",
      requireTLS: security === "starttls",
      ignoreTLS: security === "none",
      tls: { minVersion: "TLSv1.2", ...(ca !== undefined && { ca }) },
      ...(user !== null && { auth: { user, pass: password ?? "" } }),
      dnsTimeout: timeoutMs,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    // Each send reports its own error.
    transport.on("error", () => {});
    this.#open = { key, transport };
    return transport;
  }
}

/** Names and subjects come from people. A line break in a header would start another header. */
const oneLine = (text: string): string =>
  text
    .replace(/[\p{Cc}\u2028\u2029]+/gu, " ")
    .trim()
    .slice(0, 250);

function messageOf(setting: SmtpSetting, mail: OutgoingMail) {
  const { from_address } = setting;
  const domain = from_address.slice(from_address.lastIndexOf("@") + 1);
  const { to, subject, thread, unsubscribeUrl } = mail;
  return {
    from: { name: oneLine(mail.fromName), address: from_address },
    to: { name: oneLine(to.name), address: to.address },
    subject: oneLine(subject),
    messageId: `<${mail.id}@${domain}>`,
    // The first mail of a thread is never sent: each mail refers to the same id, so that clients show them together.
    ...(thread !== undefined && { references: `<${hash(`${mail.receiver} ${thread}`)}@${domain}>` }),
    headers: {
      "Auto-Submitted": "auto-generated",
      "X-Auto-Response-Suppress": "All",
      ...(unsubscribeUrl && {
        "List-Unsubscribe": { prepared: true, value: `<${unsubscribeUrl}>` },
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
      }),
    },
    ...layoutOf(mail),
  };
}

const hash = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 32);

const REFUSED = new Set(["ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH", "ECONNRESET"]);
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO|ERR_TLS/;

function failureOf(error: NodemailerError, { host, port, from_address }: SmtpSetting, to: string): MailFailed {
  const { code, command, responseCode = 0 } = error;
  const cause = (error as { originalCode?: string }).originalCode ?? code ?? "";
  const full = oneLine(error.response ?? "").slice(0, MAX_RESPONSE);
  const response = withoutAddress(full, to);
  const server = (why: Problem) => new MailFailed("server", why, full);
  if (code === "EDNS") return server(problem("smtp_host_not_found", { host }));
  if (code === "ETIMEDOUT") return server(problem("smtp_timeout", { host, port }));
  if (REFUSED.has(cause)) return server(problem("smtp_connection_refused", { host, port }));
  if (CERTIFICATE.test(cause) || CERTIFICATE.test(error.message))
    return server(problem("smtp_certificate_refused", { host, cause: shortCause(error) }));
  if (code === "ETLS" || command === "STARTTLS") return server(problem("smtp_encryption_failed", { host, port }));
  if (code === "EAUTH")
    return server(problem("smtp_sign_in_refused", { host, response: response || shortCause(error) }));
  if (command === "MAIL FROM" && responseCode >= 500)
    return server(problem("smtp_sender_refused", { address: from_address, response }));
  if (responseCode >= 500 && command === "RCPT TO")
    return new MailFailed("address", problem("smtp_receiver_refused", { response }), full);
  if (responseCode >= 500 && command === "DATA")
    return new MailFailed("mail", problem("smtp_mail_refused", { response }), full);
  if (responseCode >= 400 && (command === "RCPT TO" || command === "DATA"))
    return new MailFailed("for now", problem("smtp_refused_for_now", { response }), full);
  // The library refuses addresses that no mail server would take.
  if (code === "EENVELOPE" && command === "API")
    return new MailFailed(
      "address",
      problem("smtp_receiver_refused", { response: shortCause(error) }),
      shortCause(error),
    );
  return server(problem("smtp_failed", { host, cause: shortCause(error) }));
}

/** The operator sees failures, but may not see the address. */
const withoutAddress = (response: string, address: string): string =>
  response.replace(new RegExp(address.replace(/[^\p{L}\p{N}]/gu, "\\$&"), "gi"), "…");

const shortCause = ({ message }: Error): string => oneLine(message).slice(0, MAX_RESPONSE);
