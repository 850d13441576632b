import type { FileSource, ImportedPerson } from "./model.ts";

export interface StrangerDetails {
  name?: string | undefined;
  username?: string | undefined;
  isBot?: boolean | undefined;
  picture?: FileSource | undefined;
}

/** Number of sender names per app that become people. An app can use a new name for each message. */
const MAX_NAMES_OF_APP = 200;

/** People in messages who are not in the export's list of people, such as former members, apps and webhooks. */
export class Strangers {
  readonly #people = new Map<string, ImportedPerson>();
  readonly #namesOfApps = new Map<string, Set<string>>();
  readonly #isKnown: (id: string) => boolean;
  readonly #nameOf: (id: string) => string;

  /** `nameOf`: the name of a person whom no message names. */
  constructor(isKnown: (id: string) => boolean, nameOf = (id: string): string => id) {
    this.#isKnown = isKnown;
    this.#nameOf = nameOf;
  }

  /** Records the person unless the export lists them. Returns the ID. */
  meet(id: string, { name, username, isBot = false, picture }: StrangerDetails = {}): string {
    if (this.#isKnown(id)) return id;
    const person = this.#people.get(id);
    if (!person) {
      const known = { id, name: name ?? this.#nameOf(id), username };
      this.#people.set(id, { ...known, role: "member", isBot, isActive: false, picture });
      return id;
    }
    // The first mention of a person often has no name.
    if (name !== undefined && person.name === this.#nameOf(id)) person.name = name;
    person.username ??= username;
    person.picture ??= picture;
    return id;
  }

  /** Records an app that sends as `name`, as a person for each name. */
  meetNamed(app: string, name: string, picture?: FileSource): string {
    const names = this.#namesOfApps.get(app) ?? new Set();
    this.#namesOfApps.set(app, names);
    if (!names.has(name) && names.size >= MAX_NAMES_OF_APP) return this.meet(app, { isBot: true });
    names.add(name);
    return this.meet(`${app}:${name}`, { name, isBot: true, picture });
  }

  all(): readonly ImportedPerson[] {
    return [...this.#people.values()];
  }
}
