import { Button, type ButtonProps } from "@mantine/core";
import { Check, Copy } from "lucide-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import classes from "./CopyButton.module.css";
import { copyText } from "./copy-text.ts";
import { LiveRegion } from "./LiveRegion.tsx";

const FEEDBACK_MS = 2_500;

export interface CopyButtonProps extends Pick<ButtonProps, "size" | "variant" | "color"> {
  text: string;
  /** A name for screen readers, if the text is secret or long. */
  name?: string;
  /** Default: "Copy". */
  label?: string;
  /** Called when the browser forbids copying: selects the text instead. */
  onFailed?(): void;
}

export function CopyButton({ text, name, label, onFailed, ...buttonProps }: CopyButtonProps) {
  const { t } = useTranslation();
  const [outcome, setOutcome] = useState<"copied" | "failed">();
  const timer = useRef(0);
  const copy = async () => {
    const copied = await copyText(text);
    if (!copied) onFailed?.();
    setOutcome(copied ? "copied" : "failed");
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => setOutcome(undefined), FEEDBACK_MS);
  };
  const isMac = navigator.userAgent.includes("Mac");
  const feedback = outcome === "copied" ? t("copy.copied") : outcome && t(isMac ? "copy.failedMac" : "copy.failed");
  const Icon = outcome === "copied" ? Check : Copy;
  return (
    <>
      <Button {...buttonProps} onClick={copy} aria-label={label ?? t("copy.copyNamed", { text: name ?? text })}>
        <span className={classes.labels}>
          <span className={classes.label}>
            <Icon size="1.0625rem" aria-hidden="true" />
            {feedback ?? label ?? t("copy.copy")}
          </span>
          <span className={classes.label} data-widest aria-hidden="true">
            <Check size="1.0625rem" />
            {t("copy.copied")}
          </span>
        </span>
      </Button>
      <LiveRegion>{feedback}</LiveRegion>
    </>
  );
}
