import type { Reference, Text } from "./model.ts";
import { shortened } from "./topics.ts";

/** The names and ids of imported things in Hearth. Undefined if it is unknown or not imported. */
export interface Names {
  person(id: string): { id: number; name: string } | undefined;
  channel(id: string): { id: number; name: string } | undefined;
  /** The path of a message in the chat page: `/#narrow/…`. */
  message(place: string, id: string): string | undefined;
  /** The path of a file of this message: `/user_uploads/…`. */
  file?(id: string): string | undefined;
}

/** The Markdown of an imported text. A reference to an unknown thing becomes its name in the source, or nothing. */
export const markdownOf = (text: Text, names: Names): string =>
  text.map((part) => (typeof part === "string" ? part : markdownOfReference(part, names))).join("");

/** The text with names instead of references, for topics. */
export const plainTextOf = (text: Text, names: Pick<Names, "person" | "channel">): string =>
  text.map((part) => (typeof part === "string" ? part : nameOf(part, names))).join("");

const nameOf = (reference: Reference, names: Pick<Names, "person" | "channel">): string => {
  if ("person" in reference) return names.person(reference.person)?.name ?? "";
  if ("channel" in reference) return names.channel(reference.channel)?.name ?? "";
  if ("group" in reference) return reference.group;
  return "message" in reference || "file" in reference ? (reference.label ?? "") : "";
};

const sign = ({ silent }: { silent?: true }): string => (silent ? "@_" : "@");

function markdownOfReference(reference: Reference, names: Names): string {
  if ("person" in reference) {
    const person = names.person(reference.person);
    return person ? `${sign(reference)}**${person.name}|${person.id}**` : "";
  }
  if ("channel" in reference) {
    const channel = names.channel(reference.channel);
    const topic = reference.topic === undefined ? "" : `>${shortened(reference.topic.trim()).replaceAll("*", "&#42;")}`;
    return channel ? `#**${channel.name}${topic}**` : "";
  }
  if ("group" in reference) return `@${reference.group}`;
  if ("everyone" in reference) return `${sign(reference)}**all**`;
  const path = "file" in reference ? names.file?.(reference.file) : names.message(reference.place, reference.message);
  const label = reference.label ?? "";
  return path === undefined ? label : `[${label || "🔗"}](${path})`;
}
