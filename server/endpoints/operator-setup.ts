import { alreadySetUp } from "../errors.ts";
import { text } from "../http/params.ts";
import { endpoint } from "./endpoint.ts";

/** The answer once there is an organization. In first run, server/first-run/setup.ts serves this route. */
export const setUp = endpoint({
  route: "POST /host/setup",
  summary: "First run: make the organization and its owner. Only from the server's own machine.",
  who: "anyone",
  ownPagesOnly: true,
  outsideApi: true,
  params: {
    code: text().optional().describe("The one-time code that the server printed; not needed at the desktop."),
    organization: text().describe("Its name."),
    owner_name: text(),
    owner_email: text().describe("The address that the owner signs in with."),
    password: text().describe("6 to 100 characters."),
  },
  handle: () => {
    throw alreadySetUp();
  },
});
