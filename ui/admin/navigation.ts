import { Building2, Gauge, IdCard, KeyRound, Link2, type LucideIcon, Play, Smile } from "lucide-react";
import type { adminTexts } from "../locales/en/admin.ts";
import type { AdminPath } from "./router.tsx";

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
}

type PageId = Exclude<keyof typeof adminTexts.nav, "sections">;

/** The pages of the window, grouped by what somebody wants to know. The sidebar and the palette show them. */
export const NAVIGATION: readonly NavigationSection[] = [
  { id: "status", pages: [{ id: "overview", path: "/", icon: Gauge }] },
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
];
