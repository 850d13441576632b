// What ../vite.config.ts makes while it builds the pages.

declare module "virtual:emoji-groups" {
  export const groups: import("./emoji-groups.ts").EmojiGroups;
}
