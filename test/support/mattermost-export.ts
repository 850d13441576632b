import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { temporaryFolder } from "./organization.ts";
import { pngOf } from "./pictures.ts";
import { zipOf } from "./zip.ts";

export const PNG = pngOf(40, 40, 40);

const at = (n: number) => 1_500_000_000_000 + n * 60_000;
const line = (type: string, fields: object) => JSON.stringify({ type, [type]: fields });
export const post = (message: string, n: number, more: object = {}) =>
  line("post", { team: "core", channel: "dev", user: "ann", message, create_at: at(n), ...more });
const user = (username: string, more: object = {}) =>
  line("user", { username, teams: [{ name: "core", channels: [{ name: "dev" }, { name: "board" }] }], ...more });

/** An export of Mattermost with a picture, a custom emoji, an avatar, a private channel and direct messages. */
export function mattermostExport(t: TestContext, posts: readonly string[] = []): string {
  const lines = [
    JSON.stringify({ type: "version", version: 1 }),
    line("emoji", { name: "skiff", image: "emoji/boat.png" }),
    line("team", { name: "core", display_name: "Core" }),
    line("channel", { team: "core", name: "dev", display_name: "Development", type: "O" }),
    line("channel", { team: "core", name: "board", display_name: "Board", type: "P" }),
    user("ann", { email: "ann@example.org", profile_image: "ann.png" }),
    user("bob", { roles: "system_admin" }),
    post("see :skiff:", 1, { attachments: [{ path: "boat.png" }], reactions: [{ user: "bob", emoji_name: "skiff" }] }),
    post("@bob look", 2, { replies: [{ user: "bob", message: "I see", create_at: at(3) }] }),
    post("secret", 4, { channel: "board" }),
    line("direct_post", { channel_members: ["ann", "bob"], user: "ann", message: "psst", create_at: at(5) }),
    ...posts,
  ];
  const names = ["emoji/boat.png", "ann.png", "boat.png"].map((name) => ({ name: `data/${name}`, content: PNG }));
  const path = join(temporaryFolder(t), "export.zip");
  writeFileSync(path, zipOf([{ name: "import.jsonl", content: lines.join("\n") }, ...names]));
  return path;
}
