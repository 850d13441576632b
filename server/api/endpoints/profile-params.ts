import { z } from "zod";
import { listOf } from "../../http/params.ts";

/** What a person says of themself, field by field. */
/** Of one value of a field of people. */
const MAX_PEOPLE = 1000;

export const givenValues = listOf(
  z.object({ id: z.int(), value: z.union([z.string(), z.array(z.int()).max(MAX_PEOPLE)]).nullable() }),
);
