import { badRequest, quoted } from "../../errors.ts";
import { text } from "../../http/params.ts";
import { changeUserSettings, type UserSettingChanges } from "../actions/user-settings.ts";
import { endpoint } from "./endpoint.ts";

const [DARK, LIGHT] = [2, 3] as const;

/** What each command changes of the caller's settings. */
const COMMANDS: Readonly<Record<string, UserSettingChanges>> = {
  ping: {},
  dark: { color_scheme: DARK },
  night: { color_scheme: DARK },
  light: { color_scheme: LIGHT },
  day: { color_scheme: LIGHT },
  "fluid-width": { fluid_layout_width: true },
  "fixed-width": { fluid_layout_width: false },
};

export const postCommand = endpoint({
  route: "POST /zcommand",
  summary: "Run a command that somebody typed as a message.",
  who: "member",
  guests: true,
  params: {
    command: text().describe(
      `One of ${Object.keys(COMMANDS)
        .map((name) => `/${name}`)
        .join(", ")}.`,
    ),
  },
  handle: ({ viewer, params, transact }) => {
    const command = params.command.trim();
    if (!command.startsWith("/")) throw badRequest("A command begins with a slash.");
    const name = command.slice(1);
    const changes = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (!changes) throw badRequest(`There is no command ${quoted(name)}.`);
    transact((tx) => changeUserSettings(tx, viewer, changes));
    return {};
  },
});
