import {
  Blocks,
  Bot,
  Building2,
  Folders,
  Gauge,
  HardDrive,
  Hash,
  History,
  IdCard,
  KeyRound,
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
import { mayManageHost, type Session } from "../api/session.ts";
import type { adminTexts } from "../locales/en/admin.ts";

/** Where a page is. A link to a path that has no route does not compile. */
export type AdminPath =
  | "/"
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
  | "/network"
  | "/audit"
  | "/logs";

/** A page of the window. Its id is the key of its texts in `nav`. */
export interface NavigationPage {
  readonly id: PageId;
  readonly path: AdminPath;
  readonly icon: LucideIcon;
}

export interface NavigationSection {
  /** The question that its pages answer; the key of its text in `nav.sections`. */
  readonly id: keyof typeof adminTexts.nav.sections;
  readonly pages: readonly NavigationPage[];
  /** About the machine that Hearth runs on, which administrators do not look after. */
  readonly aboutHost?: boolean;
}

type PageId = Exclude<keyof typeof adminTexts.nav, "sections">;

const NAVIGATION: readonly NavigationSection[] = [
  {
    id: "status",
    pages: [{ id: "overview", path: "/", icon: Gauge }],
  },
  {
    id: "people",
    pages: [
      { id: "people", path: "/people", icon: UsersRound },
      { id: "invitations", path: "/invitations", icon: MailPlus },
      { id: "groups", path: "/groups", icon: UserRoundCog },
    ],
  },
  {
    id: "channels",
    pages: [
      { id: "channels", path: "/channels", icon: Hash },
      { id: "folders", path: "/folders", icon: Folders },
      { id: "defaults", path: "/defaults", icon: ListChecks },
    ],
  },
  {
    id: "connected",
    pages: [
      { id: "bots", path: "/bots", icon: Bot },
      { id: "webhooks", path: "/webhooks", icon: Webhook },
      { id: "integrations", path: "/integrations", icon: Blocks },
    ],
  },
  {
    id: "settings",
    pages: [
      { id: "organization", path: "/organization", icon: Building2 },
      { id: "permissions", path: "/permissions", icon: KeyRound },
      { id: "emoji", path: "/emoji", icon: Smile },
      { id: "linkifiers", path: "/linkifiers", icon: Link2 },
      { id: "playgrounds", path: "/playgrounds", icon: Play },
      { id: "profileFields", path: "/profile-fields", icon: IdCard },
    ],
  },
  {
    id: "safety",
    aboutHost: true,
    pages: [
      { id: "data", path: "/data", icon: HardDrive },
      { id: "network", path: "/network", icon: Network },
      { id: "audit", path: "/audit", icon: History },
      { id: "logs", path: "/logs", icon: ScrollText },
    ],
  },
];

/** The pages of the window, grouped by what somebody wants to know. The sidebar and the palette show them. */
export const navigationFor = (session: Session): readonly NavigationSection[] =>
  NAVIGATION.filter(({ aboutHost = false }) => !aboutHost || mayManageHost(session));
