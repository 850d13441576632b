import { z } from "zod";
import { integrations } from "../../integrations/incoming/registry.ts";
import { endpoint } from "./endpoint.ts";

export const getIntegrations = endpoint({
  route: "GET /host/integrations",
  summary: "The services that can tell an incoming webhook something, and how each is set up.",
  who: "member",
  outsideApi: true,
  response: z.object({
    integrations: z.array(
      z.object({
        name: z.string().describe("Its place in the address."),
        display_name: z.string(),
        color: z.string().describe("Of its logo: #rrggbb."),
        is_signed: z.boolean().describe("Whether it signs what it sends, where the bot has a secret."),
        set_up: z.string().describe("Markdown; {address} stands for the bot's address for this service."),
      }),
    ),
  }),
  handle: () => ({
    integrations: integrations.map(({ name, displayName, color, verify, setUp }) => ({
      name,
      display_name: displayName,
      color,
      is_signed: verify !== undefined,
      set_up: setUp,
    })),
  }),
});
