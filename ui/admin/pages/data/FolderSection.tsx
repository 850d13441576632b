import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Desktop } from "../../../../main/bridge-types.ts";
import type { Answer } from "../../../api/client.ts";
import { CopyableCode } from "../../../parts/CopyableCode.tsx";
import { exactTime } from "../../../parts/format.ts";
import { ConfirmDialog } from "../../../parts/settings/ConfirmDialog.tsx";
import { noticeDone } from "../../../parts/settings/notices.tsx";
import { useAdmin } from "../../admin-context.ts";
import { newSince } from "../../parts/new-since.ts";
import { PageSection } from "../../parts/PageSection.tsx";
import { useAnswer } from "../../use-answer.ts";
import classes from "./FolderSection.module.css";
import { MoveDialog } from "./MoveDialog.tsx";

type OldFolder = NonNullable<Answer<"GET /host/old-folder">["old"]>;

/** Where the data is, how it moves elsewhere, and the folder that it came from. */
export function FolderSection({ folder }: { folder: string }) {
  const { t } = useTranslation();
  const { desktop } = useAdmin();
  const queries = useQueryClient();
  const [isMoving, setMoving] = useState(false);
  const { data } = useAnswer("GET /host/old-folder", {}, { isOfHost: true, isAlwaysStale: true });
  const askAgain = () => void queries.invalidateQueries();
  return (
    <PageSection
      title={t("data.place.title")}
      description={t(desktop ? "data.place.lead" : "data.place.leadElsewhere")}
    >
      <div className={classes.place}>
        <span className={classes.path} dir="ltr">
          {folder}
        </span>
        {desktop && (
          <div className={classes.tools}>
            <Button variant="subtle" size="sm" onClick={() => void desktop.showDataFolder()}>
              {t("data.showFolder")}
            </Button>
            <Button variant="default" size="sm" onClick={() => setMoving(true)}>
              {t("data.place.move")}
            </Button>
          </div>
        )}
      </div>
      {!desktop && <CopyableCode>{moveCommand(folder)}</CopyableCode>}
      {data?.old && <Old old={data.old} desktop={desktop} onChange={askAgain} />}
      {isMoving && desktop && <MoveDialog desktop={desktop} onMoved={askAgain} onClose={() => setMoving(false)} />}
    </PageSection>
  );
}

interface OldProps {
  old: OldFolder;
  desktop: Desktop | undefined;
  onChange(): void;
}

function Old({ old, desktop, onChange }: OldProps) {
  const { t } = useTranslation();
  const [asked, setAsked] = useState<"back" | "remove">();
  const since = () => {
    if (old.is_unchanged) return t("data.old.unchanged");
    const came = newSince(old);
    return came === undefined ? t("data.old.littleLost") : t("data.old.lost", { came });
  };
  return (
    <div className={classes.old}>
      <h3 className={classes.heading}>{t("data.old.title")}</h3>
      <span className={classes.path} dir="ltr">
        {old.folder}
      </span>
      <p className={classes.hint}>
        {t("data.old.lead", { time: exactTime(old.moved_at) })} {since()}
      </p>
      {desktop && (
        <div className={classes.tools}>
          <Button variant="default" size="sm" onClick={() => setAsked("back")}>
            {t("data.old.back")}
          </Button>
          <Button variant="subtle" color="gray" size="sm" onClick={() => setAsked("remove")}>
            {t("data.old.remove")}
          </Button>
        </div>
      )}
      {desktop && asked === "back" && (
        <ConfirmDialog
          title={t("data.old.backTitle")}
          confirmLabel={t("data.old.backConfirm")}
          onConfirm={async () => {
            await desktop.goBackToOldFolder();
            onChange();
            noticeDone(t("data.old.wentBack"));
          }}
          onClose={() => setAsked(undefined)}
        >
          {since()} {t("data.old.backText")}
        </ConfirmDialog>
      )}
      {desktop && asked === "remove" && (
        <ConfirmDialog
          title={t("data.old.removeTitle")}
          confirmLabel={t("data.old.removeConfirm")}
          onConfirm={async () => {
            await desktop.removeOldFolder();
            onChange();
            noticeDone(t("data.old.removed"));
          }}
          onClose={() => setAsked(undefined)}
        >
          {t("data.old.removeText", { folder: old.folder })}
        </ConfirmDialog>
      )}
    </div>
  );
}

/** As a shell takes it. */
const moveCommand = (folder: string): string => `npm run --silent hearth -- move --data "${folder}" --to DIR`;
