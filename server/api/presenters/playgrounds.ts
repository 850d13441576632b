import { z } from "zod";
import { playgrounds, wirePlayground } from "../queries/playgrounds.ts";
import { registerPart } from "./register-part.ts";

export const registerParts = {
  realm_playgrounds: registerPart({
    fields: { realm_playgrounds: z.array(wirePlayground) },
    read: ({ reader }) => ({ realm_playgrounds: [...playgrounds(reader)] }),
    spectators: "same",
  }),
};
