import { exportScope } from "../../server/api/access/exports.ts";
import type { ExportType } from "../../server/api/queries/exports.ts";
import { plainFormat } from "../../server/host/exports/plain-format.ts";
import type { Organization } from "./organization.ts";

/** The files of the organization's export, without pictures and uploads. */
export function exportedFiles({ store, owner }: Organization, type: ExportType): Record<string, string> {
  const { reader } = store;
  const entries = plainFormat({
    reader,
    scope: exportScope(reader, type),
    type,
    viewer: owner,
    requestedAt: 0,
    version: "1.0.0",
    isPresent: () => false,
    advanced: () => {},
  });
  return Object.fromEntries(
    [...entries].map(({ name, content }) => [`export/${name}`, Buffer.from(content as Uint8Array).toString()]),
  );
}
