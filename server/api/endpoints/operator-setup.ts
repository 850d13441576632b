import { z } from "zod";
import { alreadySetUp } from "../../errors.ts";
import { boolean, text } from "../../http/params.ts";
import { backupContents } from "./backup-contents.ts";
import { endpoint } from "./endpoint.ts";

/** After the first run. During the first run, server/host/first-run/setup.ts serves this route. */
export const setUp = endpoint({
  route: "POST /host/setup",
  summary: "First run: make the organization and its owner. Only from the server's own machine.",
  who: "anyone",
  ownPagesOnly: true,
  outsideApi: true,
  params: {
    code: text().optional().describe("The one-time code that the server printed; not needed at the desktop."),
    organization: text().describe("Its name."),
    owner_name: text(),
    owner_email: text().describe("The address that the owner signs in with."),
    password: text().describe("6 to 100 characters."),
  },
  handle: () => {
    throw alreadySetUp();
  },
});

const fromBackup = {
  code: text().optional().describe("The one-time code that the server printed; not needed at the desktop."),
  file: text().describe("The whole path of a backup on the server's machine."),
};

/** Only during the first run, like `POST /host/setup`. */
export const previewRestoreAtSetup = endpoint({
  route: "POST /host/setup/restore/preview",
  summary: "First run: check every byte of a backup, and say what it holds. Only from the server's own machine.",
  who: "anyone",
  ownPagesOnly: true,
  outsideApi: true,
  params: fromBackup,
  response: z.object({
    ...backupContents,
    needs_passphrase: z.boolean().describe("It holds the keys of apps and bots, under a passphrase."),
  }),
  handle: () => {
    throw alreadySetUp();
  },
});

export const restoreAtSetup = endpoint({
  route: "POST /host/setup/restore",
  summary: "First run: begin with a backup in place of a new organization. Only from the server's own machine.",
  who: "anyone",
  ownPagesOnly: true,
  outsideApi: true,
  params: {
    ...fromBackup,
    passphrase: text().optional().describe("Of the backup, if it has one."),
    end_all_keys: boolean().default(false).describe("Instead of the passphrase: apps and bots need new keys."),
  },
  handle: () => {
    throw alreadySetUp();
  },
});
