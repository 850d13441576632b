import { aboutParameter } from "../../errors.ts";
import { validPassword } from "../../host/credentials/passwords.ts";
import { integer, text } from "../../http/params.ts";
import { ownerToLetIn } from "../access/sign-in-links.ts";
import { changePassword } from "../actions/credentials.ts";
import { endpoint } from "./endpoint.ts";
import { rejectHeldPolls } from "./password.ts";

export const setOwnerPassword = endpoint({
  route: "POST /host/owner-passwords",
  summary: "As the operator, set the password of an owner who forgot it. Their keys and sessions from before are void.",
  who: "operator",
  outsideApi: true,
  params: { user_id: integer(), new_password: text().describe("6 to 100 characters.") },
  handle: async ({ viewer, reader, app, params, transact, source }) => {
    const user = ownerToLetIn(reader, params.user_id);
    const password = await aboutParameter("new_password", () =>
      validPassword(params.new_password, [user.full_name, user.email]),
    );
    const hash = await app.passwords.hash(password, { source, person: viewer?.id ?? user.id });
    transact((tx) => {
      const owner = ownerToLetIn(tx, user.id); // who may have changed while the password was hashed
      changePassword(tx, viewer ?? owner, owner, hash);
    });
    app.signIns.forgive(user.email, source); // those attempts no longer count
    rejectHeldPolls(app, user.id);
    return {};
  },
});
