import { badRequest, shortened } from "../../errors.ts";
import type { Reader, Transaction } from "../../storage/transaction.ts";
import {
  type AllowedChannelInput,
  allowedChannelInput,
  assertChannelsFit,
  type ChannelInput,
  channelAlreadyExists,
  validChannelDescription,
  validChannelName,
} from "../access/channel-settings.ts";
import { canSeeChannel } from "../access/channels.ts";
import { isPermitted } from "../access/roles.ts";
import { actsFor, assertMayRemove, channelsToLeave, maySubscribeAll } from "../access/subscriptions.ts";
import { type Channel, channelById, channelByName, channelNameKey } from "../queries/channels.ts";
import { messagesIn, subscribersOf } from "../queries/subscriptions.ts";
import { isInGroup } from "../queries/user-group-members.ts";
import { type User, userById } from "../queries/users.ts";
import {
  announceNewChannels,
  MAX_SUBSCRIPTION_NOTICES,
  noticeOfNewChannel,
  noticeOfSubscription,
} from "./channel-notices.ts";
import { createChannel } from "./channels.ts";
import { renderDescription } from "./rendering.ts";
import { subscribe, unsubscribe } from "./subscriptions.ts";

/*
 * Requests to subscribe and unsubscribe. A request is checked completely before anything changes. A typical request
 * takes one transaction. A request with hundreds of users and channels takes several slices.
 */

/** Returns pieces that follow from it, to be done next. */
type Piece = (tx: Transaction, actor: User) => Piece[] | undefined;

/** Checks a request and splits it into pieces. */
export type Job = (reader: Reader, actor: User) => Piece[];

/** A slice starts no further piece after this time. */
const SLICE_MS = 10;
/**
 * The maximum cost of a piece, in new subscriptions. It bounds events and log records, which the time of a slice cannot:
 * a subscription lists the ids of all subscribers, and the messages of a user who leaves are marked as read.
 */
const MAX_COST = 300;
const COST_OF_A_CHANNEL = 4;
const LISTED_PER_COST = 600;
const MARKED_PER_COST = 400;
/** Users in one piece. Each user who leaves gets the ids of the others, so the size grows with the square. */
const MAX_JOINING = 250;
const MAX_LEAVING = 100;
/** Each piece reads the channels' subscribers again, so it has at least this many leavers. */
const MIN_LEAVING = 16;

/** Returns a function that does a slice of the jobs and returns whether all are done. */
export function workOf(jobs: readonly Job[]): (tx: Transaction, actor: User, begins: boolean) => boolean {
  let pieces: Piece[] = [];
  return (tx, actor, begins) => {
    const end = performance.now() + SLICE_MS;
    if (begins) pieces = jobs.flatMap((job) => job(tx, actor));
    // At least one piece per slice, however slow the machine is.
    do {
      const piece = pieces.shift();
      if (piece) pieces.unshift(...(piece(tx, actor) ?? []));
    } while (pieces.length > 0 && performance.now() < end);
    return pieces.length === 0;
  };
}

/** Splits a list into parts of at most this cost each. An item that costs more is a part of its own. */
function partsOf<T>(list: readonly T[], max: number, costOf: (item: T) => number = () => 1): T[][] {
  const parts: T[][] = [];
  let room = 0;
  for (const item of list) {
    const cost = costOf(item);
    if (parts.length === 0 || cost > room) {
      parts.push([]);
      room = max;
    }
    parts.at(-1)?.push(item);
    room -= cost;
  }
  return parts;
}

/** Leaves out users who were deactivated after the check. */
const stillActive = (reader: Reader, users: readonly User[]): User[] =>
  users.map(({ id }) => userById(reader, id)).filter((user): user is User => user?.is_active === true);

const merge = (into: Map<number, Channel[]>, from: ReadonlyMap<number, readonly Channel[]>): void => {
  for (const [id, channels] of from) into.set(id, [...(into.get(id) ?? []), ...channels]);
};

interface Requested {
  name: string;
  description?: string | undefined;
  color?: string | undefined;
}

export class Joining {
  /** By user ID: new subscriptions. */
  readonly subscribed = new Map<number, Channel[]>();
  readonly already = new Map<number, Channel[]>();
  /** Channels to which the viewer cannot subscribe these users. */
  readonly unauthorized: string[] = [];
  readonly created: Channel[] = [];
  /** Whether users were notified that another user subscribed them. */
  areNotified = false;
}

