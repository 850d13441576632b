// Modules that ../vite.config.ts generates.

declare module "virtual:emoji-groups" {
  export const groups: import("./emoji-groups.ts").EmojiGroups;
}
