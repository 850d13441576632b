import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import fc from "fast-check";
import { type ExportScope, exportScope } from "../../server/api/access/exports.ts";
import { createChannelFolder } from "../../server/api/actions/channel-folders.ts";
import { archiveChannel } from "../../server/api/actions/channel-settings.ts";
import { createChannel } from "../../server/api/actions/channels.ts";
import { writeFlags } from "../../server/api/actions/message-flags.ts";
import { sendMessage } from "../../server/api/actions/messages.ts";
import { insertRow } from "../../server/api/actions/rows.ts";
import { subscribe } from "../../server/api/actions/subscriptions.ts";
import { deactivateUser } from "../../server/api/actions/user-deactivation.ts";
import { isSystemBot, systemBots } from "../../server/api/queries/bots.ts";
import { channelFolders } from "../../server/api/queries/channel-folders.ts";
import { type Channel, channelById } from "../../server/api/queries/channels.ts";
import { EXPORT_TYPE } from "../../server/api/queries/exports.ts";
import { type MessageRow, messageRows } from "../../server/api/queries/messages.ts";
import { FLAG, flagsOf } from "../../server/api/queries/read-state.ts";
import { everybodySubscribedTo } from "../../server/api/queries/subscriptions.ts";
import { systemGroupId } from "../../server/api/queries/user-group-members.ts";
import { allUsers, ROLES, type User } from "../../server/api/queries/users.ts";
import { hearthReader } from "../../server/imports/formats/hearth.ts";
import type { Reference } from "../../server/imports/model.ts";
import { joined } from "../../server/imports/texts.ts";
import { renderMarkdown } from "../../server/markdown/render.ts";
import type { Reader } from "../../server/storage/transaction.ts";
import { exportedFiles } from "../support/exported-organization.ts";
import { IS_LONG_RUN } from "../support/long-run.ts";
import { PUBLIC_CHANNEL } from "../support/new-channel.ts";
import { type Organization, startOrganization } from "../support/organization.ts";
import { archiveOf, importedOrganization } from "./archives.ts";

/* Random organizations: what the reader finds in an export is what the database holds. */

