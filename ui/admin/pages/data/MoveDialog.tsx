import { Button, Group } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Desktop, MoveTarget } from "../../../../main/bridge-types.ts";
import { BusyButton } from "../../../parts/BusyButton.tsx";
import { Callout } from "../../../parts/Callout.tsx";
import { Dialog } from "../../../parts/Dialog.tsx";
import { errorMessage } from "../../../parts/error-messages.ts";
import { bytes } from "../../../parts/format.ts";
import { LiveRegion } from "../../../parts/LiveRegion.tsx";
import { noticeDone } from "../../../parts/settings/notices.tsx";
import { FolderProgress } from "../../parts/FolderProgress.tsx";
import { useFolderWork } from "../../use-folder-work.ts";
import classes from "./MoveDialog.module.css";

export interface MoveDialogProps {
  desktop: Desktop;
  /** The server answers in its new place. */
  onMoved(): void;
  onClose(): void;
}

/** Chooses a place, moves the data there while it says how far it is, and can be called off until the end. */
export function MoveDialog({ desktop, onMoved, onClose }: MoveDialogProps) {
  const { t } = useTranslation();
  const [target, setTarget] = useState<MoveTarget>();
  const [isChoosing, setChoosing] = useState(false);
  const [isMoving, setMoving] = useState(false);
  const [note, setNote] = useState<{ tone: "error" | "info"; text: string }>();

  const choose = async () => {
    setNote(undefined);
    setChoosing(true);
    try {
      const chosen = await desktop.chooseMoveTarget();
      if (chosen) setTarget(chosen);
    } catch (error) {
      setTarget(undefined);
      setNote({ tone: "error", text: errorMessage(error) });
    } finally {
      setChoosing(false);
    }
  };
  const move = async () => {
    setNote(undefined);
    setMoving(true);
    try {
      if (await desktop.moveDataFolder()) {
        onMoved();
        noticeDone(t("data.moving.done"));
        onClose();
        return;
      }
      setNote({ tone: "info", text: t("data.moving.cancelled") });
    } catch (error) {
      setNote({ tone: "error", text: t("data.moving.failed", { why: errorMessage(error) }) });
    }
    setMoving(false);
    setTarget(undefined); // a place is asked for once for each move
  };

  const isReady = target?.problem === null;
  return (
    <Dialog title={t("data.moving.title")} isForm size="36rem" onClose={() => isMoving || onClose()}>
      <div className={classes.parts}>
        {!isMoving && <p className={classes.text}>{t("data.moving.lead")}</p>}
        {target && <Target target={target} />}
        {note && (
          <Callout tone={note.tone} role="alert">
            {note.text}
          </Callout>
        )}
        {isMoving ? (
          <Moving desktop={desktop} />
        ) : (
          <Group justify="end">
            <Button variant="default" onClick={onClose}>
              {t("form.cancel")}
            </Button>
            <BusyButton busy={isChoosing} variant={isReady ? "default" : "filled"} onClick={() => void choose()}>
              {t(target ? "data.moving.chooseAnother" : "data.moving.choose")}
            </BusyButton>
            {isReady && <Button onClick={() => void move()}>{t("data.moving.submit")}</Button>}
          </Group>
        )}
      </div>
    </Dialog>
  );
}

function Target({ target: { path, problem, warning, bytes: size, freeBytes } }: { target: MoveTarget }) {
  const { t } = useTranslation();
  return (
    <>
      <dl className={classes.facts}>
        <div>
          <dt>{t("data.moving.to")}</dt>
          <dd dir="ltr">{path}</dd>
        </div>
        <div>
          <dt>{t("data.moving.size")}</dt>
          <dd>{bytes(size)}</dd>
        </div>
        {freeBytes > 0 && (
          <div>
            <dt>{t("data.moving.free")}</dt>
            <dd>{bytes(freeBytes)}</dd>
          </div>
        )}
      </dl>
      {problem && (
        <Callout tone="error" role="alert">
          {t(`data.moving.problems.${problem}`)}
        </Callout>
      )}
      {warning && <Callout tone="warning">{t(`data.moving.warnings.${warning}`)}</Callout>}
    </>
  );
}

/** Asks the shell how far it is, since the server is stopped meanwhile. */
function Moving({ desktop }: { desktop: Desktop }) {
  const { t } = useTranslation();
  const work = useFolderWork(desktop, true);
  const [isCancelled, setCancelled] = useState(false);
  const phase = work?.phase ?? "stopping";
  const cancelling = isCancelled ? t("data.moving.cancelling") : undefined;
  return (
    <>
      <div className={classes.work}>
        <FolderProgress work={work} label={cancelling} />
        <p className={classes.hint}>{t("data.moving.away")}</p>
      </div>
      <LiveRegion>{cancelling ?? t(`data.moving.phases.${phase}`)}</LiveRegion>
      <Group justify="end">
        <BusyButton
          busy={isCancelled || phase === "starting"}
          variant="default"
          onClick={() => {
            setCancelled(true);
            void desktop.cancelMove();
          }}
        >
          {t("data.moving.cancel")}
        </BusyButton>
      </Group>
    </>
  );
}
