import { ActionIcon, Button } from "@mantine/core";
import { QrCode } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ServerState } from "../../../api/server-state.ts";
import { CopyButton } from "../../../parts/CopyButton.tsx";
import classes from "./Addresses.module.css";

export interface AddressesProps {
  addresses: ServerState["network"]["addresses"];
  /** The URL shown in large type above, with its QR code. */
  shown: string;
  onShow(url: string): void;
}

/** How many addresses the collapsed list shows. */
const COLLAPSED_COUNT = 2;

/** A computer on several networks has an address on each. */
export function Addresses({ addresses, shown, onShow }: AddressesProps) {
  const { t } = useTranslation();
  const [isExpanded, setExpanded] = useState(false);
  const others = addresses.filter(({ url }) => url !== shown);
  const listed = isExpanded ? others : others.slice(0, COLLAPSED_COUNT);
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
      {others.length > COLLAPSED_COUNT && (
        <Button variant="subtle" size="compact-sm" onClick={() => setExpanded(!isExpanded)} aria-expanded={isExpanded}>
          {isExpanded ? t("connect.fewer") : t("connect.more", { count: others.length - COLLAPSED_COUNT })}
        </Button>
      )}
    </div>
  );
}
