import assert from "node:assert/strict";
import { type Answer, call, type Person } from "./server-process.ts";
import { personWith } from "./signing-in.ts";

// A realistic organization for pictures and for looking at pages.

export const CLUB = {
  organization: "Sundbyberg Rowing Club",
  ownerEmail: "ann.lindqvist@example.com",
  ownerName: "Ann Lindqvist",
};
export const CLUB_PASSWORD = "oars and coffee";

const PEOPLE = [
  "Erik Sjöberg",
  "Fatima Rahimi",
  "Jonas Åkesson",
  "Linnea Berg",
  "Omar Haddad",
  "Maja Holm",
  "Ravi Patel",
  "Greta Lund",
  "Hanna Wikström",
  "Ingrid Dahl",
  "Klara Vinter",
  "Lucas Moreau",
  "Marta Ruiz",
  "Nils Hedlund",
  "Noor Ali",
  "Peter Öberg",
  "Samuel Ek",
];
/** The first names of people with other roles than member. */
const ROLES = { Maja: 200, Omar: 300, Ingrid: 600 } as const;
const SIGNED_IN = ["Erik", "Fatima", "Jonas", "Linnea", "Omar", "Maja", "Ravi"];

/** Maja's profile. */
const PROFILE = { "Phone number": "070-174 06 35", "Boat class": "Coxed four" };

const FOLDERS = {
  Club: ["announcements", "board", "general", "photos"],
  "On the water": ["eights", "juniors", "races", "training"],
} as const;

/** Messages in order; `#` starts a topic of a channel. */
const TALK: readonly (readonly [topic: string, ...said: readonly (readonly [who: string, content: string])[]])[] = [
  ["announcements#Season", ["Maja", "The boathouse opens on Monday. Bring gloves."], ["Erik", "Finally!"]],
  ["board#Budget", ["Maja", "The draft for next year is in the folder."]],
  ["general#Lost and found", ["Greta", "A blue cap lies in the changing room."], ["Nils", "That is mine, thank you."]],
  ["photos#Autumn regatta", ["Klara", "Sixty pictures, the best ones first."]],
  ["eights#Line-up", ["Lucas", "Samuel strokes on Sunday."], ["Samuel", "Gladly."], ["Marta", "Then I take bow."]],
  ["juniors#Camp", ["Hanna", "Twelve have signed up so far."]],
  ["races#Head of the river", ["Peter", "The start is at eleven."], ["Noor", "Which lane?"], ["Peter", "Four."]],
  ["training#Who is there", ["Ravi", "Tuesday at six?"], ["Greta", "Yes."], ["Lucas", "Me too."]],
  [
    "training#Saturday morning",
    ["Erik", "Who is in for **7:30** on Saturday? The forecast says 14 °C and almost no wind."],
    ["Fatima", "I am! Can we take the new four?"],
    ["Jonas", "Me too. I bring the coffee :coffee:"],
    [
      "Linnea",
      "The four is booked until 9:00 by the juniors:\n\n| boat | until |\n|---|---|\n| Four *Ran* | 9:00 |\n| Eight *Embla* | free |\n\nShall we try the eight?",
    ],
    ["Omar", "@**Ann Lindqvist** you have the key to the boathouse, don't you? #**races** says it moved."],
  ],
];

export interface Club {
  owner: Person;
  /** By first name. */
  people: ReadonlyMap<string, Person>;
  emailOf(firstName: string): string;
}

const emailOf = (name: string): string =>
  `${name.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().replace(" ", ".")}@example.com`;

/** Fills CLUB's new organization. Every account's password is CLUB_PASSWORD. */
export async function furnishClub(url: string): Promise<Club> {
  const ask = async (who: Person, route: string, params: Record<string, unknown> = {}): Promise<Answer> => {
    const answer = await call(url, who, route, params);
    assert.equal(answer.status, 200, `${route}: ${answer["msg"]}`);
    return answer;
  };
  const owner = await personWith(url, CLUB.ownerEmail, CLUB_PASSWORD);
  const people = new Map<string, Person>();
  for (const full_name of PEOPLE) {
    const [first = ""] = full_name.split(" ");
    const email = emailOf(full_name);
    const { user_id } = await ask(owner, "POST /users", { email, full_name, password: CLUB_PASSWORD });
    const role = ROLES[first as keyof typeof ROLES];
    if (role) await ask(owner, `PATCH /users/${user_id}`, { role });
    people.set(first, await personWith(url, email, CLUB_PASSWORD));
  }
  const ids = [owner, ...people.values()].map(({ id }) => id);
  for (const [name, channels] of Object.entries(FOLDERS)) {
    const { channel_folder_id: folder } = await ask(owner, "POST /channel_folders/create", { name, description: "" });
    for (const channel of channels) {
      const isPrivate = channel === "board";
      await ask(owner, "POST /users/me/subscriptions", {
        subscriptions: [{ name: channel }],
        principals: isPrivate ? [owner.id, people.get("Maja")?.id] : ids,
        invite_only: isPrivate,
      });
      const { stream_id } = await ask(owner, "GET /get_stream_id", { stream: channel });
      await ask(owner, `PATCH /streams/${stream_id}`, { folder_id: folder });
    }
  }
  let last = 0;
  for (const [place, ...said] of TALK) {
    const [to, topic] = place.split("#");
    for (const [who, content] of said) {
      const speaker = people.get(who) as Person;
      const { id } = await ask(speaker, "POST /messages", { type: "channel", to, topic, content });
      if (who === "Linnea") last = id;
    }
  }
  for (const who of ["Erik", "Fatima"])
    await ask(people.get(who) as Person, `POST /messages/${last}/reactions`, { emoji_name: "+1" });
  await ask(people.get("Jonas") as Person, `POST /messages/${last}/reactions`, { emoji_name: "coffee" });
  await ask(people.get("Maja") as Person, "POST /messages", {
    type: "direct",
    to: [owner.id],
    content: "Coffee at four?",
  });
  await ask(owner, "POST /user_groups/create", {
    name: "coaches",
    description: "They plan the trainings",
    members: ["Maja", "Omar", "Hanna"].map((who) => people.get(who)?.id),
  });
  for (const [name, value] of Object.entries(PROFILE)) {
    const { id } = await ask(owner, "POST /realm/profile_fields", { name, field_type: 1, hint: "" });
    await ask(people.get("Maja") as Person, "PATCH /users/me/profile_data", { data: [{ id, value }] });
  }
  await ask(owner, "POST /invites/multiuse", { invite_as: 400, stream_ids: [] });
  for (const who of SIGNED_IN) {
    const body = new URLSearchParams({ username: emailOf(nameOf(who)), password: CLUB_PASSWORD });
    await fetch(`${url}/host/session`, { method: "POST", body });
    const { queue_id, last_event_id } = await ask(people.get(who) as Person, "POST /register");
    // A held poll makes a user online.
    void call(url, people.get(who) as Person, "GET /events", { queue_id, last_event_id }).catch(() => {});
    await ask(people.get(who) as Person, "POST /users/me/presence", { status: "active", new_user_input: true });
  }
  return { owner, people, emailOf: (first) => emailOf(nameOf(first)) };
}

const nameOf = (first: string): string => PEOPLE.find((name) => name.startsWith(`${first} `)) ?? CLUB.ownerName;
