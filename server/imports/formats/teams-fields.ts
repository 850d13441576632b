import { fieldsOf, firstText } from "../values.ts";

/* Fields of Teams data: the export tool writes `DisplayName`, Microsoft Graph `displayName`. */

/** A field by its name in Graph, or the field that a path of names leads to. */
export function teamsField(value: unknown, ...path: readonly string[]): unknown {
  let found = value;
  for (const name of path) {
    const fields = fieldsOf(found);
    found = fields[`${name[0]?.toUpperCase()}${name.slice(1)}`] ?? fields[name];
  }
  return found;
}

export const teamsText = (value: unknown, ...path: readonly string[]): string | undefined =>
  firstText(teamsField(value, ...path));

/** A person, an app, or a device such as in a meeting room. */
export interface Identity {
  readonly id: string;
  readonly name: string | undefined;
  readonly isBot: boolean;
  /** Whether the account belongs to another organization or is anonymous. */
  readonly isOutside: boolean;
}

export function identityIn(set: unknown): Identity | undefined {
  for (const kind of ["user", "application", "device"]) {
    const identity = teamsField(set, kind);
    const id = teamsText(identity, "id");
    if (id === undefined) continue;
    const type = teamsText(identity, "userIdentityType") ?? "aadUser";
    return {
      id,
      name: teamsText(identity, "displayName"),
      isBot: kind !== "user",
      isOutside: kind === "user" && type !== "aadUser" && type !== "onPremiseAadUser",
    };
  }
  return undefined;
}
