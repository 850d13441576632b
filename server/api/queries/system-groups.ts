/** From the widest to the narrowest: each but the last two holds the next as its subgroup. */
export const SYSTEM_GROUPS = [
  { name: "role:internet", description: "Everyone on the internet" },
  { name: "role:everyone", description: "Everyone in this organization, guests too" },
  { name: "role:members", description: "Everyone in this organization but guests" },
  { name: "role:fullmembers", description: "Members for longer than the waiting period, and all above them" },
  { name: "role:moderators", description: "Moderators, administrators and owners" },
  { name: "role:administrators", description: "Administrators and owners" },
  { name: "role:owners", description: "Owners" },
  { name: "role:nobody", description: "Nobody" },
] as const;
export type SystemGroupName = (typeof SYSTEM_GROUPS)[number]["name"];
