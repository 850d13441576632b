import { z } from "zod";
import type { App } from "../../app.ts";
import { ApiError, problem } from "../../errors.ts";
import type { Transact } from "../../http/endpoint.ts";
import { FileAnswer } from "../../http/file-answers.ts";
import { integer } from "../../http/params.ts";
import {
  consentingPeople,
  exportToCancel,
  exportToDelete,
  exportToDownload,
  peopleToConsent,
} from "../access/exports.ts";
import { beginExport, deleteExport } from "../actions/exports.ts";
import { exportsOnWire, exportUrl, wireExport } from "../presenters/exports.ts";
import { storedProblemInWire, wireProblem } from "../presenters/problems.ts";
import {
  allExports,
  EXPORT_TYPE,
  type Export,
  exportFileName,
  isAvailable,
  isPending,
  MAX_LISTED_EXPORTS,
} from "../queries/exports.ts";
import type { User } from "../queries/users.ts";
import { endpoint } from "./endpoint.ts";

/** Not for bots, because their keys are stored in other programs. */
const forAdministrators = { who: "administrator", bots: false } as const;

const exportId = integer({ min: 1 });

export const getExports = endpoint({
  ...forAdministrators,
  route: "GET /export/realm",
  summary: "List the exports of the organization.",
  response: z.object({ exports: z.array(wireExport) }),
  handle: ({ reader }) => ({ exports: exportsOnWire(reader) }),
});

export const postExport = endpoint({
  ...forAdministrators,
  route: "POST /export/realm",
  summary: "Start an export. A realm_export event reports success or failure.",
  params: {
    export_type: integer({ min: EXPORT_TYPE.public, max: EXPORT_TYPE.withConsent })
      .default(EXPORT_TYPE.public)
      .describe("1: public data. 2: also private data of people who consent."),
  },
  response: z.object({ id: z.int() }),
  handle: ({ app, viewer, params, transact }) => {
    app.exports.assertFree();
    const type = params.export_type === EXPORT_TYPE.withConsent ? EXPORT_TYPE.withConsent : EXPORT_TYPE.public;
    const id = transact((tx) => beginExport(tx, viewer, type));
    app.exports.begin(id);
    return { id };
  },
});

export const deleteExportFile = endpoint({
  ...forAdministrators,
  route: "DELETE /export/realm/{export_id}",
  summary: "Delete the file of an export permanently.",
  params: { export_id: exportId },
  handle: async ({ app, viewer, params, transact }) => {
    const removed = removing(transact, viewer, params.export_id);
    await app.exports.remove(removed);
  },
});

function removing(transact: Transact, viewer: User, id: number): Export {
  return transact((tx) => {
    const removed = exportToDelete(tx, id);
    deleteExport(tx, viewer, removed);
    return removed;
  });
}

export const getExportConsents = endpoint({
  ...forAdministrators,
  route: "GET /export/realm/consents",
  summary: "List people and whether they consent to exporting their private data.",
  response: z.object({ export_consents: z.array(z.object({ user_id: z.int(), consented: z.boolean() })) }),
  handle: ({ reader }) => {
    const agreed = new Set(consentingPeople(reader).map(({ id }) => id));
    return {
      export_consents: peopleToConsent(reader).map(({ id }) => ({ user_id: id, consented: agreed.has(id) })),
    };
  },
});

const time = z.int().describe("Milliseconds since the epoch.");

export const getOperatorExports = endpoint({
  ...forAdministrators,
  route: "GET /host/exports",
  summary: "Get exports, their progress and the number of people who consent.",
  outsideApi: true,
  response: z.object({
    people: z.int(),
    consenting: z.int().describe("People who consent to exporting their private data."),
    work: z
      .object({
        id: z.int(),
        phase: z.enum(["messages", "files"]),
        done: z.int().describe("Processed messages, or bytes of files."),
        total: z.int().describe("0 at the start."),
      })
      .nullable()
      .describe("The running export."),
    exports: z
      .array(
        z.object({
          id: z.int(),
          name: z.string().describe("File name."),
          type: z.int(),
          made_by: z.int(),
          requested_at: time,
          state: z.enum(["pending", "there", "failed", "deleted"]),
          failure: wireProblem.nullable(),
          bytes: z.int().nullable(),
          holds: z
            .object({ people: z.int(), channels: z.int(), messages: z.int(), files: z.int() })
            .nullable()
            .describe("null until it is finished."),
          url: z.string().nullable(),
        }),
      )
      .describe("Newest first."),
  }),
  handle: ({ app: { exports }, reader }) => ({
    people: peopleToConsent(reader).length,
    consenting: consentingPeople(reader).length,
    work: exports.work ?? null,
    exports: allExports(reader, MAX_LISTED_EXPORTS).map((one) => ({
      id: one.id,
      name: exportFileName(one),
      type: one.type,
      made_by: one.acting_user_id,
      requested_at: one.requested_at,
      state: stateOf(one),
      failure: storedProblemInWire(one.failure),
      bytes: one.bytes,
      holds:
        one.finished_at === null
          ? null
          : {
              people: one.people ?? 0,
              channels: one.channels ?? 0,
              messages: one.messages ?? 0,
              files: one.files ?? 0,
            },
      url: isAvailable(one) ? exportUrl(one) : null,
    })),
  }),
});

function stateOf(one: Export): "pending" | "there" | "failed" | "deleted" {
  if (isPending(one)) return "pending";
  if (one.failed_at !== null) return "failed";
  return isAvailable(one) ? "there" : "deleted";
}

export const cancelExport = endpoint({
  ...forAdministrators,
  route: "POST /host/exports/{export_id}/cancel",
  summary: "Cancel the running export.",
  outsideApi: true,
  params: { export_id: exportId },
  handle: async ({ app, reader, params }) => {
    await app.exports.callOff(exportToCancel(reader, params.export_id).id);
  },
});

export const getExportFile = endpoint({
  ...forAdministrators,
  route: "GET /host/exports/{export_id}/file",
  summary: "Download an export: a tar archive with a README.md that describes it.",
  outsideApi: true,
  sendsFile: true,
  params: { export_id: exportId },
  handle: async ({ app, reader, params }) => {
    const found = exportToDownload(reader, params.export_id);
    return fileOf(app, found, await app.exports.sizeOf(found));
  },
});

function fileOf(app: App, found: Export, size: number | undefined): FileAnswer {
  if (size === undefined) throw new ApiError("BAD_REQUEST", problem("export_file_missing"), {}, { status: 404 });
  return new FileAnswer({
    size,
    etag: `export-${found.id}`,
    headers: {
      "content-type": "application/x-tar",
      "content-disposition": `attachment; filename="${exportFileName(found)}"`,
      "cache-control": "no-store",
    },
    read: (start, end) => app.exports.read(found, start, end),
  });
}
