import { z } from "zod";
import { authenticationFailed, userDeactivated } from "../access/authentication.ts";
import { passwordHashOf, userByEmail, userById } from "../access/users.ts";
import { text } from "../http/params.ts";
import { endpoint } from "./endpoint.ts";

export const fetchApiKey = endpoint({
  route: "POST /fetch_api_key",
  summary: "The API key of whoever knows the password.",
  who: "anyone",
  ignoreCredentials: true,
  params: { username: text().describe("The email address."), password: text() },
  response: z.object({ api_key: z.string(), email: z.string(), user_id: z.int() }),
  handle: async ({ params, reader, app, address }) => {
    const attempt = app.signIns.begin(params.username, address);
    let end: keyof typeof attempt = "abandoned";
    try {
      const named = userByEmail(reader, params.username);
      const hash = named ? passwordHashOf(reader, named) : null;
      const accepted = await app.passwords.verify(params.password, hash);
      end = accepted ? "succeeded" : "failed";
      // Read again: much can happen while the password is hashed.
      const user = named && userById(reader, named.id);
      if (!accepted || !user || passwordHashOf(reader, user) !== hash) throw authenticationFailed();
      if (!user.is_active) throw userDeactivated();
      return { api_key: app.keys.keyOf(user), email: user.email, user_id: user.id };
    } finally {
      attempt[end]();
    }
  },
});
