import { badRequest } from "../../errors.ts";
import { changeUserSettingDefaults } from "../actions/user-setting-defaults.ts";
import { USER_SETTING_DEFAULT_NAMES, USER_SETTING_DEFAULTS } from "../queries/user-settings.ts";
import { endpoint } from "./endpoint.ts";
import { settingParams } from "./setting-params.ts";

export const patchUserSettingDefaults = endpoint({
  route: "PATCH /realm/user_settings_defaults",
  summary: "Change what people begin with who join later; nobody's own settings change.",
  who: "administrator",
  refusal: () => badRequest("Only administrators may do this: insufficient permission."),
  params: settingParams(USER_SETTING_DEFAULTS, USER_SETTING_DEFAULT_NAMES),
  handle: ({ viewer, params, transact }) => {
    transact((tx) => changeUserSettingDefaults(tx, viewer, params));
    return {};
  },
});
