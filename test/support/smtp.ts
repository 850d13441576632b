import assert from "node:assert/strict";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { makeLeaf, makeRoot } from "../../server/host/https/certificates.ts";
import { type Chat, type ChatOptions, startChat } from "./chat.ts";

const DAY = 86_400_000;

/** A certificate for `localhost`, and the authority that signed it. */
function certificateAndAuthority(): { ca: string; cert: string; key: string } {
  const lifetime = { from: new Date(Date.now() - DAY), until: new Date(Date.now() + DAY) };
  const root = makeRoot({ name: "Test", names: ["localhost"], networks: [], ...lifetime });
  const { certificate, key } = makeLeaf(root, { name: "localhost", names: ["localhost"], ...lifetime });
  return {
    ca: root.certificate.toString(),
    cert: certificate.toString(),
    key: key.export({ type: "pkcs8", format: "pem" }) as string,
  };
}

/** A mail as the server received it. */
export interface ReceivedMail extends Omit<Email, "sender"> {
  readonly raw: string;
  /** The envelope. */
  readonly sender: string;
  readonly receivers: readonly string[];
  header(name: string): string | undefined;
}

type Reply = Error | undefined;

export interface MailServer {
  readonly port: number;
  /** PEM of the authority of its certificate. */
  readonly ca: string;
  readonly mails: ReceivedMail[];
  /** `user:password` of each sign-in. */
  readonly signIns: string[];
  /** Refuses with the returned error. */
  onSender: (address: string) => Reply;
  onReceiver: (address: string) => Reply;
  onMail: () => Reply;
  close(): Promise<void>;
}

export const refusal = (responseCode: number, text: string): Error => Object.assign(new Error(text), { responseCode });

export const MAIL_USER = { user: "hearth", password: "a mail password" };

interface Options {
  port?: number;
  security?: "tls" | "starttls" | "none";
  options?: SMTPServerOptions;
}

/** A mail server on this machine that accepts everything from `MAIL_USER`. */
export async function startMailServer(
  t: TestContext,
  { port = 0, security = "tls", options = {} }: Options = {},
): Promise<MailServer> {
  const { ca, cert, key } = certificateAndAuthority();
  const mails: ReceivedMail[] = [];
  const signIns: string[] = [];
  const smtp = new SMTPServer({
    secure: security === "tls",
    key,
    cert,
    authOptional: security === "none",
    disabledCommands: security === "none" ? ["STARTTLS", "AUTH"] : security === "tls" ? ["STARTTLS"] : [],
    closeTimeout: 100,
    onAuth({ username = "", password = "" }, _session, done) {
      signIns.push(`${username}:${password}`);
      const isRight = username === MAIL_USER.user && password === MAIL_USER.password;
      done(isRight ? null : refusal(535, "5.7.8 Wrong password"), isRight ? { user: username } : undefined);
    },
    onMailFrom: ({ address }, _session, done) => done(server.onSender(address)),
    onRcptTo: ({ address }, _session, done) => done(server.onReceiver(address)),
    async onData(stream, session, done) {
      const pieces: Buffer[] = [];
      for await (const piece of stream) pieces.push(piece as Buffer);
      const refused = server.onMail();
      if (!refused) mails.push(await receivedMail(Buffer.concat(pieces), session.envelope));
      done(refused);
    },
    ...options,
  });
  smtp.on("error", () => {}); // a client that distrusts the certificate
  const server: MailServer = {
    port: 0,
    ca,
    mails,
    signIns,
    onSender: () => undefined,
    onReceiver: () => undefined,
    onMail: () => undefined,
    close: () => new Promise((resolve) => smtp.close(() => resolve())),
  };
  const listening = smtp.listen(port, "127.0.0.1");
  if (!listening.listening) await once(listening, "listening");
  t.after(() => server.close());
  return Object.assign(server, { port: (listening.address() as AddressInfo).port });
}

async function receivedMail(
  raw: Buffer,
  envelope: { mailFrom: { address: string } | false; rcptTo: { address: string }[] },
): Promise<ReceivedMail> {
  const mail = await PostalMime.parse(raw);
  return {
    ...mail,
    raw: raw.toString(),
    sender: envelope.mailFrom ? envelope.mailFrom.address : "",
    receivers: envelope.rcptTo.map(({ address }) => address),
    header: (name) => mail.headers.find(({ key }) => key === name.toLowerCase())?.value,
  };
}

/** The setting SMTP for this server. */
export const smtpSettingFor = (
  { port }: MailServer,
  security: "tls" | "starttls" | "none" = "tls",
): Record<string, unknown> => ({
  host: "localhost",
  port,
  security,
  user: security === "none" ? null : MAIL_USER.user,
  from_address: "hearth@mail.example.org",
});

/** A chat whose operator has set up this mail server, with a clock. */
export async function startMailingChat(
  t: TestContext,
  { server, security = "tls", ...options }: ChatOptions & { server?: MailServer; security?: "tls" | "starttls" } = {},
): Promise<{ chat: Chat; server: MailServer; clock: { now: number }; send(): Promise<void> }> {
  const smtp = server ?? (await startMailServer(t, { security }));
  const clock = { now: Date.UTC(2026, 10, 28, 12) };
  const chat = await startChat(t, {
    unwatched: true,
    now: () => clock.now,
    ...options,
    testing: { smtp: { ca: smtp.ca }, ...options.testing },
  });
  const set = await chat.as("desdemona").put("/host/mail", {
    smtp: smtpSettingFor(smtp, security),
    password: MAIL_USER.password,
    public_url: "https://chat.example.org",
  });
  assert.equal(set.result, "success", set.msg);
  /** Sends the mails that are due. */
  const send = async () => {
    await chat.server.app.mail.run(); // one may be running, which began before
    await chat.server.app.mail.run();
  };
  return { chat, server: smtp, clock, send };
}