const index = fc.nat({ max: 5 });
const rarely = fc.nat({ max: 3 }).map((number) => number === 0);
const PERMISSIONS = ["everyone", "moderators", "owner", "fullmembers and owner"] as const;
const organizations = fc.record({
  people: fc.array(
    fc.record({
      role: fc.constantFrom(...Object.values(ROLES)),
      is_bot: rarely,
      refuses: rarely,
      leaves: rarely,
    }),
    { minLength: 1, maxLength: 4 },
  ),
  channels: fc.array(
    fc.record({
      invite_only: fc.boolean(),
      is_default: fc.boolean(),
      isArchived: fc.boolean(),
      isInFolder: fc.boolean(),
      permission: fc.constantFrom(...PERMISSIONS),
      subscribers: fc.array(index),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  messages: fc.array(
    fc.record({
      sender: index,
      channel: index,
      topic: fc.constantFrom("", "Boats", "✔ a * b", "x > y"),
      /** The other people of a direct message. */
      members: fc.option(fc.array(index, { maxLength: 3 })),
      parts: fc.array(fc.tuple(fc.nat({ max: 8 }), index), { minLength: 1, maxLength: 4 }),
      reacting: fc.array(index, { maxLength: 2 }),
      starring: fc.array(index, { maxLength: 2 }),
    }),
    { minLength: 2, maxLength: 8 },
  ),
  type: fc.constantFrom(EXPORT_TYPE.public, EXPORT_TYPE.withConsent),
});
type Plan = typeof organizations extends fc.Arbitrary<infer P> ? P : never;

const at = <T>(list: readonly T[], index: number): T => list[index % list.length] as T;

/** Markdown, and the reference that it means. */
type Part = readonly [markdown: string, reference?: Reference];

/** A random organization in the database, and the parts of its messages' texts. */
class Random {
  readonly organization: Organization;
  readonly users: User[];
  readonly channels: Channel[];
  readonly texts = new Map<number, readonly Part[]>();

  constructor(organization: Organization, { people, channels, messages }: Plan) {
    this.organization = organization;
    this.users = [organization.owner];
    for (const [number, { refuses, leaves: _, ...person }] of people.entries())
      this.users.push(
        organization.add(`person-${number}`, {
          ...person,
          ...(person.is_bot ? { bot_type: 1 } : {}),
          settings: { allow_private_data_export: !refuses && !person.is_bot },
        }),
      );
    this.channels = channels.map((channel, number) => this.#channel(channel, number));
    for (const message of messages) this.#send(message);
    for (const [number, { isArchived }] of channels.entries())
      if (isArchived) organization.act((tx) => archiveChannel(tx, organization.owner, at(this.channels, number)));
    for (const [number, { leaves }] of people.entries())
      if (leaves) organization.act((tx) => deactivateUser(tx, null, this.users[number + 1] as User));
  }

  #channel({ isArchived: _, isInFolder, permission, subscribers, ...more }: Plan["channels"][number], number: number) {
    const { act, owner } = this.organization;
    return act((tx) => {
      const direct_members = [owner.id];
      const groups = {
        everyone: systemGroupId(tx, "role:everyone"),
        moderators: systemGroupId(tx, "role:moderators"),
        owner: { direct_members, direct_subgroups: [] },
        "fullmembers and owner": { direct_members, direct_subgroups: [systemGroupId(tx, "role:fullmembers")] },
      };
      const channel = createChannel(tx, owner, {
        ...PUBLIC_CHANNEL,
        ...more,
        name: `channel ${number}`,
        description: `About *${number}*`,
        folder_id: isInFolder ? createChannelFolder(tx, owner, { name: `Folder ${number}`, description: "" }) : null,
        groups: { can_send_message_group: groups[permission] },
      });
      subscribe(tx, { users: [...new Set(subscribers.map((user) => at(this.users, user)))], channels: [channel] });
      return channelById(tx, channel.id) as Channel;
    }).result;
  }

  #send({ sender, channel, topic, members, parts, reacting, starring }: Plan["messages"][number]): void {
    const { act } = this.organization;
    const user = at(this.users, sender);
    const userIds = members && [...new Set([user.id, ...members.map((member) => at(this.users, member).id)])];
    const to = userIds ? { userIds } : { channel: at(this.channels, channel), topic };
    const written = parts.map(([kind, number]) => this.#part(kind, number));
    const content = written.map(([markdown]) => markdown).join(" ");
    const rendered = renderMarkdown("text");
    const message = { to, content, rendered, client: "test", readBySender: true };
    const id = act((tx) => sendMessage(tx, user, message)).result.id;
    this.texts.set(id, written);
    act((tx) => {
      for (const user_id of new Set(reacting.map((each) => at(this.users, each).id)))
        insertRow(tx, "reactions", {
          message_id: id,
          user_id,
          emoji_name: "tada",
          emoji_code: "1f389",
          reaction_type: "unicode_emoji",
        });
      for (const each of starring) writeFlags(tx, at(this.users, each).id, id, FLAG.starred);
    });
  }

  #part(kind: number, number: number): Part {
    const [user, { id, name }] = [at(this.users, number), at(this.channels, number)];
    const [person, channel] = [String(user.id), String(id)];
    const path = `/#narrow/channel/${id}-${name.replace(" ", "-")}`;
    const all: Part[] = [
      ["**words** `@**Desdemona**`"],
      [`@**${user.full_name}|${person}**`, { person }],
      [`@_**${user.full_name.toUpperCase()}**`, { person, silent: true }],
      ["@**everyone**", { everyone: true }],
      ["@_*role:members*", { group: "role:members", silent: true }],
      [`#**${name}**`, { channel }],
      [`#**${name}>a &#42; b**`, { channel, topic: "a * b" }],
      [`[here](${path}/topic/a.20b/near/7)`, { message: "7", place: channel, label: "here" }],
      [`[a.b](${path}/topic/a.2Eb)`, { channel, topic: "a.b" }],
    ];
    return all[kind] as Part;
  }
}

const idsOf = (ids: Iterable<number>) => [...ids].map(String);
const ROLE_NAMES = new Map(Object.entries(ROLES).map(([name, role]) => [role, name]));

const expectedPerson = (user: User) => ({
  id: String(user.id),
  name: user.full_name,
  email: user.email,
  role: ROLE_NAMES.get(user.role),
  isBot: user.is_bot,
  isActive: user.is_active && !isSystemBot(user),
  timezone: user.timezone || undefined,
  joinedAt: user.joined_at,
});

const expectedChannel = (reader: Reader, channel: Channel, { permission }: Partial<Plan["channels"][number]>) => ({
  id: String(channel.id),
  name: channel.name,
  description: channel.description,
  isPrivate: channel.invite_only,
  isArchived: channel.is_archived,
  isDefault: channel.is_default,
  isReadOnly: permission === "moderators" || permission === "owner",
  folder: channelFolders(reader).find(({ id }) => id === channel.folder_id)?.name,
  createdAt: channel.created_at,
  creatorId: channel.creator_id === null ? undefined : String(channel.creator_id),
  memberIds: idsOf(everybodySubscribedTo(reader, channel.id)),
});

function expectedMessage(
  reader: Reader,
  row: MessageRow,
  { parts, scope }: { parts: readonly Part[]; scope: ExportScope },
) {
  const isExported = (part: Reference) =>
    !("channel" in part || "place" in part) ||
    scope.channels.some(({ id }) => String(id) === ("channel" in part ? part.channel : part.place));
  const text = parts.flatMap(([markdown, part]) => [" ", part && isExported(part) ? part : markdown]).slice(1);
  const members = row.conversation_key?.split(",") ?? [];
  const reacting = row.reactions.map(({ user_id }) => user_id);
  const starring = scope.consenting.filter(({ id }) => (flagsOf(reader, id, [row.id]).get(row.id) ?? 0) & FLAG.starred);
  return {
    id: String(row.id),
    place: row.channel_id === null ? `direct:${members.join("-")}` : String(row.channel_id),
    topic: row.channel_id === null ? undefined : row.topic,
    senderId: String(row.sender_id),
    sentAt: row.sent_at,
    text: joined(text),
    files: [],
    reactions: reacting.length > 0 ? [{ emoji: { character: "🎉" }, personIds: idsOf(reacting) }] : [],
    starredBy: idsOf(starring.map(({ id }) => id)),
  };
}

async function compare(t: TestContext, plan: Plan): Promise<void> {
  const organization = await startOrganization(t, { now: () => 1_700_000_000_123 });
  const random = new Random(organization, plan);
  const { reader } = organization.store;
  const scope = exportScope(reader, plan.type);
  const found = await importedOrganization(hearthReader(archiveOf(exportedFiles(organization, plan.type))));
  const people = [...allUsers(reader), ...systemBots(reader)].map(expectedPerson);
  const plans = new Map(random.channels.map(({ id }, number) => [id, plan.channels[number]]));
  const channels = scope.channels.map((channel) => expectedChannel(reader, channel, plans.get(channel.id) ?? {}));
  const rows = messageRows(reader, [...random.texts.keys()]).filter(({ id }) => scope.includes(id));
  const messages = rows.map((row) => expectedMessage(reader, row, { parts: random.texts.get(row.id) ?? [], scope }));
  const keys = new Set(rows.flatMap(({ conversation_key }) => conversation_key ?? []));
  const conversations = [...keys].map((key) => ({
    id: `direct:${key.replaceAll(",", "-")}`,
    memberIds: key.split(","),
  }));
  const isOwn = ({ id }: { id: string }) => random.texts.has(Number(id));
  const ownPlaces = new Set(messages.map(({ place }) => place));
  const own = {
    ...found,
    messages: found.messages.filter(isOwn),
    conversations: found.conversations.filter(({ id }: { id: string }) => ownPlaces.has(id)),
  };
  const expected = { people, channels, conversations, emoji: [], messages, leftOut: {} };
  assert.deepEqual(own, JSON.parse(JSON.stringify(expected)));
}

test("an export has all that the organization has", async (t) => {
  await fc.assert(
    fc.asyncProperty(organizations, (plan) => compare(t, plan)),
    { numRuns: IS_LONG_RUN ? 200 : 20 },
  );
});
