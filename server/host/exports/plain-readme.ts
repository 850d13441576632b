/** Documents the fields that plain-format.ts writes. */
export const plainReadme = ({
  organization,
  madeAt,
  version,
  withConsent,
}: {
  organization: string;
  /** ISO 8601. */
  madeAt: string;
  version: string;
  withConsent: boolean;
}): string => `# ${organization}

An export of this organization, made by Hearth ${version} at ${madeAt}.

${
  withConsent
    ? `It holds what was said in channels that are not private, and what those people can read who agreed to the export of
their private messages: their direct messages, and what the private channels show them that they are subscribed to.
It also holds which messages they starred. \`export.json\` says who they are.`
    : `It holds what was said in channels that are not private. Private channels and direct messages are not in it.`
}
It holds no passwords, no keys, no addresses of email that were hidden from whoever made it, no deleted messages, no
earlier texts of edited messages, and nothing of what people have read or drafted.

Files whose names end in \`.jsonl\` have one JSON object in each line, in UTF-8. Ids are numbers, and mean the same in all
files. Times are in UTC, as 2026-01-31T12:00:00.000Z. A value that is not there is null. \`sha256sum -c SHA256SUMS\`
compares each file with what was written.

## export.json

\`format\` (1), \`hearth\` (its version), \`made_at\`, \`type\` ("public" or "with consent"), \`made_by\` (id of a person),
\`consenting\` (ids of the people who agreed; empty in public exports), \`holds\` (how many \`people\`, \`channels\`,
\`messages\` and \`files\`).

## organization.json

\`name\`, \`description\`, \`created_at\`, \`picture\`, \`logo\` and \`night_logo\` (files of the archive; null:
none was uploaded), \`settings\` (as Hearth's API names them),
\`linkifiers\` (\`pattern\`, \`url_template\`) and \`profile_fields\` (\`id\`, \`type\`, \`name\`, \`hint\`, \`field_data\`).

## people.jsonl

People and bots, those too who have left. \`id\`, \`name\`, \`email\` (null: hidden), \`role\` ("owner", "administrator",
"moderator", "member" or "guest"), \`is_active\`, \`is_bot\`, \`is_system_bot\` (one of the server's own, which writes
notices), \`bot_owner_id\`, \`joined_at\`, \`timezone\`, \`picture\` (a file of the archive; null: none was uploaded),
\`profile\` (values by the id of the profile field).

## groups.jsonl

\`id\`, \`name\`, \`description\`, \`is_system_group\` (its members follow from roles), \`is_deactivated\`, \`created_at\`,
\`creator_id\`, \`member_ids\` (without those of its subgroups), \`subgroup_ids\`.

## folders.jsonl

Folders of channels, in their order. \`id\`, \`name\`, \`description\`, \`created_at\`, \`creator_id\`, \`is_archived\`.

## channels.jsonl

\`id\`, \`name\`, \`description\` (Markdown), \`folder_id\`, \`created_at\`, \`creator_id\`, \`is_archived\`, \`is_private\`,
\`is_web_public\`, \`is_history_public\` (whether new subscribers of a private channel see what was said before),
\`is_default\` (new people are subscribed to it), \`subscriber_ids\`, \`settings\` (as Hearth's API names them; permissions
are the id of a group, or lists of people and groups).

## topics.jsonl

The topics that messages of this export are in. \`channel_id\`, \`topic\` ("" is the one without a name), \`is_resolved\`,
\`messages\` (how many), \`first_message_id\`, \`last_message_id\`.

## messages/000001.jsonl, messages/000002.jsonl …

In the order of their ids, which is the order in which they were sent; a message that is there is in one file only.

- \`id\`, \`sender_id\`, \`sent_at\`
- \`channel_id\` and \`topic\`, or null for a direct message
- \`recipient_ids\`: everybody in a direct conversation, its sender too; null in a channel
- \`content\`: as it was written, in Markdown
- \`html\`: as it is shown
- \`edited_at\`, \`moved_at\`: of the newest change of its text, and of its place
- \`reactions\`: \`emoji_name\`, \`emoji_code\`, \`reaction_type\` and \`user_id\` of each
- \`starred_by\`: ids of the people who starred it, among the people who agreed (none in public exports)
- \`file_ids\`: the uploads that it holds
- \`widget\`: for a poll or a to-do list, what it began with and what people did in it: \`sender_id\`, \`content\`

## files.jsonl

Uploads that messages of this export hold. \`id\`, \`name\`, \`owner_id\`, \`uploaded_at\`, \`content_type\`, \`bytes\`, \`url\` (as
messages link to it), \`file\` (in the archive; null: it was missing on the server's disk).

## emoji.jsonl

Emoji that the organization added. \`id\`, \`name\`, \`author_id\`, \`is_deactivated\`, \`file\` (in the archive).

## files/, people/, emoji/, organization/

The uploads, pictures of people, emoji, and pictures of the organization that the lists above name.
`;
