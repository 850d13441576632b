import { z } from "zod";
import { badRequest } from "../../errors.ts";
import { boolean, text } from "../../http/params.ts";
import { backupContents, contentsOfBackup } from "./backup-contents.ts";
import { refusing } from "./backup-refusals.ts";
import { endpoint } from "./endpoint.ts";

/** For owners too, who are told why they cannot. */
const forOwners = { who: "operator or owner", bots: false, outsideApi: true } as const;

const assertOperator = ({ isOperator }: { isOperator: boolean }) => {
  if (!isOperator)
    throw badRequest(
      "Only the operator can restore a backup: in Hearth's window on the server's machine, or with \"hearth restore\".",
    );
};

export const previewRestore = endpoint({
  ...forOwners,
  route: "POST /host/backups/{name}/restore/preview",
  summary: "Check every byte of a backup, and say what its restore would take away. Only for the operator.",
  params: { name: text() },
  response: z.object({
    ...backupContents,
    today: z
      .object({
        organization: z.string(),
        is_other_organization: z.boolean().describe("Of the backup: then nothing can be compared."),
        messages: z.int(),
        people: z.int(),
        key_rotations: z.int().describe("How many API keys were made anew: those before would count again."),
      })
      .describe("What the server holds now, and the backup does not."),
    needs_passphrase: z.boolean().describe("For the keys of apps and bots; or all keys end."),
  }),
  handle: async (call) => {
    assertOperator(call);
    const preview = await refusing(() => call.app.restores.preview(call.params.name));
    const { today, keys } = preview;
    return { ...contentsOfBackup(preview), today, needs_passphrase: keys === "the backup's" };
  },
});

export const restoreFromBackup = endpoint({
  ...forOwners,
  route: "POST /host/backups/{name}/restore",
  summary:
    "Have a backup take the place of everything; what is there now is kept aside. The server restarts, and then GET /host/backups says how it went. Only for the operator.",
  params: {
    name: text(),
    passphrase: text().optional().describe("Of the backup, where it is needed."),
    end_all_keys: boolean().default(false).describe("End all API keys and sign-ins: apps and bots need new ones."),
  },
  handle: async (call) => {
    assertOperator(call);
    const { name, passphrase, end_all_keys: endAllKeys } = call.params;
    await refusing(() => call.app.restores.begin(name, { passphrase, endAllKeys }));
    return {};
  },
});
