import { randomUUID } from "node:crypto";
import {
  completeMail,
  deleteMail,
  giveUpMail,
  mailMissedMessages,
  noteFailingAddress,
  noteFailure,
  postponeMail,
  postponeMissedMessages,
  prepareReset,
  retryPause,
} from "../../api/actions/mails.ts";
import { type MailContent, type MailLinks, mailContent, resetContent } from "../../api/presenters/mails.ts";
import {
  dueMails,
  isMailOn,
  isWaiting,
  type Mail,
  passwordBinding,
  sealedSmtpPassword,
  usersWithDueMails,
} from "../../api/queries/mails.ts";
import { operatorSetting } from "../../api/queries/operator-settings.ts";
import { isDeactivated, organizationSetting } from "../../api/queries/organization.ts";
import { userById } from "../../api/queries/users.ts";
import { problem, problemOf } from "../../errors.ts";
import type { ApiKeys, MailKeys } from "../../host/credentials/derived-keys.ts";
import type { RateLimiter } from "../../http/rate-limits.ts";
import { StorageClosed, StorageFailed, StorageFull } from "../../storage/errors.ts";
import type { Store } from "../../storage/store.ts";
import type { Transaction } from "../../storage/transaction.ts";
import { MailFailed, Smtp, type SmtpAccess, type SmtpTesting } from "./smtp.ts";

const LOOK_MS = 1000;
const AT_ONCE = 20;
const USERS_AT_ONCE = 50;
const MAIL = { actor: null, action: "send mails" };

function isWithin(limiter: RateLimiter, key: string | number): boolean {
  try {
    limiter.count(key);
    return true;
  } catch {
    return false;
  }
}

interface SenderOptions {
  store: Store;
  keys: ApiKeys;
  mailKeys: MailKeys;
  /** This server's URL, unless the operator set PUBLIC_URL. */
  ownUrl(): string;
  /** Protect the operator's account at the mail server. */
  limits: { all: RateLimiter; person: RateLimiter };
  now(): number;
  monotonic(): number;
  report(message: string, error: unknown): void;
  testing?: SmtpTesting | undefined;
}

/**
 * Sends the mails of the table `mails`, one after another. A mail is deleted after the mail server has accepted it, so a
 * crash in between repeats it, with the same Message-ID.
 */
export class MailSender {
  readonly #options: SenderOptions;
  readonly #smtp: Smtp;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  /** While the mail server fails, all mails wait. On the monotonic clock. */
  #pausedUntil = Number.NEGATIVE_INFINITY;
  #failures = 0;
  #failure = "";
  #isStopped = false;

  constructor(options: SenderOptions) {
    this.#options = options;
    this.#smtp = new Smtp(options.testing);
  }

  start(): void {
    this.#timer = setInterval(() => void this.run(), LOOK_MS);
  }

  /** Sends all mails that are due. */
  run(): Promise<void> {
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** The settings changed: tries again immediately. */
  refresh(): void {
    this.#smtp.close();
    this.#pausedUntil = Number.NEGATIVE_INFINITY;
    this.#failures = 0;
    this.#failure = "";
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    this.#smtp.close();
    await this.#running;
  }

  /** The URL of this server, for links in mails. */
  get baseUrl(): string {
    return operatorSetting(this.#options.store.reader, "PUBLIC_URL") ?? this.#options.ownUrl();
  }

  /** Whether the password of the setting SMTP is stored and readable. */
  get hasPassword(): boolean {
    return this.#password() !== undefined;
  }

  /** Sends a mail immediately. Resolves with its failure. */
  async sendNow(content: MailContent): Promise<MailFailed | undefined> {
    try {
      await this.#send(content, `hearth.test.${this.#options.now()}.${randomUUID()}`);
      return undefined;
    } catch (error) {
      if (error instanceof MailFailed) return error;
      throw error;
    }
  }

  async #run(): Promise<void> {
    try {
      this.#collect();
      while (await this.#sendSome());
    } catch (error) {
      const isStorage = [StorageFull, StorageFailed, StorageClosed].some((type) => error instanceof type);
      if (!isStorage) this.#options.report("Mails could not be sent", error);
    }
  }

  get #mayWork(): boolean {
    const { store } = this.#options;
    return !this.#isStopped && store.hasRoom && isMailOn(store.reader) && !isDeactivated(store.reader);
  }

  get #isPaused(): boolean {
    return this.#pausedUntil > this.#options.monotonic();
  }

  /** Makes mails of missed messages. */
  #collect(): void {
    const { store, now, limits } = this.#options;
    if (!this.#mayWork) return;
    for (const userId of usersWithDueMails(store.reader, now(), USERS_AT_ONCE)) {
      const isAllowed = isWithin(limits.person, userId);
      store.transact(MAIL, (tx) => (isAllowed ? mailMissedMessages : postponeMissedMessages)(tx, userId));
    }
  }

