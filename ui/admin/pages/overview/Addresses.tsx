import { ActionIcon, Button } from "@mantine/core";
import { QrCode } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ServerState } from "../../../api/server-state.ts";
import { CopyButton } from "../../../parts/CopyButton.tsx";
import classes from "./Addresses.module.css";

export interface AddressesProps {
  addresses: ServerState["network"]["addresses"];
  /** The one that stands large above, with its QR code. */
  shown: string;
  onShow(url: string): void;
}

const SHORT = 2;

/** A computer on several networks has an address on each. */
export function Addresses({ addresses, shown, onShow }: AddressesProps) {
  const { t } = useTranslation();
  const [isWhole, setWhole] = useState(false);
  const others = addresses.filter(({ url }) => url !== shown);
  const listed = isWhole ? others : others.slice(0, SHORT);
  return (
    <div className={classes.others}>
      <h3>{t("connect.others")}</h3>
      <ul>
        {listed.map(({ url, interface: name }) => (
          <li key={url}>
            <span className={classes.url} dir="ltr">
              {url}
            </span>
            <span className={classes.via}>{t("connect.via", { interface: name })}</span>
            <span className={classes.tools}>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={t("connect.showQr", { url })}
                title={t("connect.showQr", { url })}
                onClick={() => onShow(url)}
              >
                <QrCode size="1.0625rem" aria-hidden="true" />
              </ActionIcon>
              <CopyButton text={url} size="xs" variant="subtle" />
            </span>
          </li>
        ))}
      </ul>
      {others.length > SHORT && (
        <Button variant="subtle" size="compact-sm" onClick={() => setWhole(!isWhole)} aria-expanded={isWhole}>
          {isWhole ? t("connect.fewer") : t("connect.more", { count: others.length - SHORT })}
        </Button>
      )}
    </div>
  );
}
