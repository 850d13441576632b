import { useMediaQuery } from "@mantine/hooks";
import { Paperclip, Search, Users, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "../../api/store.ts";
import { BackCloses } from "../../parts/back-closes.ts";
import { type Narrow, narrowKey } from "../model/narrow.ts";
import { IconButton } from "../parts/IconButton.tsx";
import { SectionButtons } from "../parts/SectionButtons.tsx";
import { Files } from "./Files.tsx";
import { PANEL_TOGGLE } from "./PanelToggle.tsx";
import { People } from "./People.tsx";
import { Search as SearchSection } from "./Search.tsx";
import classes from "./SidePanel.module.css";
import { BESIDE, isBeside, PANEL_SECTIONS, panelSection, usePanel } from "./use-panel.ts";

const ICONS = { people: Users, files: Paperclip, search: Search } as const;

/** The column next to a conversation: its people, its files, and a search. */
export function SidePanel({ narrow }: { narrow: Narrow | undefined }) {
  const { t } = useTranslation();
  const [, setOpen] = usePanel();
  const chosen = useStore(panelSection, (section) => section);
  const hasFiles = narrow !== undefined && narrow.kind !== "search";
  const sections = PANEL_SECTIONS.filter((section) => hasFiles || section !== "files");
  const shown = sections.includes(chosen) ? chosen : "people";
  /** The search was opened here, so its field gets the focus. */
  const [isSearching, setSearching] = useState(false);
  const panel = useRef<HTMLElement>(null);
  const covers = !useMediaQuery(BESIDE, isBeside(), { getInitialValueInEffect: false });
  // Takes the focus from the conversation that it covers.
  useEffect(() => {
    if (!isBeside()) panel.current?.focus();
  }, []);
  const close = () => {
    setOpen(false);
    document.querySelector<HTMLElement>(PANEL_TOGGLE)?.focus();
  };
  return (
    <aside
      ref={panel}
      className={classes.panel}
      tabIndex={-1}
      aria-label={t("chatPeople.panel.label")}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !covers) return;
        event.stopPropagation(); // the page's own Escape leaves the conversation
        close();
      }}
    >
      {covers && <BackCloses onClose={close} />}
      <div className={classes.header}>
        <SectionButtons
          sections={sections}
          shown={shown}
          iconOf={(section) => ICONS[section]}
          labelOf={(section) => t(`chatPeople.panel.${section}`)}
          onChoose={(section) => {
            setSearching(section === "search");
            panelSection.set(section);
          }}
        />
        <IconButton onClick={close} label={t("chatPeople.panel.hide")}>
          <X size="1rem" aria-hidden="true" />
        </IconButton>
      </div>
      {shown === "search" && <SearchSection narrow={narrow} takesFocus={isSearching} />}
      {shown === "files" && hasFiles && <Files key={narrowKey(narrow)} narrow={narrow} />}
      {shown === "people" && <People key={narrow && "channelId" in narrow ? narrow.channelId : ""} narrow={narrow} />}
    </aside>
  );
}
