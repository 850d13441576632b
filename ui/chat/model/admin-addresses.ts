/** Pages of the admin window by the names in URLs of the public web client. */
const PAGES: Readonly<Record<string, string>> = {
  "organization-permissions": "/permissions",
  "auth-methods": "/permissions",
  "emoji-settings": "/emoji",
  "linkifier-settings": "/linkifiers",
  "playground-settings": "/playgrounds",
  "profile-field-settings": "/profile-fields",
  users: "/people",
  "user-list-admin": "/people",
  "deactivated-users-admin": "/people",
  invitations: "/invitations",
  "invites-list-admin": "/invitations",
  bots: "/bots",
  "bot-list-admin": "/bots",
  "default-channels-list": "/defaults",
  "organization-level-user-defaults": "/defaults",
  "channel-folders": "/folders",
};

const FOR_MEMBERS: readonly string[] = ["/invitations", "/emoji", "/bots"];

/** The URL in the admin window for a hash of the public web client. Guests have no pages there. */
export function adminAddressAt(hash: string, who: { mayManage: boolean; isGuest: boolean }): string | undefined {
  const [first, section = ""] = hash.replace(/^#/, "").split("/");
  if ((first !== "organization" && first !== "invite") || who.isGuest) return undefined;
  const page = first === "invite" ? "/invitations" : (PAGES[section] ?? "/organization");
  return `/admin/#${who.mayManage || FOR_MEMBERS.includes(page) ? page : "/own"}`;
}
