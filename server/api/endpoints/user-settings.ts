import { z } from "zod";
import type { App } from "../../app.ts";
import { aboutParameter, badRequest, shortened } from "../../errors.ts";
import { validPassword } from "../../host/credentials/passwords.ts";
import type { Transact } from "../../http/endpoint.ts";
import { text } from "../../http/params.ts";
import type { Reader, Transaction } from "../../storage/transaction.ts";
import { assertMayChangeOwn } from "../access/users.ts";
import { changePassword } from "../actions/sessions.ts";
import { changeUserSettingDefaults, changeUserSettings, type UserSettingChanges } from "../actions/user-settings.ts";
import { changeEmail, changeFullName } from "../actions/users.ts";
import {
  USER_SETTING_DEFAULT_NAMES,
  USER_SETTING_DEFAULTS,
  USER_SETTING_NAMES,
  USER_SETTINGS,
} from "../queries/user-settings.ts";
import { type User, userById } from "../queries/users.ts";
import { endpoint, type ValuesOf } from "./endpoint.ts";
import { settingParams } from "./params.ts";
import { assertKeyIsCurrent, assertPassword, keepSignedIn, rejectHeldPolls, turnOf } from "./password.ts";

const account = {
  full_name: text()
    .optional()
    .describe("2 to 100 characters. Refused if the organization does not allow name changes."),
  email: text()
    .optional()
    .describe("The new address for signing in. Refused if the organization does not allow email changes."),
  old_password: text()
    .optional()
    .describe("Required with new_password, and with email unless the caller is the operator."),
  new_password: text().optional().describe("6 to 100 characters. Voids all keys and sessions."),
};

interface SettingsCall {
  viewer: User;
  reader: Reader;
  transact: Transact;
  app: App;
  isOperator: boolean;
  source: string;
  userAgent: string;
  session: string | undefined;
  setSession(token: string, seconds: number): void;
  params: UserSettingChanges & Partial<ValuesOf<typeof account>>;
}

const isNewEmail = (viewer: User, email: string): boolean => email.trim() !== viewer.email;

function changeAll(
  tx: Transaction,
  viewer: User,
  { full_name, email, old_password, new_password, ...rest }: SettingsCall["params"],
) {
  const owner = () => userById(tx, viewer.id) as User;
  if (full_name !== undefined && full_name.trim() !== viewer.full_name)
    aboutParameter("full_name", () => {
      assertMayChangeOwn(tx, owner(), "name");
      changeFullName(tx, viewer, owner(), full_name);
    });
  if (email !== undefined && isNewEmail(viewer, email))
    aboutParameter("email", () => {
      assertMayChangeOwn(tx, owner(), "email");
      changeEmail(tx, viewer, owner(), email);
    });
  changeUserSettings(tx, owner(), rest);
}

/** Limits how many addresses a user can try. Otherwise they could find out which ones have an account. */
function countingEmails<T>({ app, viewer, params }: SettingsCall, change: () => T): T {
  if (params.email === undefined || !isNewEmail(viewer, params.email)) return change();
  const key = `\0email of user ${viewer.id}`; // No username contains \0, so others cannot use up this limit.
  const attempt = app.signIns.begin(key, key);
  try {
    return change();
  } finally {
    attempt.failed();
  }
}

/** Makes all changes, or none if the old password is wrong. */
async function changeWithPassword(call: SettingsCall, new_password: string): Promise<{ api_key: string }> {
  const { viewer, app, params } = call;
  await assertPassword(call, viewer, params.old_password);
  const names = [params.full_name ?? viewer.full_name, params.email ?? viewer.email];
  const password = await aboutParameter("new_password", () => validPassword(new_password, names));
  const hash = await app.passwords.hash(password, turnOf(call));
  const user = countingEmails(call, () =>
    keepSignedIn(call, (tx) => {
      assertKeyIsCurrent(tx, viewer);
      changeAll(tx, viewer, params);
      return changePassword(tx, viewer, viewer, hash);
    }),
  );
  rejectHeldPolls(app, viewer.id);
  return { api_key: app.keys.keyOf(user) };
}

/** A person with the key or session must not take over the account with a new email address. */
async function changeEmailWithPassword(call: SettingsCall): Promise<Record<string, never>> {
  const { viewer, transact, params } = call;
  await assertPassword(call, viewer, params.old_password);
  countingEmails(call, () =>
    transact((tx) => {
      assertKeyIsCurrent(tx, viewer);
      changeAll(tx, viewer, params);
    }),
  );
  return {};
}

/** PATCH /settings and its two legacy routes. */
const settingsEndpoint = <const Route extends string>(route: Route, summary: string) =>
  endpoint({
    route,
    summary,
    who: "guest",
    bots: false,
    params: { ...account, ...settingParams(USER_SETTINGS, USER_SETTING_NAMES) },
    response: z.object({
      api_key: z.string().optional().describe("The new key, if new_password is given."),
    }),
    handle: (call): { api_key?: string } | Promise<{ api_key?: string }> => {
      const { viewer, params, transact, isOperator } = call;
      if (params.new_password !== undefined) return changeWithPassword(call, params.new_password);
      if (!isOperator && params.email !== undefined && isNewEmail(viewer, params.email))
        return changeEmailWithPassword(call);
      countingEmails(call, () => transact((tx) => changeAll(tx, viewer, params)));
      return {};
    },
  });

export const patchSettings = settingsEndpoint("PATCH /settings", "Change one's own settings; what is left out stays.");
export const patchDisplaySettings = settingsEndpoint("PATCH /settings/display", "Deprecated: PATCH /settings.");
export const patchNotificationSettings = settingsEndpoint(
  "PATCH /settings/notifications",
  "Deprecated: PATCH /settings.",
);

export const patchUserSettingDefaults = endpoint({
  route: "PATCH /realm/user_settings_defaults",
  summary: "Change the default settings of people who join later. Existing users do not change.",
  who: "administrator",
  refusal: () => badRequest("administrators_only"),
  params: settingParams(USER_SETTING_DEFAULTS, USER_SETTING_DEFAULT_NAMES),
  handle: ({ viewer, params, transact }) => transact((tx) => changeUserSettingDefaults(tx, viewer, params)),
});

const [DARK, LIGHT] = [2, 3] as const;

/** Settings that each command changes. */
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
  summary: "Run a command that the user typed as a message.",
  who: "guest",
  params: {
    command: text().describe(
      `One of ${Object.keys(COMMANDS)
        .map((name) => `/${name}`)
        .join(", ")}.`,
    ),
  },
  handle: ({ viewer, params, transact }) => {
    const command = params.command.trim();
    if (!command.startsWith("/")) throw badRequest("command_without_slash");
    const name = command.slice(1);
    const changes = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (!changes) throw badRequest("unknown_command", { command: shortened(name) });
    transact((tx) => changeUserSettings(tx, viewer, changes));
  },
});
