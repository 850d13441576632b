import { isAbsolute } from "node:path";
import { z } from "zod";
import { badRequest, reported } from "../../errors.ts";
import { boolean, integer, json, text } from "../../http/params.ts";
import type { Choices, Counts } from "../../imports/choices.ts";
import { FORMATS } from "../../imports/model.ts";
import type { Reader } from "../../storage/transaction.ts";
import { exportOnWire, fetchedOnWire, importsOnWire, MAX_FAILURES } from "../presenters/imports.ts";
import { wireProblem } from "../presenters/problems.ts";
import { organizationSetting } from "../queries/organization.ts";
import { MAX_TOPIC_LENGTH } from "../queries/topics.ts";
import { endpoint, forOwners } from "./endpoint.ts";

const time = z.int().describe("Milliseconds since the epoch.");

const counts = z
  .object({
    people: z.int(),
    channels: z.int(),
    conversations: z.int().describe("Direct conversations with messages."),
    emoji: z.int().describe("Custom emoji with a picture."),
    messages: z.int(),
    reactions: z.int(),
    files: z.int().describe("Files in the export."),
    bytes: z.int().describe("Size of these files."),
    elsewhere: z.int().describe("Files that only the source has."),
    missing: z.int().describe("Files that are nowhere."),
  } satisfies Record<keyof Counts, z.ZodType>)
  .describe("The things that an import writes.");

const format = z.enum(FORMATS);

const month = /^\d{4}-(?:0[1-9]|1[0-2])$/;

const choices = z.object({
  channels: z.array(z.string()).describe("IDs of channels in the export."),
  direct_messages: z.boolean(),
  consent: z.boolean().describe("Confirms that private channels and direct messages may be imported."),
  since: z.string().regex(month).nullable().describe("The first UTC month, such as 2024-03; null for all messages."),
  unthreaded: z
    .union([z.literal("month"), z.object({ topic: z.string().trim().min(1).max(MAX_TOPIC_LENGTH) })])
    .describe("Topic of messages outside of threads: one for each month, or this one."),
  max_role: z.enum(["member", "moderator", "administrator", "owner"]).describe("The highest role that people get."),
});
type WireChoices = z.output<typeof choices>;

/** Topics of months are in the organization's language. */
const readChoices = (
  reader: Reader,
  { direct_messages: directMessages, max_role: maxRole, ...others }: WireChoices,
): Choices => ({ ...others, directMessages, maxRole, locale: organizationSetting(reader, "default_language") });

export const getImports = endpoint({
  ...forOwners,
  route: "GET /host/imports",
  summary: "Get the current import and the earlier ones.",
  response: z.object({
    current: z
      .object({
        stage: z.enum(["receiving", "reading", "ready", "fetching", "writing", "removing", "failed"]),
        name: z.string().describe("Name of the export's file or folder."),
        format: format.nullable().describe("null until it is recognised."),
        done: z.int().describe("Messages that are read or written, or files that are fetched."),
        total: z.int().describe("0: unknown."),
        problem: wireProblem.nullable(),
      })
      .nullable(),
    imports: z
      .array(
        z.object({
          id: z.int(),
          format,
          name: z.string(),
          started_by: z.int().nullable().describe("null: the operator."),
          started_at: time,
          finished_at: time.nullable(),
          state: z.enum(["writing", "done", "removing"]),
          counts,
          added_messages: z.int().describe("Messages that people have added to it since."),
          added_reactions: z.int(),
        }),
      )
      .describe("Newest first."),
  }),
  handle: ({ app: { imports }, reader }) => ({
    current: imports.state
      ? { ...imports.state, problem: imports.state.problem && reported(imports.state.problem) }
      : null,
    imports: importsOnWire(reader),
  }),
});

export const beginImport = endpoint({
  ...forOwners,
  route: "POST /host/imports/current",
  summary:
    "Begin an import. Its files follow, or it is a file or folder on the server's machine, which is read at once.",
  params: {
    name: text().optional().describe("Name of the export, if its files follow."),
    path: text().optional().describe("Path on the server's machine. Only for the operator."),
  },
  handle: async ({ app: { imports }, params: { name, path }, isOperator }) => {
    if (path === undefined) {
      if (name === undefined || name.trim() === "")
        throw badRequest("empty_value", { parameter: "name" }, { var_name: "name" });
      return imports.begin(name.trim().slice(0, 200));
    }
    if (!isOperator) throw badRequest("operator_only", {}, { var_name: "path" });
    if (!isAbsolute(path)) throw badRequest("file_path_not_absolute", { path }, { var_name: "path" });
    await imports.read(path);
  },
});

const FILE_LIMIT = { bytes: 2 ** 40, refusal: () => badRequest("import_unpacks_too_large") };

