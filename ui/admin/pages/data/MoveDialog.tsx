import { Button, Group, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
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
import { Fact, Facts } from "../../../parts/text/Facts.tsx";
import { Hint } from "../../../parts/text/Hint.tsx";
import { FolderProgress } from "../../parts/FolderProgress.tsx";
import { useFolderWork } from "../../use-folder-work.ts";

export interface MoveDialogProps {
  desktop: Desktop;
  /** Called when the server runs again with the data in its new location. */
  onMoved(): void;
  onClose(): void;
}

/** Chooses a location and moves the data there, with progress. The user can cancel until the end. */
export function MoveDialog({ desktop, onMoved, onClose }: MoveDialogProps) {
  const { t } = useTranslation();
  const choose = useMutation({ mutationFn: () => desktop.chooseMoveTarget() });
  const [target, setTarget] = useState<MoveTarget>();
  const move = useMutation({
    mutationFn: () => desktop.moveDataFolder(),
    onSuccess: (isMoved) => {
      if (!isMoved) return;
      onMoved();
      noticeDone(t("data.moving.done"));
      onClose();
    },
    onSettled: () => setTarget(undefined), // The shell takes a chosen location only once.
  });
  const isMoving = move.isPending || move.data === true;
  const note = noteOf();

  function noteOf(): { tone: "error" | "info"; text: string } | undefined {
    if (choose.error) return { tone: "error", text: errorMessage(choose.error) };
    if (move.error) return { tone: "error", text: t("data.moving.failed", { why: errorMessage(move.error) }) };
    return move.data === false ? { tone: "info", text: t("data.moving.cancelled") } : undefined;
  }
  const chooseTarget = () => {
    move.reset();
    choose.mutate(undefined, {
      onSuccess: (chosen) => chosen && setTarget(chosen),
      onError: () => setTarget(undefined),
    });
  };
  const moveData = () => {
    choose.reset();
    move.mutate();
  };

  const isReady = target?.problem === null;
  return (
    <Dialog title={t("data.moving.title")} isForm size="36rem" onClose={() => isMoving || onClose()}>
      <Stack gap="md">
        {!isMoving && <Text>{t("data.moving.lead")}</Text>}
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
            <BusyButton busy={choose.isPending} variant={isReady ? "default" : "filled"} onClick={chooseTarget}>
              {t(target ? "data.moving.chooseAnother" : "data.moving.choose")}
            </BusyButton>
            {isReady && <Button onClick={moveData}>{t("data.moving.submit")}</Button>}
          </Group>
        )}
      </Stack>
    </Dialog>
  );
}

function Target({ target: { path, problem, warning, bytes: size, freeBytes } }: { target: MoveTarget }) {
  const { t } = useTranslation();
  return (
    <>
      <Facts>
        <Fact label={t("data.moving.to")}>
          <span dir="ltr">{path}</span>
        </Fact>
        <Fact label={t("data.moving.size")}>{bytes(size)}</Fact>
        {freeBytes > 0 && <Fact label={t("data.moving.free")}>{bytes(freeBytes)}</Fact>}
      </Facts>
      {problem && (
        <Callout tone="error" role="alert">
          {t(`data.moving.problems.${problem}`)}
        </Callout>
      )}
      {warning && <Callout tone="warning">{t(`data.moving.warnings.${warning}`)}</Callout>}
    </>
  );
}

/** The shell reports the progress because the server is stopped. */
function Moving({ desktop }: { desktop: Desktop }) {
  const { t } = useTranslation();
  const work = useFolderWork(desktop, true);
  const [isCancelled, setCancelled] = useState(false);
  const phase = work?.phase ?? "stopping";
  const cancelling = isCancelled ? t("data.moving.cancelling") : undefined;
  return (
    <>
      <Stack gap="xs">
        <FolderProgress work={work} label={cancelling} />
        <Hint>{t("data.moving.away")}</Hint>
      </Stack>
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
