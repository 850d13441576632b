import {
  Archive,
  Blocks,
  Bot,
  Building2,
  Download,
  Folders,
  Gauge,
  HardDrive,
  Hash,
  History,
  House,
  IdCard,
  KeyRound,
  Laptop,
  Link2,
  ListChecks,
  type LucideIcon,
  Mail,
  MailPlus,
  Network,
  Play,
  ScrollText,
  Smile,
  UserRoundCog,
  UsersRound,
  Webhook,
} from "lucide-react";
import { mayManage, mayManageHost, type Session } from "../api/session.ts";
import type { adminTexts } from "../locales/en/admin.ts";

/** A link to a path without a route does not compile. */
export type AdminPath =
  | "/"
  | "/own"
  | "/people"
  | "/invitations"
  | "/groups"
  | "/channels"
  | "/folders"
  | "/defaults"
  | "/bots"
  | "/webhooks"
  | "/integrations"
  | "/organization"
  | "/permissions"
  | "/emoji"
  | "/linkifiers"
  | "/playgrounds"
  | "/profile-fields"
  | "/data"
  | "/move-in"
  | "/backups"
  | "/network"
  | "/email"
  | "/audit"
  | "/logs"
  | "/computer"
  | "/updates";

/** An admin page. Its id is the key of its texts in `nav`. */
export interface NavigationPage {
  readonly id: PageId;
  readonly path: AdminPath;
  readonly icon: LucideIcon;
  /** In a section about the host: also for administrators who are not owners, with less content. */
  readonly forAdministrators?: boolean;
  /** Also for moderators and members, who see only their own things. */
  readonly forMembers?: boolean;
  /** Only in the desktop app. */
  readonly atDesktop?: boolean;
}

export interface NavigationSection {
  /** The key of its text in `nav.sections`. */
  readonly id: keyof typeof adminTexts.nav.sections;
  readonly pages: readonly NavigationPage[];
  /** About the machine that runs Hearth, which administrators do not manage. */
  readonly aboutHost?: boolean;
}

type PageId = Exclude<keyof typeof adminTexts.nav, "sections" | `${string}Keywords`>;

const NAVIGATION: readonly NavigationSection[] = [
  {
    id: "status",
    pages: [{ id: "overview", path: "/", icon: Gauge }],
  },
  {
    id: "people",
    pages: [
      { id: "people", path: "/people", icon: UsersRound },
      { id: "invitations", path: "/invitations", icon: MailPlus, forMembers: true },
      { id: "groups", path: "/groups", icon: UserRoundCog, forMembers: true },
    ],
  },
  {
    id: "channels",
    pages: [
      { id: "channels", path: "/channels", icon: Hash, forMembers: true },
      { id: "folders", path: "/folders", icon: Folders },
      { id: "defaults", path: "/defaults", icon: ListChecks },
    ],
  },
  {
    id: "connected",
    pages: [
      { id: "bots", path: "/bots", icon: Bot, forMembers: true },
      { id: "webhooks", path: "/webhooks", icon: Webhook, forMembers: true },
      { id: "integrations", path: "/integrations", icon: Blocks, forMembers: true },
    ],
  },
  {
    id: "settings",
    pages: [
      { id: "organization", path: "/organization", icon: Building2 },
      { id: "permissions", path: "/permissions", icon: KeyRound },
      { id: "emoji", path: "/emoji", icon: Smile, forMembers: true },
      { id: "linkifiers", path: "/linkifiers", icon: Link2 },
      { id: "playgrounds", path: "/playgrounds", icon: Play },
      { id: "profileFields", path: "/profile-fields", icon: IdCard },
    ],
  },
  {
    id: "safety",
    aboutHost: true,
    pages: [
      { id: "data", path: "/data", icon: HardDrive, forAdministrators: true },
      { id: "moveIn", path: "/move-in", icon: House },
      { id: "backups", path: "/backups", icon: Archive },
      { id: "network", path: "/network", icon: Network },
      { id: "email", path: "/email", icon: Mail },
      { id: "audit", path: "/audit", icon: History },
      { id: "logs", path: "/logs", icon: ScrollText },
      { id: "computer", path: "/computer", icon: Laptop, atDesktop: true },
      { id: "updates", path: "/updates", icon: Download, atDesktop: true },
    ],
  },
];

/** The home page of members. */
const OWN_SECTION: NavigationSection = { id: "own", pages: [{ id: "own", path: "/own", icon: House }] };

/** The pages that the sidebar and the palette show. */
export function navigationFor(session: Session): readonly NavigationSection[] {
  if (mayManage(session)) {
    const isHost = mayManageHost(session);
    return NAVIGATION.map((section) => ({
      ...section,
      pages: section.pages.filter(
        ({ atDesktop = false, forAdministrators = false }) =>
          (!section.aboutHost || isHost || forAdministrators) && (!atDesktop || session.at_desktop),
      ),
    }));
  }
  const theirs = NAVIGATION.map((section) => ({ ...section, pages: section.pages.filter((page) => page.forMembers) }));
  return [OWN_SECTION, ...theirs.filter(({ pages }) => pages.length > 0)];
}

const isIn = (sections: readonly NavigationSection[], path: string): boolean =>
  sections.some(({ pages }) => pages.some((page) => page.path === path));

export const isOffered = (session: Session, path: string): boolean => isIn(navigationFor(session), path);

/** Whether other roles have a page at this path. */
export const isOfOthers = (session: Session, path: string): boolean =>
  !isOffered(session, path) && isIn([...NAVIGATION, OWN_SECTION], path);

/** Whether an owner has this page only in the desktop app. */
export const isOfDesktop = (session: Session, path: string): boolean =>
  mayManageHost(session) &&
  !session.at_desktop &&
  NAVIGATION.some(({ pages }) => pages.some((page) => page.path === path && page.atDesktop));

/** Home pages, by role. */
export const HOMES: ReadonlySet<string> = new Set<AdminPath>(["/", "/own"]);
export const homeOf = (session: Session): "/" | "/own" => (mayManage(session) ? "/" : "/own");
