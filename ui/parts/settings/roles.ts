import type { TFunction } from "i18next";

/** docs/protocol.md#roles, highest first. */
export const ROLES = [100, 200, 300, 400, 600] as const;
export type Role = (typeof ROLES)[number];
export const [OWNER, ADMINISTRATOR, , MEMBER, GUEST] = ROLES;

/** The order in menus: lowest first, so that no one gets far-reaching rights by a slip. */
export const OFFERED_ROLES: readonly Role[] = [...ROLES].reverse();

const KEYS = { 100: "owner", 200: "administrator", 300: "moderator", 400: "member", 600: "guest" } as const;

/** The key of a role's texts in the catalogue. */
export const roleKey = (role: number): (typeof KEYS)[Role] => KEYS[role as Role];

export const roleName = (role: number, t: TFunction): string => t(`roles.${roleKey(role)}`);

export const roleHint = (role: number, t: TFunction): string => t(`roleHints.${roleKey(role)}`);
