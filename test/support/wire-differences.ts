const REACTION_TYPE = "reaction_type str(unicode_emoji|realm_emoji|zulip_extra_emoji|service_extra_emoji)";

/**
 * Why responses and events differ from the public protocol: by reason, then by route or event. The fields of these lines
 * replace or extend those of wire-contract.ts.
 */
export const DIFFERENCES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "the interface also has neutral names": {
    "GET /server_settings": ": service_version str; service_feature_level int",
    "GET /messages": `messages[].reactions[]: ${REACTION_TYPE}`,
    "GET /messages/{message_id}": `message.reactions[]: ${REACTION_TYPE}`,
    message: `message.reactions[]: ${REACTION_TYPE}`,
    "reaction/add": `: ${REACTION_TYPE}`,
    "reaction/remove": `: ${REACTION_TYPE}`,
    user_status: `: ${REACTION_TYPE.replace(" str(", "? str(|")}`,
  },
  "the public server leaves out empty parts of a status too": {
    "GET /users/{user_id}/status": `
    status: away? bool; status_text? str; emoji_name? str; emoji_code? str; ${REACTION_TYPE.replace(" ", "? ")}
  `,
  },
  "GET /events without a queue registers one": {
    "GET /events": `: last_event_id? int; zulip_version? str; zulip_merge_base? str; zulip_feature_level? int;
      service_version? str; service_feature_level? int; idle_queue_timeout_secs? int`,
  },
  "local_id has two names: decisions of the interface": { message: ": local_message_id? str" },
  "a terminal client still in use fails without it": {
    "subscription/add": "subscriptions[]: email_address str",
    "GET /users/me/subscriptions": "subscriptions[]: email_address str",
  },
  "a channel that a former subscriber can see again has their settings, which no other event sends": {
    "stream/create": `
    streams[]: email_address? str; color? str; is_muted? bool; in_home_view? bool; pin_to_top? bool;
      desktop_notifications? bool|null; audible_notifications? bool|null; push_notifications? bool|null;
      email_notifications? bool|null; wildcard_mentions_notify? bool|null
  `,
  },
  "a later level's field, for the pages that edit profile fields": {
    custom_profile_fields: "fields[]: use_for_user_matching bool",
    "GET /realm/profile_fields": "custom_fields[]: use_for_user_matching bool",
  },
  "a later level's event, for imported accounts that their person claims": {
    "realm_user/update": `
    : person
      {user_id:int,full_name:str}|{user_id:int,avatar_url:str|null,avatar_source:str,avatar_url_medium:str|null,avatar_version:int}|{user_id:int,email:str,timezone:str}|{user_id:int,bot_owner_id:int}|{user_id:int,role:int(100|200|300|400|600)}|{user_id:int,delivery_email:str|null}|{user_id:int,custom_profile_field:{id:int,value:str|null,rendered_value?:str}}|{user_id:int,new_email:str}|{user_id:int,is_active:bool}|{user_id:int,is_imported_stub:bool}
  `,
  },
  "the sign-in page offers reset links by mail: docs/protocol.md#email": {
    "GET /server_settings": ": realm_sends_email bool",
    "realm/update_dict": "data: sends_email? bool",
  },
  "Hearth may send no mail, so the response has the links": {
    "POST /invites": ": invitations object[]; emails_sent bool",
    "POST /invites/{invite_id}/resend": ": invitations object[]; emails_sent bool",
  },
  "programs of bots write to their owner": { "GET /users/me": ": bot_type? int; bot_owner_id? int|null" },
  "a new password voids the API key": { "PATCH /settings": ": api_key? str" },
  "older names that /register has too": {
    "realm/update_dict": `
    data: create_public_stream_policy? int; create_private_stream_policy? int; create_web_public_stream_policy? int;
      wildcard_mention_policy? int; allow_edit_history? bool
  `,
  },
};

/** The same for POST /register: by reason. */
export const REGISTER_DIFFERENCES: Readonly<Record<string, string>> = {
  "a terminal client still in use fails without it": "subscriptions[],unsubscribed[]: email_address str",
  "whether the server sends mail: docs/protocol.md#email": ": realm_sends_email bool",
  "an extension of Hearth: docs/protocol.md#organization-settings": ": realm_strip_image_metadata bool",
  "notifications of phones, an extension of Hearth: docs/protocol.md#notifications": `
    user_settings,realm_user_settings_defaults: message_content_in_push_notifications bool; push_away_minutes int;
      quiet_days int; quiet_hours_enabled bool; quiet_hours_end int; quiet_hours_start int; quiet_until int`,
  "the former name of url_options, which older clients read": "realm_incoming_webhook_bots[]: config_options object[]",
  "a later level's field, for the pages that edit profile fields":
    "custom_profile_fields[]: use_for_user_matching bool",
};
