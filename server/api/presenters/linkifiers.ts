import { z } from "zod";
import { linkifiers } from "../queries/linkifiers.ts";
import { registerPart } from "./register-part.ts";

/** A pattern that turns its matches in texts into links: docs/protocol.md#linkifiers. */
export const wireLinkifier = z.object({
  pattern: z.string().describe("An RE2 regular expression."),
  url_template: z.string().describe("An RFC 6570 template that uses the named groups of the pattern."),
  example_input: z.string().nullable().describe("A text that the pattern matches."),
  reverse_template: z.string().nullable().describe("The text for a URL, with the pattern's groups in braces."),
  alternative_url_templates: z.array(z.string()).describe("Templates of other URLs that can become the text."),
  id: z.int(),
});
export type WireLinkifier = z.output<typeof wireLinkifier>;

export const registerParts = {
  realm_linkifiers: registerPart({
    fields: { realm_linkifiers: z.array(wireLinkifier) },
    read: ({ reader, capabilities }) => ({
      realm_linkifiers: capabilities.linkifier_url_template ? [...linkifiers(reader)] : [],
    }),
    spectators: { realm_linkifiers: [] }, // spectators only get rendered content
  }),
  // The format before URL templates. It cannot express them.
  realm_filters: registerPart({
    fields: { realm_filters: z.array(z.never()) },
    read: () => ({ realm_filters: [] }),
    spectators: "same",
  }),
};