export const sendImportFile = endpoint({
  ...forOwners,
  route: "POST /host/imports/current/files",
  summary: "Send a file of the export.",
  takesFiles: { limit: () => FILE_LIMIT },
  countsTowardsLimit: () => false, // an export can have thousands of files
  params: { path: text().describe("Its path in the export's folder, or its name.") },
  handle: async ({ app: { imports }, files: [file], params: { path } }) => {
    if (!file) throw badRequest("file_missing");
    await imports.addFile(path, file.content);
  },
});

export const readImport = endpoint({
  ...forOwners,
  route: "POST /host/imports/current/read",
  summary: "Read the files that were sent, for the preview.",
  handle: ({ app: { imports } }) => imports.read(),
});

export const getImportPreview = endpoint({
  ...forOwners,
  route: "GET /host/imports/current/preview",
  summary: "Describe the export that was read.",
  response: z.object({
    format,
    people: z.object({
      total: z.int(),
      bots: z.int(),
      with_email: z.int().describe("People, not bots, with an email address."),
      matches: z
        .array(z.object({ name: z.string(), user_id: z.int() }))
        .describe("People with the email address of an account. They become that account."),
    }),
    channels: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        folder: z.string().nullable(),
        is_private: z.boolean(),
        is_archived: z.boolean(),
        members: z.int(),
        messages: z.int(),
        is_name_taken: z.boolean().describe("Whether a channel here has the name. The import adds a suffix."),
      }),
    ),
    direct: z.object({ conversations: z.int(), messages: z.int() }),
    files_elsewhere: z.int().describe("Files that only the source has."),
    messages_by_month: z.record(z.string(), z.int()).describe("By UTC month, such as 2024-03."),
    left_out: z.record(z.string(), z.int()).describe("Numbers of things that the import leaves out, by kind."),
    choices: choices.describe("Initial choices: all public channels."),
    fetched: z
      .object({
        fetched: z.int(),
        failed: z.int(),
        failures: z.array(z.object({ url: z.string(), problem: wireProblem })).describe(`The first ${MAX_FAILURES}.`),
      })
      .nullable()
      .describe("Files that the latest fetch got from the source."),
    upload_space_left: z.int().nullable().describe("Bytes for uploads; null: unlimited."),
  }),
  handle: ({ app: { imports }, reader }) => ({
    ...exportOnWire(reader, imports.prepared),
    fetched: fetchedOnWire(imports.fetched),
  }),
});

export const fetchImportFiles = endpoint({
  ...forOwners,
  route: "POST /host/imports/current/fetch",
  summary: "Fetch files of a Slack export from Slack. GET /host/imports reports progress.",
  params: { token: text().maxLength(500).optional().describe("A token of Slack with the scope files:read.") },
  handle: ({ app: { imports }, params }) => imports.fetch(params.token?.trim() || undefined),
});

export const stopFetchingImportFiles = endpoint({
  ...forOwners,
  route: "DELETE /host/imports/current/fetch",
  summary: "Stop fetching files. The files that have arrived stay.",
  handle: ({ app: { imports } }) => imports.stopFetching(),
});

export const countImport = endpoint({
  ...forOwners,
  route: "POST /host/imports/current/counts",
  summary: "Count what these choices import.",
  params: { choices: json(choices) },
  response: z.object({ counts }),
  handle: ({ app: { imports }, reader, params }) => ({ counts: imports.counts(readChoices(reader, params.choices)) }),
});

export const startImporting = endpoint({
  ...forOwners,
  route: "POST /host/imports/current/start",
  summary: "Write the import. GET /host/imports reports progress and failures.",
  params: { choices: json(choices) },
  response: z.object({ id: z.int() }),
  handle: async ({ app: { imports }, reader, viewer, isOperator, params, baseUrl }) => ({
    id: await imports.write(isOperator ? null : viewer, readChoices(reader, params.choices), baseUrl),
  }),
});

export const cancelImport = endpoint({
  ...forOwners,
  route: "DELETE /host/imports/current",
  summary: "Cancel the current import. It leaves nothing behind.",
  handle: ({ app: { imports } }) => imports.cancel(),
});

export const removeImport = endpoint({
  ...forOwners,
  route: "DELETE /host/imports/{import_id}",
  summary: "Remove everything that an import has written, except accounts that people have claimed.",
  params: {
    import_id: integer({ min: 1 }),
    with_additions: boolean()
      .default(false)
      .describe("Confirms that messages and reactions that people have added to it since are deleted too."),
  },
  handle: ({ app: { imports }, viewer, isOperator, params }) =>
    imports.remove(isOperator ? null : viewer, params.import_id, { withAdditions: params.with_additions }),
});
