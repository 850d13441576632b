import type { WebhookSecretKind, WebhookSecrets } from "../../host/credentials/derived-keys.ts";
import type { Bot } from "../queries/bots.ts";

/** What a bot's webhook is secured by. Undefined: the bot has none; or it is named in `unreadable`. */
export interface OpenedSecrets {
  webhook_secret: string | undefined;
  token: string | undefined;
  signing_secret: string | undefined;
  /** Sealed under another `secret.key`: they have to be set again. */
  unreadable: WebhookSecretKind[];
}

export function openedSecrets(secrets: WebhookSecrets, { user, service, sealedWebhookSecret }: Bot): OpenedSecrets {
  const unreadable: WebhookSecretKind[] = [];
  const open = (kind: WebhookSecretKind, sealed: string | null | undefined): string | undefined => {
    if (sealed === null || sealed === undefined) return undefined;
    const value = secrets.open(kind, user.id, sealed);
    if (value === undefined) unreadable.push(kind);
    return value;
  };
  return {
    webhook_secret: open("webhook_secret", sealedWebhookSecret),
    token: open("token", service?.sealedToken),
    signing_secret: open("signing_secret", service?.sealedSecret),
    unreadable,
  };
}

/** The token of an outgoing webhook, for clients; empty if the bot has none or it cannot be read. */
export const tokenOf = (secrets: WebhookSecrets, bot: Bot | undefined): string =>
  (bot?.service && secrets.open("token", bot.user.id, bot.service.sealedToken)) ?? "";
