import { z } from "zod";
import { listOf } from "../http/params.ts";

/** What a person says of themself, field by field. */
export const givenValues = listOf(z.object({ id: z.int(), value: z.union([z.string(), z.array(z.int())]).nullable() }));
