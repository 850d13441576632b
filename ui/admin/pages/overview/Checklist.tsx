import { Button, CloseButton, Group, VisuallyHidden } from "@mantine/core";
import { Check } from "lucide-react";
import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import type { Desktop } from "../../../../main/bridge-types.ts";
import type { ServerState } from "../../../api/server-state.ts";
import { Callout } from "../../../parts/Callout.tsx";
import { Hint } from "../../../parts/text/Hint.tsx";
import { useOrganization } from "../../admin-context.ts";
import { adminPart } from "../../admin-part.ts";
import { useOpenChat } from "../../parts/use-open-chat.ts";
import { AddPerson } from "../people/lazy-add-person.ts";
import classes from "./Checklist.module.css";
import { OpenNetwork } from "./OpenNetwork.tsx";
import { type ChecklistState, STEPS, type Step } from "./use-checklist.ts";

const CreateChannelDialog = adminPart(() =>
  import("../channels/CreateChannelDialog.tsx").then((all) => ({ default: all.CreateChannelDialog })),
);
const ConnectApp = adminPart(() => import("./ConnectApp.tsx").then((all) => ({ default: all.ConnectApp })));

export interface ChecklistProps {
  checklist: ChecklistState;
  serverState: ServerState;
  desktop: Desktop | undefined;
}

export function Checklist({ checklist: { done, hide }, serverState, desktop }: ChecklistProps) {
  const { t } = useTranslation();
  const openChat = useOpenChat();
  const channels = useOrganization(({ streams }) => streams);
  const [dialog, setDialog] = useState<Step>();
  const [announcement, setAnnouncement] = useState<string>();
  const [error, setError] = useState<string>();
  const current = STEPS.find((step) => !done.has(step));
  const opener = useRef<HTMLButtonElement>(null);

  const open = (step: Step, button: HTMLButtonElement) => {
    opener.current = button;
    setDialog(step);
  };
  const close = () => {
    flushSync(() => setDialog(undefined));
    opener.current?.focus();
  };
  const finish = (text: string) => {
    setAnnouncement(text);
    close();
  };

  const action = (step: Step) => {
    const isDone = done.has(step);
    const variant = step === current ? "light" : "default";
    if (step === "message") {
      if (isDone || !desktop) return null;
      return (
        <Button size="xs" variant={variant} onClick={() => openChat("/")}>
          {t("shell.openChat")}
        </Button>
      );
    }
    if (step === "open") {
      const { network, host } = serverState;
      if (isDone || !host) return null; // an administrator without access to the machine
      return (
        <OpenNetwork
          label={t("checklist.openAction")}
          {...{ desktop, network }}
          dataFolder={host.storage.data_folder}
          size="xs"
          variant={variant}
          onError={setError}
        />
      );
    }
    return (
      <Button size="xs" variant={variant} onClick={(event) => open(step, event.currentTarget)} aria-haspopup="dialog">
        {t(`checklist.${step}${isDone ? "Again" : "Action"}`)}
      </Button>
    );
  };

  return (
    <section className={classes.checklist} aria-labelledby="next-steps">
      <div className={classes.header}>
        <h2 id="next-steps">{current ? t("checklist.title") : t("checklist.allDone")}</h2>
        <Hint span>{t("checklist.done", { done: done.size, count: STEPS.length })}</Hint>
        {current && <CloseButton size="sm" aria-label={t("checklist.dismiss")} onClick={hide} />}
      </div>
      <ol className={classes.steps}>
        {STEPS.map((step) => (
          <li key={step} className={classes.step} data-done={done.has(step)} data-current={step === current}>
            <span className={classes.tick} aria-hidden="true">
              {done.has(step) && <Check size="0.8125rem" strokeWidth={3} />}
            </span>
            <span className={classes.name}>
              {t(`checklist.${step}`)}
              {done.has(step) && <VisuallyHidden>{t("checklist.isDone")}</VisuallyHidden>}
            </span>
            {!done.has(step) && <span className={classes.hint}>{t(`checklist.${step}Hint`)}</span>}
            <span className={classes.action}>{action(step)}</span>
          </li>
        ))}
      </ol>
      {error && !done.has("open") && (
        <Callout tone="error" role="alert">
          {error}
        </Callout>
      )}
      <div role="status">{announcement && <Callout tone="info">{announcement}</Callout>}</div>
      {!current && (
        <Group justify="space-between">
          <Hint>{t("checklist.allDoneHint")}</Hint>
          <Button size="sm" onClick={hide}>
            {t("checklist.finished")}
          </Button>
        </Group>
      )}
      {dialog === "person" && <AddPerson onClose={close} onAdded={(name) => finish(t("addPerson.added", { name }))} />}
      {dialog === "channel" && <CreateChannelDialog channels={channels ?? []} onClose={close} />}
      {dialog === "app" && <ConnectApp network={serverState.network} onClose={close} />}
    </section>
  );
}
