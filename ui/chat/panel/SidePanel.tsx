import { ActionIcon, Button } from "@mantine/core";
import { X } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Narrow } from "../model/narrow.ts";
import { narrowKey } from "../model/narrow.ts";
import { Files } from "./Files.tsx";
import { People } from "./People.tsx";
import classes from "./SidePanel.module.css";
import { usePanel } from "./use-panel.ts";

const CHOICES = ["people", "files"] as const;

/** The column beside a conversation: who is in it, and its files. Without a conversation, everybody. */
export function SidePanel({ narrow }: { narrow: Narrow | undefined }) {
  const { t } = useTranslation();
  const [, setOpen] = usePanel();
  const [shown, setShown] = useState<(typeof CHOICES)[number]>("people");
  const hasFiles = narrow !== undefined && narrow.kind !== "search";
  return (
    <aside className={classes.panel} aria-label={t("chatPeople.panel.label")}>
      <div className={classes.header}>
        {hasFiles ? (
          <div className={classes.choices}>
            {CHOICES.map((choice) => (
              <Button
                key={choice}
                size="compact-sm"
                variant="subtle"
                color="gray"
                className={classes.choice}
                aria-pressed={choice === shown}
                onClick={() => setShown(choice)}
              >
                {t(`chatPeople.panel.${choice}`)}
              </Button>
            ))}
          </div>
        ) : (
          <h2 className={classes.title}>{t("chatPeople.panel.people")}</h2>
        )}
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
      {hasFiles && shown === "files" ? (
        <Files key={narrowKey(narrow)} narrow={narrow} />
      ) : (
        <People key={narrow && "channelId" in narrow ? narrow.channelId : ""} narrow={narrow} />
      )}
    </aside>
  );
}
