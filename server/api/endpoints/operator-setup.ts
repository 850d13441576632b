import { z } from "zod";
import { alreadySetUp } from "../../errors.ts";
import { boolean, text } from "../../http/params.ts";
import { backupContents } from "./backup-contents.ts";
import { endpoint } from "./endpoint.ts";

/** After the first run. During the first run, server/host/first-run/setup.ts serves this route. */
export const setUp = endpoint({
  route: "POST /host/setup",
  summary: "First run: create the organization and its owner. Only from the server's machine.",
  who: "anyone",
  ownPagesOnly: true,
  outsideApi: true,
  params: {
    code: text().optional().describe("The one-time code that the server printed. Not needed for the operator."),
    organization: text().describe("Name of the organization."),
    owner_name: text(),
    owner_email: text().describe("The owner's address for signing in."),
    password: text().describe("6 to 100 characters."),
  },
  handle: () => {
    throw alreadySetUp();
  },
});

const fromBackup = {
  code: text().optional().describe("The one-time code that the server printed. Not needed for the operator."),
  file: text().describe("Absolute path of a backup on the server's machine."),
};

/** Only during the first run, like `POST /host/setup`. */
export const previewRestoreAtSetup = endpoint({
  route: "POST /host/setup/restore/preview",
  summary: "First run: verify a backup and report its contents. Only from the server's machine.",
  who: "anyone",
  ownPagesOnly: true,
  outsideApi: true,
  params: fromBackup,
  response: z.object({
    ...backupContents,
    needs_passphrase: z
      .boolean()
      .describe("Whether it contains the keys of apps and bots, encrypted with a passphrase."),
  }),
  handle: () => {
    throw alreadySetUp();
  },
});

export const restoreAtSetup = endpoint({
  route: "POST /host/setup/restore",
  summary: "First run: restore a backup instead of creating an organization. Only from the server's machine.",
  who: "anyone",
  ownPagesOnly: true,
  outsideApi: true,
  params: {
    ...fromBackup,
    passphrase: text().optional().describe("Passphrase of the backup, if it has one."),
    end_all_keys: boolean()
      .default(false)
      .describe("Restores without the passphrase. Apps and bots then need new keys."),
  },
  handle: () => {
    throw alreadySetUp();
  },
});
