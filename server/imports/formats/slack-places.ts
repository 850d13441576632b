import { type Archive, NotAnExport } from "../archive.ts";
import { readJson } from "../parts.ts";
import { asFields, asList, asText, type Fields, fieldsIn, firstText, textsIn } from "../values.ts";

/* Finds the channels, conversations and files of a Slack export. */

export interface SlackPlace {
  id: string;
  kind: "channel" | "conversation";
  name: string;
  /** Fields of the listing. Empty if the place is not listed. */
  fields: Fields;
  isPrivate: boolean;
  /** Set in exports of several workspaces. */
  workspace: string | undefined;
  /** Folders of the workspaces that list the place. Workspaces can share channels. */
  bases: Set<string>;
  memberIds: Set<string>;
  /** Files with messages, by day. */
  days: string[];
  /** The people who pinned a message, by its ID. */
  pins: Map<string, Set<string>>;
}

export interface SlackLayout {
  /** The folder of the export, empty or with a slash at its end. */
  root: string;
  /** Lists of people. */
  peopleFiles: string[];
  places: SlackPlace[];
  /** Files and pictures that a download tool added, by ID of the file or person. */
  uploads: ReadonlyMap<string, string>;
  avatars: ReadonlyMap<string, string>;
  /** Records of listings that are not readable. */
  unreadable: number;
}

const PEOPLE = ["users.json", "org_users.json"];
const LISTINGS = [
  { file: "channels.json", kind: "channel", isPrivate: false },
  { file: "groups.json", kind: "channel", isPrivate: true },
  { file: "mpims.json", kind: "conversation", isPrivate: true },
  { file: "dms.json", kind: "conversation", isPrivate: true },
] as const;
type Listing = (typeof LISTINGS)[number];

/** Limit of folders that are checked. */
const MAX_ROOTS = 20;
const DAY = /^(.*\/)?(\d{4}-\d{2}-\d{2})\.json$/;
/** macOS adds these to zip files. */
const JUNK = /(?:^|\/)(?:__MACOSX\/|\._)/;

/** The folder of the export. Tools often put the export into another folder. */
export function slackRoot({ files }: Archive): string | undefined {
  const roots = new Set<string>();
  for (const name of files.keys()) {
    const file = PEOPLE.find((each) => name === each || name.endsWith(`/${each}`));
    if (file !== undefined && !JUNK.test(name)) roots.add(name.slice(0, -file.length));
  }
  const sorted = [...roots].sort((a, b) => a.length - b.length).slice(0, MAX_ROOTS);
  return sorted.find((root) => isRoot(root, files));
}

function isRoot(root: string, files: ReadonlyMap<string, number>): boolean {
  if (LISTINGS.some(({ file }) => files.has(root + file))) return true;
  for (const name of files.keys()) if (name.startsWith(root) && DAY.exec(name)?.[1] !== undefined) return true;
  return false;
}

