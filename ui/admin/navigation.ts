import { Gauge, type LucideIcon } from "lucide-react";

/** A page of the window. Its id is the key of its texts in `nav`. */
export interface NavigationPage {
  readonly id: "overview";
  readonly path: "/";
  readonly icon: LucideIcon;
}

export interface NavigationSection {
  /** The question that its pages answer; the key of its text in `nav.sections`. */
  readonly id: "status";
  readonly pages: readonly NavigationPage[];
}

/** The pages of the window, grouped by what somebody wants to know. The sidebar and the palette show them. */
export const NAVIGATION: readonly NavigationSection[] = [
  { id: "status", pages: [{ id: "overview", path: "/", icon: Gauge }] },
];
