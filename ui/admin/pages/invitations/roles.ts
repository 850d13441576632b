/** Roles from the highest to the lowest (docs/protocol.md#system-groups); nobody invites to a role above their own. */
export const INVITED_ROLES = [
  { role: 100, name: "owner" },
  { role: 200, name: "administrator" },
  { role: 300, name: "moderator" },
  { role: 400, name: "member" },
  { role: 600, name: "guest" },
] as const;
export type RoleName = (typeof INVITED_ROLES)[number]["name"];

export const MEMBER = 400;
export const GUEST = 600;

export const roleName = (role: number): RoleName => INVITED_ROLES.find((one) => one.role === role)?.name ?? "member";
