import { TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { BusyButton } from "../../parts/BusyButton.tsx";
import { Callout } from "../../parts/Callout.tsx";
import { Dialog } from "../../parts/Dialog.tsx";
import { errorMessage } from "../../parts/error-messages.ts";
import { dayAndTime } from "../../parts/format.ts";
import { inputValueOf, laterTimes } from "../model/later.ts";
import classes from "./ComposerDialogs.module.css";

export interface ChooseTimeProps {
  title: string;
  /** The label of the button. */
  submit: string;
  /** `at` is in milliseconds since the epoch. */
  onChoose(at: number): Promise<unknown>;
  onClose(): void;
  /** A field above the times. */
  children?: ReactNode;
}

/** Asks for a time in the future. */
export function ChooseTime({ title, submit, onChoose, onClose, children }: ChooseTimeProps) {
  const { t } = useTranslation();
  const [now] = useState(Date.now);
  const times = laterTimes(now);
  const [typed, setTyped] = useState(inputValueOf(times.find(({ name }) => name === "tomorrow")?.at ?? now));
  const { mutate: choose, error, isPending } = useMutation({ mutationFn: onChoose });
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <ul className={classes.times}>
        {times.map(({ name, at }) => (
          <li key={name}>
            <button type="button" className={classes.time} disabled={isPending} onClick={() => choose(at)}>
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
          if (!Number.isNaN(at) && !isPending) choose(at);
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
        <BusyButton type="submit" size="sm" busy={isPending}>
          {submit}
        </BusyButton>
      </form>
      {error && (
        <Callout tone="error" role="alert">
          {errorMessage(error)}
        </Callout>
      )}
    </Dialog>
  );
}
