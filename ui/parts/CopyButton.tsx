import { Button, type ButtonProps } from "@mantine/core";
import { Check, Copy } from "lucide-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import classes from "./CopyButton.module.css";
import { copyText } from "./copy-text.ts";
import { LiveRegion } from "./LiveRegion.tsx";

const SHOWN_MS = 2_500;

export interface CopyButtonProps extends Pick<ButtonProps, "size" | "variant" | "color"> {
  text: string;
  /** Shows the text itself selected where nothing may be copied. */
  onFailed?(): void;
}

export function CopyButton({ text, onFailed, ...look }: CopyButtonProps) {
  const { t } = useTranslation();
  const [outcome, setOutcome] = useState<"copied" | "failed">();
  const timer = useRef(0);
  const copy = async () => {
    const copied = await copyText(text);
    if (!copied) onFailed?.();
    setOutcome(copied ? "copied" : "failed");
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => setOutcome(undefined), SHOWN_MS);
  };
  const isMac = navigator.userAgent.includes("Mac");
  const said = outcome === "copied" ? t("copy.copied") : outcome && t(isMac ? "copy.failedMac" : "copy.failed");
  const Icon = outcome === "copied" ? Check : Copy;
  return (
    <>
      <Button {...look} onClick={copy} aria-label={t("copy.copyNamed", { text })}>
        <span className={classes.faces}>
          <span className={classes.face}>
            <Icon size="1.0625rem" aria-hidden="true" />
            {said ?? t("copy.copy")}
          </span>
          <span className={classes.face} data-widest aria-hidden="true">
            <Check size="1.0625rem" />
            {t("copy.copied")}
          </span>
        </span>
      </Button>
      <LiveRegion>{said}</LiveRegion>
    </>
  );
}
