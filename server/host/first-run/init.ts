import { mkdirSync } from "node:fs";
import { hostname } from "node:os";
import { validOrganizationName } from "../../api/access/organization.ts";
import { validEmail, validFullName } from "../../api/access/users.ts";
import { createGeneralChannel, createOrganization } from "../../api/actions/organization.ts";
import { createSession, type NewSession } from "../../api/actions/sessions.ts";
import { changeUserSettingDefaults, changeUserSettings } from "../../api/actions/user-settings.ts";
import { hasOrganization } from "../../api/queries/organization.ts";
import type { User } from "../../api/queries/users.ts";
import type { ServerTesting } from "../../server.ts";
import { openStore } from "../../storage/store.ts";
import type { Transaction } from "../../storage/transaction.ts";
import { passwordHashing, validPassword } from "../credentials/passwords.ts";
import { createSecret } from "../credentials/secret-key.ts";

export interface Initialization {
  /** The data folder, created if it is missing. */
  folder: string;
  organization: string;
  ownerEmail: string;
  ownerName: string;
  password: string;
  /** Adds the channel `general` with a first message, and makes Enter send. */
  general?: boolean;
  /** Signs the owner in. */
  session?: NewSession | undefined;
  testing?: Pick<ServerTesting, "passwordCost" | "segmentSize"> | undefined;
}

/** `desktop` → `desktop.local`; an invalid hostname → `hearth.local`. */
function emailHost(name = hostname()): string {
  const host = name.toLowerCase().replace(/\.$/, "");
  if (!/^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/.test(host)) return "hearth.local";
  return host.includes(".") ? host : `${host}.local`;
}

/** Defaults for an organization that a person creates, and not a script. */
function beginForPeople(tx: Transaction, owner: User, organizationName: string): void {
  createGeneralChannel(tx, owner, organizationName);
  // The protocol's default is a new line. Most chat programs send, so new people expect that.
  changeUserSettings(tx, owner, { enter_sends: true });
  changeUserSettingDefaults(tx, owner, { enter_sends: true });
}

/**
 * Creates an organization and its owner in a data folder, flushed to disk. Completes an interrupted call. Throws if the
 * folder already contains an organization.
 */
export async function initialize(options: Initialization): Promise<{ ownerId: number }> {
  const [name, email, full_name] = [
    validOrganizationName(options.organization),
    validEmail(options.ownerEmail),
    validFullName(options.ownerName),
  ];
  const { testing = {} } = options;
  const hashing = passwordHashing(testing.passwordCost === undefined ? {} : { cost: testing.passwordCost });
  const password_hash = await hashing.hash(await validPassword(options.password, [full_name, email]));
  mkdirSync(options.folder, { recursive: true, mode: 0o700 });
  createSecret(options.folder);
  const store = await openStore({ folder: options.folder, create: true, testing });
  try {
    if (hasOrganization(store.reader)) {
      throw new Error(`${options.folder} holds an organization already. Choose another folder.`);
    }
    const owner = store.transact({ actor: null, action: "init" }, (tx) => {
      const newOwner = createOrganization(tx, {
        name,
        owner: { email, full_name, password_hash },
        emailHost: emailHost(),
      });
      if (options.general) beginForPeople(tx, newOwner, name);
      if (options.session) createSession(tx, newOwner, options.session);
      return newOwner;
    });
    await store.durable();
    return { ownerId: owner.id };
  } finally {
    await store.close();
  }
}