  /** Returns whether more may be due. */
  async #sendSome(): Promise<boolean> {
    const { store, now } = this.#options;
    if (!this.#mayWork || this.#isPaused) return false;
    const due = dueMails(store.reader, now(), AT_ONCE);
    if (due.length > 0) await store.durable();
    for (const mail of due) {
      if (!this.#mayWork || this.#isPaused || !isWithin(this.#options.limits.all, "all")) return false;
      if (isWaiting(store.reader, mail.id)) await this.#deliver(mail);
    }
    return due.length === AT_ONCE;
  }

  async #deliver(mail: Mail): Promise<void> {
    const { store, now, report } = this.#options;
    const write = (change: (tx: Transaction) => void) => store.transact(MAIL, change);
    try {
      const content = mail.expires_at > now() ? this.#contentOf(mail) : undefined;
      if (!content) {
        write((tx) => (mail.expires_at > now() ? deleteMail(tx, mail) : giveUpMail(tx, mail)));
        return;
      }
      await store.durable();
      await this.#send(content, `hearth.${mail.kind}.${mail.id}.${mail.created_at}`);
      this.#failures = 0;
      this.#failure = "";
      write((tx) => completeMail(tx, mail, content.receiver));
    } catch (error) {
      if (this.#isStopped) return;
      if (error instanceof MailFailed) this.#failed(mail, error);
      else if ([StorageFull, StorageFailed, StorageClosed].some((type) => error instanceof type)) throw error;
      else {
        report(`The mail ${mail.id} could not be written`, error);
        write((tx) => giveUpMail(tx, mail, problemOf(error)));
      }
    }
  }

  #failed(mail: Mail, error: MailFailed): void {
    const { store, monotonic } = this.#options;
    const write = (change: (tx: Transaction) => void) => store.transact(MAIL, change);
    const userId = this.#receiverOf(mail);
    switch (error.part) {
      case "server":
        this.#pausedUntil = monotonic() + retryPause(this.#failures);
        this.#failures += 1;
        // A long outage has one entry, not one for each attempt.
        if (this.#failure !== error.message) write((tx) => noteFailure(tx, error.problem));
        this.#failure = error.message;
        return;
      case "for now":
        write((tx) => postponeMail(tx, mail, error.problem));
        return;
      default:
        write((tx) => {
          giveUpMail(tx, mail, error.problem);
          const user = userId === undefined ? undefined : userById(tx, userId);
          if (user && error.part === "address") noteFailingAddress(tx, user, error.response);
        });
    }
  }

  #receiverOf(mail: Mail): number | undefined {
    if (mail.kind === "missed" || mail.kind === "sign_in") return mail.user_id;
    return mail.kind === "reset" ? (this.#resetContent(mail)?.receiver ?? undefined) : undefined;
  }

  #contentOf(mail: Mail): MailContent | undefined {
    return mail.kind === "reset"
      ? this.#resetContent(mail)
      : mailContent(this.#options.store.reader, mail, this.#links());
  }

  #resetContent(mail: Mail & { kind: "reset" }): MailContent | undefined {
    const { store, mailKeys } = this.#options;
    const token = mailKeys.resetToken(mail.facts.seed);
    const user = store.transact(MAIL, (tx) => prepareReset(tx, mail, token));
    return user && resetContent(store.reader, user, mail, this.#links());
  }

  #links(): MailLinks {
    const { keys, mailKeys } = this.#options;
    return {
      baseUrl: this.baseUrl,
      invitationToken: keys.invitationToken,
      resetToken: mailKeys.resetToken,
      unsubscribeToken: mailKeys.unsubscribeToken,
    };
  }

  async #send(content: MailContent, id: string): Promise<void> {
    const access = this.#access();
    const { reader } = this.#options.store;
    const fromName = access.setting.from_name || organizationSetting(reader, "name");
    await this.#smtp.send(access, { ...content, id, fromName });
  }

  #access(): SmtpAccess {
    const setting = operatorSetting(this.#options.store.reader, "SMTP");
    if (!setting) throw new MailFailed("server", problem("mail_off"));
    const password = setting.user === null ? undefined : this.#password();
    if (setting.user !== null && password === undefined)
      throw new MailFailed("server", problem("smtp_password_missing"));
    return { setting, password };
  }

  #password(): string | undefined {
    const { store, mailKeys } = this.#options;
    const setting = operatorSetting(store.reader, "SMTP");
    const environment = process.env["SMTP_PASSWORD"];
    if (environment) return environment;
    const sealed = setting && sealedSmtpPassword(store.reader);
    return setting && sealed !== undefined && sealed !== null
      ? mailKeys.openPassword(passwordBinding(setting), sealed)
      : undefined;
  }
}