interface JoinRequest {
  requested: readonly Requested[];
  /** Whether the request only creates channels. Then a channel that exists is an error. */
  onlyNew?: boolean;
  users: readonly User[];
  input: ChannelInput;
  errorsAreFatal: boolean;
  notices: { announce: boolean; notifyUsers: boolean };
}

interface Item {
  channel: Requested;
  /** Undefined until the channel exists. */
  id: number | undefined;
  /** In addition to its new subscriptions. */
  cost: number;
}

/** Finds or creates the channels, rejects those that are not allowed, and subscribes the users. */
export function join(request: JoinRequest, done: Joining): Job {
  const { requested, onlyNew = false, users, input, errorsAreFatal } = request;
  const parameter = onlyNew ? "name" : "subscriptions";
  const reject = (names: readonly string[]) => {
    if (errorsAreFatal) throw mayNotSubscribe(names);
    for (const name of names) if (!done.unauthorized.includes(name)) done.unauthorized.push(name);
  };
  const wasCreated = (channel: Channel) => done.created.some(({ id }) => id === channel.id);
  return (reader, viewer) => {
    const items: Item[] = [];
    const rejected: string[] = [];
    let allowed: AllowedChannelInput | undefined;
    for (const item of uniqueByName(requested)) {
      const existing = channelByName(reader, item.name);
      if (existing && onlyNew) {
        // Only users who may create the channel learn that the name is taken.
        allowedChannelInput(reader, viewer, input);
        throw channelAlreadyExists(item.name);
      }
      if (!existing) {
        allowed ??= allowedChannelInput(reader, viewer, input);
        validChannelDescription(item.description ?? "");
        if (!mayFill(reader, viewer, users, allowed)) {
          rejected.push(item.name);
          continue;
        }
      } else if (!maySubscribeAll(reader, viewer, users, existing)) {
        rejected.push(canSeeChannel(reader, viewer, existing) ? existing.name : item.name);
        continue;
      }
      const listed = existing ? subscribersOf(reader, existing.id).ids.length + users.length : users.length;
      items.push({ channel: item, id: existing?.id, cost: COST_OF_A_CHANNEL + listed / LISTED_PER_COST });
    }
    if (rejected.length > 0) reject(rejected);
    const added = items.filter(({ id }) => id === undefined).length;
    if (added > 0) assertChannelsFit(reader, viewer, { creatorId: viewer.id, parameter, added });
    const work =
      (piece: readonly Item[], slice: readonly User[]) =>
      (tx: Transaction, actor: User): undefined => {
        const channels: Channel[] = [];
        const colors = new Map<number, string>();
        for (const item of piece) {
          // Uses the ID as soon as possible, because the channel may be renamed between slices.
          let channel = item.id === undefined ? channelByName(tx, item.channel.name) : channelById(tx, item.id);
          if (!channel) {
            channel = createRequested(tx, actor, item.channel, allowedChannelInput(tx, actor, input));
            done.created.push(channel);
          } else if (onlyNew && !wasCreated(channel)) {
            throw channelAlreadyExists(item.channel.name);
          } else if (!wasCreated(channel) && !maySubscribeAll(tx, actor, slice, channel)) {
            reject([item.channel.name]);
            continue;
          }
          item.id = channel.id;
          channels.push(channel);
          if (item.channel.color) colors.set(channel.id, item.channel.color);
        }
        const [created] = done.created;
        if (created) assertChannelsFit(tx, actor, { creatorId: created.creator_id, parameter });
        const { subscribed, already } = subscribe(tx, { users: stillActive(tx, slice), channels, colors, actor });
        merge(done.subscribed, subscribed);
        merge(done.already, already);
      };
    const slices = users.length === 0 ? [[]] : partsOf(users, MAX_JOINING);
    const pieces = slices.flatMap((slice) =>
      partsOf(items, MAX_COST, ({ cost }) => slice.length + cost).map((piece): Piece => work(piece, slice)),
    );
    return [...pieces, () => noticesOf(done, request)];
  };
}

