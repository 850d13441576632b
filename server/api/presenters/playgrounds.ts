import { z } from "zod";
import { playgrounds } from "../queries/playgrounds.ts";
import { registerPart } from "./register-part.ts";

/** A site that runs code in one language: docs/protocol.md#playgrounds. */
const wirePlayground = z.object({
  id: z.int(),
  name: z.string(),
  pygments_language: z.string().describe("Value of `data-code-language` in code blocks."),
  url_template: z.string().describe("An RFC 6570 template with the variable `code`."),
});
export type WirePlayground = z.output<typeof wirePlayground>;

export const registerParts = {
  realm_playgrounds: registerPart({
    fields: { realm_playgrounds: z.array(wirePlayground) },
    read: ({ reader }) => ({ realm_playgrounds: [...playgrounds(reader)] }),
    spectators: "same",
  }),
};
