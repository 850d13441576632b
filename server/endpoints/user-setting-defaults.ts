import { assertAdministrator } from "../access/organization-settings.ts";
import { changeUserSettingDefaults } from "../actions/user-setting-defaults.ts";
import { USER_SETTING_DEFAULT_NAMES, USER_SETTING_DEFAULTS } from "../queries/user-settings.ts";
import { endpoint } from "./endpoint.ts";
import { settingParams } from "./setting-params.ts";

export const patchUserSettingDefaults = endpoint({
  route: "PATCH /realm/user_settings_defaults",
  summary: "Change what people begin with who join later; nobody's own settings change.",
  // The handler asserts an administrator, since the error has another code than for other endpoints
  // (docs/protocol.md#refusals-by-role).
  who: "member",
  params: settingParams(USER_SETTING_DEFAULTS, USER_SETTING_DEFAULT_NAMES),
  handle: ({ viewer, params, transact }) => {
    assertAdministrator(viewer);
    transact((tx) => changeUserSettingDefaults(tx, viewer, params));
    return {};
  },
});