/** Posts messages about new channels, and to users whom someone else subscribed. */
function noticesOf(done: Joining, { onlyNew, notices: { announce, notifyUsers } }: JoinRequest): Piece[] {
  const notice =
    (work: (tx: Transaction, actor: User) => void): Piece =>
    (tx, actor) => {
      work(tx, actor);
      return undefined;
    };
  const pieces = done.created.map((channel) => notice((tx, actor) => noticeOfNewChannel(tx, actor, channel)));
  if (announce) pieces.push(notice((tx, actor) => announceNewChannels(tx, actor, done.created)));
  done.areNotified = notifyUsers && done.subscribed.size <= MAX_SUBSCRIPTION_NOTICES;
  if (!done.areNotified) return pieces;
  const created = new Set(onlyNew ? [] : done.created.map(({ id }) => id));
  for (const [userId, all] of done.subscribed) {
    const channels = all.filter(({ id }) => !created.has(id));
    if (channels.length > 0)
      pieces.push(notice((tx, actor) => noticeOfSubscription(tx, actor, new Map([[userId, channels]]))));
  }
  return pieces;
}

const mayNotSubscribe = (names: readonly string[]) =>
  badRequest("subscribe_others_not_allowed", { channels: shortened(names.join(", ")) });

/** Whether the viewer may subscribe these users to a channel that they create. */
const mayFill = (reader: Reader, viewer: User, users: readonly User[], { groups }: AllowedChannelInput): boolean =>
  users.every((user) => actsFor(viewer, user)) ||
  isPermitted(reader, viewer, "can_add_subscribers_group") ||
  (groups.can_add_subscribers_group !== undefined && isInGroup(reader, viewer, groups.can_add_subscribers_group));

function uniqueByName(items: readonly Requested[]): Requested[] {
  const unique = new Map<string, Requested>();
  for (const item of items) {
    const name = validChannelName(item.name);
    if (!unique.has(channelNameKey(name))) unique.set(channelNameKey(name), { ...item, name });
  }
  return [...unique.values()];
}

function createRequested(tx: Transaction, viewer: User, item: Requested, input: AllowedChannelInput): Channel {
  const description = validChannelDescription(item.description ?? "");
  const rendered_description = renderDescription(tx, description);
  return createChannel(tx, viewer, { ...input, name: item.name, description, rendered_description });
}

export class Leaving {
  /** Names of channels that a user left. */
  readonly removed = new Set<string>();
  /** Names of channels that a user was not subscribed to. */
  readonly notRemoved = new Set<string>();
}

/**
 * Users who leave in one piece. All their channels should fit into the piece, because each piece reads a user's
 * subscriptions again. The minimum exists because each piece also reads the subscribers of the channels.
 */
const leavingTogether = (channels: number): number =>
  Math.min(MAX_LEAVING, Math.max(MIN_LEAVING, Math.floor(MAX_COST / channels) - COST_OF_A_CHANNEL));

export function leave({ names, users }: { names: readonly string[]; users: readonly User[] }, done: Leaving): Job {
  return (reader, viewer) => {
    const channels = channelsToLeave(reader, viewer, users, names);
    // The viewer leaves last, because they might not see a private channel afterwards.
    const ordered = [...users.filter(({ id }) => id !== viewer.id), ...users.filter(({ id }) => id === viewer.id)];
    const leaving = (slice: readonly User[], piece: readonly Channel[]) => (tx: Transaction, actor: User) => {
      const present = piece.map(({ id }) => channelById(tx, id)).filter((one) => one !== undefined);
      for (const channel of present) assertMayRemove(tx, actor, slice, channel);
      const left = unsubscribe(tx, actor, { users: stillActive(tx, slice), channels: present });
      for (const list of left.removed.values()) for (const { name } of list) done.removed.add(name);
      for (const list of left.notRemoved.values()) for (const { name } of list) done.notRemoved.add(name);
      return undefined;
    };
    const counted = channels.map((channel) => ({ channel, messages: messagesIn(reader, channel) }));
    const crowd = Math.min(users.length, MAX_LEAVING);
    const isBusy = ({ messages }: { messages: number }) => crowd > 1 && (crowd * messages) / MARKED_PER_COST > MAX_COST;
    const quiet = counted.filter((each) => !isBusy(each));
    const fromQuiet = partsOf(ordered, leavingTogether(channels.length)).flatMap((slice) =>
      partsOf(
        quiet,
        MAX_COST,
        ({ messages }) => slice.length * (1 + messages / MARKED_PER_COST) + COST_OF_A_CHANNEL,
      ).map(
        (piece): Piece =>
          leaving(
            slice,
            piece.map(({ channel }) => channel),
          ),
      ),
    );
    const fromBusy = counted
      .filter(isBusy)
      .flatMap(({ channel, messages }) =>
        partsOf(ordered, (MAX_COST * MARKED_PER_COST) / messages).map((slice): Piece => leaving(slice, [channel])),
      );
    return [...fromQuiet, ...fromBusy];
  };
}
