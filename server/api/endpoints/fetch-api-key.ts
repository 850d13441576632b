import { z } from "zod";
import { text } from "../../http/params.ts";
import { endpoint } from "./endpoint.ts";
import { userByPassword } from "./password.ts";

export const fetchApiKey = endpoint({
  route: "POST /fetch_api_key",
  summary: "The API key of whoever knows the password.",
  who: "anyone",
  ignoreCredentials: true,
  params: { username: text().describe("The email address."), password: text() },
  response: z.object({ api_key: z.string(), email: z.string(), user_id: z.int() }),
  handle: async (call) => {
    const user = await userByPassword(call, call.params);
    return { api_key: call.app.keys.keyOf(user), email: user.email, user_id: user.id };
  },
});
