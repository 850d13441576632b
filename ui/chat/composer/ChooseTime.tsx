import { TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { BusyButton } from "../../parts/BusyButton.tsx";
import { Callout } from "../../parts/Callout.tsx";
import { Dialog } from "../../parts/Dialog.tsx";
import { errorMessage } from "../../parts/error-messages.ts";
import { dayAndTime } from "../../parts/format.ts";
import { inputValueOf, laterTimes } from "../model/later.ts";
import classes from "./ChooseTime.module.css";

export interface ChooseTimeProps {
  title: string;
  /** What the button says that takes the time in the field. */
  submit: string;
  /** Resolves when the server has it. `at` is in milliseconds since the epoch. */
  onChoose(at: number): Promise<unknown>;
  onClose(): void;
}

/** A time to come: one of the usual, or any. */
export function ChooseTime({ title, submit, onChoose, onClose }: ChooseTimeProps) {
  const { t } = useTranslation();
  const [now] = useState(Date.now);
  const times = laterTimes(now);
  const [typed, setTyped] = useState(inputValueOf(times.find(({ name }) => name === "tomorrow")?.at ?? now));
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const choose = async (at: number) => {
    setBusy(true);
    setError(undefined);
    try {
      await onChoose(at);
    } catch (caught) {
      setError(errorMessage(caught));
      setBusy(false);
    }
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <ul className={classes.times}>
        {times.map(({ name, at }) => (
          <li key={name}>
            <button type="button" className={classes.time} disabled={busy} onClick={() => void choose(at)}>
              <span>{t(`writing.later.${name}`)}</span>
              <span className={classes.at}>{dayAndTime(at)}</span>
            </button>
          </li>
        ))}
      </ul>
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          const at = new Date(typed).getTime();
          if (!Number.isNaN(at)) void choose(at);
        }}
      >
        <TextInput
          type="datetime-local"
          label={t("writing.later.other")}
          value={typed}
          min={inputValueOf(now)}
          onChange={(event) => setTyped(event.currentTarget.value)}
          size="sm"
        />
        <BusyButton type="submit" size="sm" busy={busy}>
          {submit}
        </BusyButton>
      </form>
      {error && (
        <Callout tone="error" role="alert">
          {error}
        </Callout>
      )}
    </Dialog>
  );
}
