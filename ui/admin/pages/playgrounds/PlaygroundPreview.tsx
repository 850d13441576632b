import { Anchor } from "@mantine/core";
import { ExternalLink } from "lucide-react";
import { useTranslation } from "react-i18next";
import { addressOfCode } from "./address-of-code.ts";
import classes from "./PlaygroundPreview.module.css";

const SAMPLE = 'print("Hello!")';

/** A block of code as apps show it with a playground, and where its button leads. */
export function PlaygroundPreview({ name, template }: { name: string; template: string }) {
  const { t } = useTranslation();
  const address = addressOfCode(template, SAMPLE);
  return (
    <figure className={classes.preview}>
      <figcaption>{t("playgrounds.preview")}</figcaption>
      <div className={classes.block}>
        <code>{SAMPLE}</code>
        {address ? (
          <Anchor className={classes.button} href={address} target="_blank" rel="noreferrer">
            <ExternalLink size="1rem" aria-hidden="true" />
            {name.trim() || t("playgrounds.unnamed")}
          </Anchor>
        ) : (
          <span className={classes.none}>{t("playgrounds.noPreview", { variable: "{code}" })}</span>
        )}
      </div>
      {address && <p className={classes.address}>{address}</p>}
    </figure>
  );
}
