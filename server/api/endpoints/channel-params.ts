import { z } from "zod";
import { rawOrJson } from "../../http/params.ts";

const retention = z.union([z.int().min(1), z.enum(["realm_default", "unlimited"])]);

/** The retention of messages, as clients send it. */
export const messageRetentionDays = () =>
  rawOrJson(retention).describe("Days, realm_default or unlimited; owners only.");

/** Null: the organization's retention; -1: unlimited. */
export const storedDays = (days: z.output<typeof retention>): number | null =>
  days === "realm_default" ? null : days === "unlimited" ? -1 : days;
