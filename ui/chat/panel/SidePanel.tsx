import { ActionIcon } from "@mantine/core";
import { X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useStore } from "../../api/store.ts";
import { type Narrow, narrowKey } from "../model/narrow.ts";
import { SectionButtons } from "../SectionButtons.tsx";
import { Files } from "./Files.tsx";
import { People } from "./People.tsx";
import { Search } from "./Search.tsx";
import classes from "./SidePanel.module.css";
import { PANEL_SECTIONS, panelSection, usePanel } from "./use-panel.ts";

/** The column beside a conversation: who is in it, its files, and a search. Without a conversation, everybody. */
export function SidePanel({ narrow }: { narrow: Narrow | undefined }) {
  const { t } = useTranslation();
  const [, setOpen] = usePanel();
  const chosen = useStore(panelSection, (section) => section);
  const hasFiles = narrow !== undefined && narrow.kind !== "search";
  const sections = PANEL_SECTIONS.filter((section) => hasFiles || section !== "files");
  const shown = sections.includes(chosen) ? chosen : "people";
  return (
    <aside className={classes.panel} aria-label={t("chatPeople.panel.label")}>
      <div className={classes.header}>
        <SectionButtons
          sections={sections}
          shown={shown}
          labelOf={(section) => t(`chatPeople.panel.${section}`)}
          onChoose={(section) => panelSection.set(section)}
        />
        <ActionIcon
          variant="subtle"
          color="gray"
          onClick={() => setOpen(false)}
          aria-label={t("chatPeople.panel.hide")}
          title={t("chatPeople.panel.hide")}
        >
          <X size="1rem" aria-hidden="true" />
        </ActionIcon>
      </div>
      {shown === "search" && <Search narrow={narrow} />}
      {shown === "files" && hasFiles && <Files key={narrowKey(narrow)} narrow={narrow} />}
      {shown === "people" && <People key={narrow && "channelId" in narrow ? narrow.channelId : ""} narrow={narrow} />}
    </aside>
  );
}
