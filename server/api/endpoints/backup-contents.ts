import { z } from "zod";

/** Shown before a restore. */
export const backupContents = {
  organization: z.string().describe("Name of the organization in the backup."),
  created_at: z.int().describe("Milliseconds since the epoch."),
  version: z.string().describe("The Hearth version that created it."),
  people: z.int(),
  messages: z.int(),
  files: z.int(),
  bytes: z.int().describe("Size of the backup."),
};

interface Held {
  organization: string;
  created_at: number;
  version: string;
  people: number;
  messages: number;
  files: { count: number };
}

export const contentsOfBackup = ({ about, size }: { about: Held; size: number }) => {
  const { organization, created_at, version, people, messages, files } = about;
  return { organization, created_at, version, people, messages, files: files.count, bytes: size };
};
