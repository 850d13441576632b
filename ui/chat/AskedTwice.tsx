import { Button } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { BusyButton } from "../parts/BusyButton.tsx";

interface AskedTwiceProps {
  label: string;
  /** Of the button that does it. */
  sureLabel: string;
  /** What it will cost, shown with that button. */
  hint?: ReactNode;
  busy?: boolean;
  /** Whether it is done; else it is asked on. */
  onSure(): Promise<boolean>;
}

/** A button whose act is confirmed in its place. */
export function AskedTwice({ label, sureLabel, hint, busy = false, onSure }: AskedTwiceProps) {
  const { t } = useTranslation();
  const [isAsking, setAsking] = useState(false);
  if (!isAsking)
    return (
      <Button size="sm" variant="default" onClick={() => setAsking(true)}>
        {label}
      </Button>
    );
  return (
    <>
      {hint}
      <BusyButton
        size="sm"
        color="red"
        busy={busy}
        onClick={() => void onSure().then((isDone) => isDone && setAsking(false))}
      >
        {sureLabel}
      </BusyButton>
      <Button size="sm" variant="default" onClick={() => setAsking(false)}>
        {t("chat.cancel")}
      </Button>
    </>
  );
}
