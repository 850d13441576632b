import { z } from "zod";
import { renderMarkdown } from "../../markdown/render.ts";
import { FEATURE_LEVEL, VERSION, ZULIP_MERGE_BASE, ZULIP_VERSION } from "../../version.ts";
import { organizationPictureUrl } from "../presenters/pictures.ts";
import { isMailOn } from "../queries/mails.ts";
import { isPublicAccessOn, organizationSetting } from "../queries/organization.ts";
import { endpoint } from "./endpoint.ts";

const NOT_OFFERED = {
  dev: false,
  ldap: false,
  remoteuser: false,
  github: false,
  azuread: false,
  gitlab: false,
  apple: false,
  google: false,
  saml: false,
  "openid connect": false,
};

export const getServerSettings = endpoint({
  route: "GET /server_settings",
  summary: "Get information that clients need before signing in.",
  who: "anyone",
  ignoreCredentials: true,
  response: z.object({
    authentication_methods: z.record(z.string(), z.boolean()).describe("Deprecated."),
    external_authentication_methods: z.array(z.never()),
    email_auth_enabled: z.boolean(),
    require_email_format_usernames: z.boolean(),
    service_feature_level: z.int(),
    service_version: z.string(),
    zulip_feature_level: z.int(),
    zulip_version: z.string(),
    zulip_merge_base: z.string(),
    push_notifications_enabled: z.boolean(),
    is_incompatible: z.boolean(),
    realm_url: z.string(),
    realm_uri: z.string().describe("Deprecated."),
    realm_name: z.string(),
    realm_icon: z.string(),
    realm_description: z.string().describe("HTML."),
    realm_web_public_access_enabled: z.boolean(),
    realm_sends_email: z.boolean().describe("Whether POST /host/reset-mails can send password reset links."),
  }),
  handle: ({ reader, baseUrl }) => {
    const password = organizationSetting(reader, "authentication_methods")["Email"] ?? false;
    return {
      authentication_methods: { password, email: password, ...NOT_OFFERED },
      external_authentication_methods: [],
      email_auth_enabled: password,
      require_email_format_usernames: true,
      service_feature_level: FEATURE_LEVEL,
      service_version: VERSION,
      zulip_feature_level: FEATURE_LEVEL,
      zulip_version: ZULIP_VERSION,
      zulip_merge_base: ZULIP_MERGE_BASE,
      push_notifications_enabled: false,
      is_incompatible: false,
      realm_url: baseUrl,
      realm_uri: baseUrl,
      realm_name: organizationSetting(reader, "name"),
      realm_icon: `${baseUrl}${organizationPictureUrl(reader, "icon")}`,
      realm_description: renderMarkdown(organizationSetting(reader, "description")).html,
      realm_web_public_access_enabled: isPublicAccessOn(reader),
      realm_sends_email: isMailOn(reader),
    };
  },
});
