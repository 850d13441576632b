import type { Archive } from "../archive.ts";
import type { FileSource, ImportedPerson, Role } from "../model.ts";
import { readJson } from "../parts.ts";
import { asText, type Fields, fieldsIn, fieldsOf, firstText } from "../values.ts";
import type { SlackLayout } from "./slack-places.ts";

export interface SlackPeople {
  listed: Map<string, ImportedPerson>;
  /** IDs by username. */
  usernames: Map<string, string>;
  /** IDs of bot users, by the ID of their bot. */
  bots: Map<string, string>;
}

export async function slackPeople(archive: Archive, { peopleFiles, avatars }: SlackLayout): Promise<SlackPeople> {
  const people: SlackPeople = { listed: new Map(), usernames: new Map(), bots: new Map() };
  for (const file of peopleFiles) {
    for (const user of fieldsIn(await readJson(archive, file))) {
      const id = asText(user.id);
      if (id === "" || people.listed.has(id)) continue;
      people.listed.set(id, personOf(id, user, avatars.get(id)));
      people.usernames.set(asText(user.name), id);
      const bot = asText(fieldsOf(user.profile).bot_id);
      if (bot !== "") people.bots.set(bot, id);
    }
  }
  return people;
}

export const nameOf = (user: Fields, profile: Fields): string | undefined =>
  firstText(profile.real_name, user.real_name, profile.display_name, user.name, profile.name);

export const BUILT_IN_BOT = "USLACKBOT";

export const web = (value: unknown): FileSource | undefined => {
  const url = asText(value);
  return /^https:\/\//i.test(url) ? { url } : undefined;
};

function personOf(id: string, user: Fields, avatar: string | undefined): ImportedPerson {
  const profile = fieldsOf(user.profile);
  return {
    id,
    name: nameOf(user, profile) ?? id,
    username: firstText(user.name),
    email: firstText(profile.email, user.email),
    role: roleOf(user),
    isBot: user.is_bot === true || id === BUILT_IN_BOT,
    isActive: user.deleted !== true,
    timezone: firstText(user.tz),
    picture: avatar === undefined ? pictureIn(profile) : { path: avatar },
  };
}

function roleOf(user: Fields): Role {
  if (user.is_owner === true || user.is_primary_owner === true) return "owner";
  if (user.is_admin === true) return "administrator";
  return user.is_restricted === true || user.is_ultra_restricted === true ? "guest" : "member";
}

function pictureIn(profile: Fields): FileSource | undefined {
  const url = firstText(profile.image_original, profile.image_512, profile.image_192, profile.image_72);
  // Gravatar serves a generated picture for people without one.
  return url === undefined || /^https:\/\/[\w.]*gravatar\.com\//.test(url) ? undefined : web(url);
}