export async function slackLayout(archive: Archive, root: string): Promise<SlackLayout> {
  const names = [...archive.files.keys()].filter((name) => name.startsWith(root) && !JUNK.test(name));
  const workspaces = new Set(names.flatMap((name) => /^teams\/[^/]+\//.exec(name.slice(root.length))?.[0] ?? []));
  const bases = ["", ...workspaces].map((base) => root + base);
  const files = { uploads: new Map<string, string>(), avatars: new Map<string, string>() };
  const folders = new Map<string, string[]>();
  for (const name of names) {
    const folder = DAY.exec(name)?.[1];
    if (folder === undefined) addToolFile(name, files);
    else {
      const days = folders.get(folder) ?? [];
      folders.set(folder, days);
      days.push(name);
    }
  }
  const places = new Map<string, SlackPlace>();
  let unreadable = 0;
  for (const base of bases)
    for (const listing of LISTINGS) unreadable += await readListing(archive, base, listing, places);
  const layout = { root, unreadable, places: [...places.values()], ...files };
  addDays(layout.places, bases, folders);
  for (const [folder, days] of folders) layout.places.push(await unlistedPlace(archive, folder, days));
  const peopleFiles = bases
    .flatMap((base) => PEOPLE.map((file) => base + file))
    .filter((name) => archive.files.has(name));
  return { ...layout, peopleFiles };
}

/** `__uploads/F1/plan.pdf`, `general/attachments/F1-plan.pdf`, `__avatars/U1.jpg`. */
function addToolFile(
  name: string,
  { uploads, avatars }: { uploads: Map<string, string>; avatars: Map<string, string> },
) {
  const upload = /(?:^|\/)__uploads\/([^/]+)\/[^/]+$/.exec(name) ?? /\/attachments\/(F[A-Z0-9]+)-[^/]+$/.exec(name);
  if (upload) uploads.set(upload[1] as string, name);
  const avatar = /(?:^|\/)__avatars\/([^/.]+)[^/]*(?:\/[^/]+)?$/.exec(name);
  if (avatar) avatars.set(avatar[1] as string, name);
}

/** Returns the number of records that are not readable. */
async function readListing(
  archive: Archive,
  base: string,
  { file, kind, isPrivate }: Listing,
  places: Map<string, SlackPlace>,
): Promise<number> {
  const records = asList(await readJson(archive, base + file));
  let unreadable = 0;
  for (const record of records) {
    const fields = asFields(record);
    const id = asText(fields?.id);
    if (!fields || id === "") {
      unreadable++;
      continue;
    }
    const place = places.get(id) ?? {
      id,
      kind,
      name: firstText(fields.name) ?? id,
      fields,
      isPrivate: isPrivate || fields.is_private === true,
      workspace: /(?:^|\/)teams\/([^/]+)\/$/.exec(base)?.[1],
      bases: new Set(),
      memberIds: new Set(),
      days: [],
      pins: new Map(),
    };
    places.set(id, place);
    place.bases.add(base);
    for (const member of textsIn(fields.members)) place.memberIds.add(member);
    addPins(place, fields.pins);
  }
  return unreadable;
}

function addPins({ pins }: SlackPlace, value: unknown): void {
  for (const pin of fieldsIn(value)) {
    const people = pins.get(asText(pin.id)) ?? new Set();
    pins.set(asText(pin.id), people);
    const person = asText(pin.user);
    if (person !== "") people.add(person);
  }
}

const KINDS_OF_FOLDERS = ["", "channels/", "groups/", "dms/", "mpims/"];

/** Assigns folders to places by ID or name. An active channel takes precedence over an archived channel. */
function addDays(places: readonly SlackPlace[], bases: readonly string[], folders: Map<string, string[]>): void {
  const byActivity = [...places].sort(
    (a, b) => Number(a.fields.is_archived === true) - Number(b.fields.is_archived === true),
  );
  for (const key of ["id", "name"] as const) {
    for (const place of byActivity) {
      for (const base of key === "id" ? bases : place.bases) {
        for (const kind of KINDS_OF_FOLDERS) {
          const folder = `${base}${kind}${place[key]}/`;
          place.days.push(...(folders.get(folder) ?? []));
          folders.delete(folder);
        }
      }
    }
  }
  for (const { days } of places) days.sort(byDay);
}

export const dayOf = (name: string): string => name.slice(-15, -5);
const byDay = (a: string, b: string): number => (dayOf(a) < dayOf(b) ? -1 : dayOf(a) > dayOf(b) ? 1 : a < b ? -1 : 1);

/** A place for a folder without a listing, as in exports of a single person. Its members are the authors. */
async function unlistedPlace(archive: Archive, folder: string, days: string[]): Promise<SlackPlace> {
  const memberIds = new Set<string>();
  for (const day of days) {
    for (const message of await readDay(archive, day)) {
      const user = asText(asFields(message)?.user);
      if (user !== "") memberIds.add(user);
    }
  }
  const [name = "", parent] = folder.split("/").reverse().slice(1);
  const isDirect = /^(?:D[A-Z0-9]{6,}|mpdm-.+)$/.test(name) || parent === "dms" || parent === "mpims";
  return {
    id: isDirect && /^D[A-Z0-9]+$/.test(name) ? name : folder,
    kind: isDirect ? "conversation" : "channel",
    name,
    fields: {},
    isPrivate: true,
    workspace: /(?:^|\/)teams\/([^/]+)\//.exec(folder)?.[1],
    bases: new Set(),
    memberIds,
    days: days.sort(byDay),
    pins: new Map(),
  };
}

/** The messages of a day. An unreadable file has a single undefined message. */
export async function readDay(archive: Archive, name: string): Promise<readonly unknown[]> {
  const value = await readJson(archive, name).catch((error: unknown) => {
    if (error instanceof NotAnExport && error.problem.reason === "import_part_malformed") return undefined;
    throw error;
  });
  return Array.isArray(value) ? value : [undefined];
}
