import type { TFunction } from "i18next";

/** docs/protocol.md#roles, highest first. */
export const ROLES = [100, 200, 300, 400, 600] as const;
export type Role = (typeof ROLES)[number];

const NAMES = { 100: "owner", 200: "administrator", 300: "moderator", 400: "member", 600: "guest" } as const;

export const roleName = (role: number, t: TFunction): string => t(`roles.${NAMES[role as Role]}`);

/** What somebody with the role may do, in a sentence. */
export const roleHint = (role: number, t: TFunction): string => t(`roleHints.${NAMES[role as Role]}`);
