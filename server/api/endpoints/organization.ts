import { z } from "zod";
import { refusedParameter } from "../../errors.ts";
import { json, text } from "../../http/params.ts";
import { messageText } from "../../markdown/render.ts";
import { allowedOrganizationChanges } from "../access/organization.ts";
import { notifyUser } from "../actions/notices.ts";
import { changeOperatorSettings } from "../actions/operator-settings.ts";
import { changeOrganizationSettings } from "../actions/organization-settings.ts";
import { settingOnWire } from "../presenters/organization-settings.ts";
import { MAX_WELCOME_TEXT_LENGTH } from "../queries/invitations.ts";
import { organizationSettings } from "../queries/organization.ts";
import { ORGANIZATION_SETTINGS, PATCHABLE } from "../queries/organization-settings.ts";
import { ORGANIZATION_GROUP_SETTINGS, type OrganizationGroupSettingName } from "../queries/permission-settings.ts";
import { endpoint } from "./endpoint.ts";
import { groupUpdateParams, settingParams } from "./params.ts";

const groupParams = groupUpdateParams(Object.keys(ORGANIZATION_GROUP_SETTINGS) as OrganizationGroupSettingName[]);

export const changeOrganization = endpoint({
  route: "PATCH /realm",
  summary: "Change the organization's settings. Omitted settings do not change.",
  who: "administrator",
  params: { ...settingParams(ORGANIZATION_SETTINGS, PATCHABLE), ...groupParams },
  response: z.record(z.string(), z.unknown()).describe("New values of changed settings."),
  handle: ({ viewer, params, reader, transact }) => {
    const changed = transact((tx) =>
      changeOrganizationSettings(tx, viewer, allowedOrganizationChanges(tx, viewer, params)),
    );
    const present = organizationSettings(reader);
    return Object.fromEntries(changed.map((name) => [name, settingOnWire(reader, present, name)[name]]));
  },
});

export const testWelcomeMessage = endpoint({
  route: "POST /realm/test_welcome_bot_custom_message",
  summary: "Send the caller a welcome message as new users would get it.",
  who: "administrator",
  params: { welcome_message_custom_text: text().normalized(messageText).maxLength(MAX_WELCOME_TEXT_LENGTH) },
  response: z.object({ message_id: z.int() }),
  handle: ({ viewer, params, transact }) => {
    const content = params.welcome_message_custom_text;
    if (content === "") throw refusedParameter("welcome_message_custom_text", "message_empty");
    return { message_id: transact((tx) => notifyUser(tx, viewer.id, content)) as number };
  },
});

export const deactivateOrganization = endpoint({
  route: "POST /realm/deactivate",
  summary: "Deactivate the organization. All data stays. The operator can reactivate it with PATCH /host/settings.",
  who: "owner",
  bots: false,
  params: {
    deletion_delay_days: json(z.int().nullable()).optional().describe("Only null is supported: nothing is deleted."),
  },
  handle: ({ viewer, params, transact }) => {
    if (typeof params.deletion_delay_days === "number")
      throw refusedParameter("deletion_delay_days", "deletion_delay_not_supported");
    transact((tx) => changeOperatorSettings(tx, viewer, { ORGANIZATION_DEACTIVATED: true }));
  },
});
