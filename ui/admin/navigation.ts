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

/** Where a page is. A link to a path that has no route does not compile. */
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
  | "/backups"
  | "/network"
  | "/audit"
  | "/logs"
  | "/computer"
  | "/updates";

/** A page of the window. Its id is the key of its texts in `nav`. */
export interface NavigationPage {
  readonly id: PageId;
  readonly path: AdminPath;
  readonly icon: LucideIcon;
  /** In a section about the host: also for administrators who are not owners, who see on it what they may. */
  readonly forAdministrators?: boolean;
  /** Also for moderators and members, who see on it what is theirs. */
  readonly forMembers?: boolean;
  /** Only in the desktop's window. */
  readonly atDesktop?: boolean;
}

export interface NavigationSection {
  /** The question that its pages answer; the key of its text in `nav.sections`. */
  readonly id: keyof typeof adminTexts.nav.sections;
  readonly pages: readonly NavigationPage[];
  /** About the machine that Hearth runs on, which administrators do not look after. */
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
      { id: "backups", path: "/backups", icon: Archive },
      { id: "network", path: "/network", icon: Network },
      { id: "audit", path: "/audit", icon: History },
      { id: "logs", path: "/logs", icon: ScrollText },
      { id: "computer", path: "/computer", icon: Laptop, atDesktop: true },
      { id: "updates", path: "/updates", icon: Download, atDesktop: true },
    ],
  },
];

/** Where members begin, who have no Overview. */
const OWN_SECTION: NavigationSection = { id: "own", pages: [{ id: "own", path: "/own", icon: House }] };

/** The pages of the window, grouped by what somebody wants to know. The sidebar and the palette show them. */
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

/** Whether somebody else has a page at this path. */
export const isOfOthers = (session: Session, path: string): boolean =>
  !isOffered(session, path) && isIn([...NAVIGATION, OWN_SECTION], path);

/** Whether it is a page that an owner has in the desktop's window, and not in a browser. */
export const isOfDesktop = (session: Session, path: string): boolean =>
  mayManageHost(session) &&
  !session.at_desktop &&
  NAVIGATION.some(({ pages }) => pages.some((page) => page.path === path && page.atDesktop));

/** Where people begin, by their role. */
export const HOMES: ReadonlySet<string> = new Set<AdminPath>(["/", "/own"]);
export const homeOf = (session: Session): "/" | "/own" => (mayManage(session) ? "/" : "/own");
