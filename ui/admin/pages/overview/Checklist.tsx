import { Button, CloseButton, VisuallyHidden } from "@mantine/core";
import { Check } from "lucide-react";
import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import type { Desktop } from "../../../../main/bridge-types.ts";
import type { ServerState } from "../../../api/server-state.ts";
import type { State } from "../../../api/state-shape.ts";
import { Note } from "../../../parts/Note.tsx";
import { AddPerson } from "./AddPerson.tsx";
import classes from "./Checklist.module.css";
import { ConnectApp } from "./ConnectApp.tsx";
import { CreateChannel } from "./CreateChannel.tsx";
import { OpenNetwork } from "./OpenNetwork.tsx";
import { STEPS, type Step, type Steps } from "./use-steps.ts";

export interface ChecklistProps {
  steps: Steps;
  host: ServerState;
  desktop: Desktop | undefined;
  live: State | undefined;
}

export function Checklist({ steps: { done, hide }, host, desktop, live }: ChecklistProps) {
  const { t } = useTranslation();
  const [dialog, setDialog] = useState<Step>();
  const [news, setNews] = useState<string>();
  const [trouble, setTrouble] = useState<string>();
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
  const finish = (said: string) => {
    setNews(said);
    close();
  };

  const action = (step: Step) => {
    const isDone = done.has(step);
    const variant = step === current ? "light" : "default";
    if (step === "message" || (step === "open" && isDone)) return null;
    if (step === "open")
      return (
        <OpenNetwork
          label={t("checklist.openAction")}
          desktop={desktop}
          network={host.network}
          dataFolder={host.storage.data_folder}
          size="xs"
          variant={variant}
          onError={setTrouble}
        />
      );
    return (
      <Button size="xs" variant={variant} onClick={(event) => open(step, event.currentTarget)} aria-haspopup="dialog">
        {t(`checklist.${step}${isDone ? "Again" : "Action"}`)}
      </Button>
    );
  };

  return (
    <section className={classes.checklist} aria-labelledby="next-steps">
      <div className={classes.head}>
        <h2 id="next-steps">{current ? t("checklist.title") : t("checklist.allDone")}</h2>
        <span className={classes.count}>{t("checklist.done", { done: done.size, count: STEPS.length })}</span>
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
      {trouble && !done.has("open") && (
        <Note tone="error" role="alert">
          {trouble}
        </Note>
      )}
      {/* The place is there before the words are: only then does a screen reader say them. */}
      <div role="status">{news && <Note tone="info">{news}</Note>}</div>
      {!current && (
        <div className={classes.end}>
          <p>{t("checklist.allDoneHint")}</p>
          <Button size="sm" onClick={hide}>
            {t("checklist.finished")}
          </Button>
        </div>
      )}
      {dialog === "person" && <AddPerson onClose={close} onAdded={(name) => finish(t("addPerson.added", { name }))} />}
      {dialog === "channel" && (
        <CreateChannel live={live} onClose={close} onCreated={(name) => finish(t("createChannel.created", { name }))} />
      )}
      {dialog === "app" && <ConnectApp network={host.network} onClose={close} />}
    </section>
  );
}
