import { Button, type ButtonProps } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Desktop } from "../../../../main/bridge-types.ts";
import type { HostState } from "../../../api/host-feed.ts";
import { Command } from "../../../parts/Command.tsx";
import { Note } from "../../../parts/Note.tsx";
import { inWords } from "../../../parts/refusals.ts";
import classes from "./OpenNetwork.module.css";

export interface OpenNetworkProps extends Pick<ButtonProps, "size" | "variant"> {
  label: string;
  desktop: Desktop | undefined;
  network: HostState["network"];
  dataFolder: string;
}

/** At the desktop the switch itself; in a browser the command that does it, on demand. */
export function OpenNetwork({
  label,
  desktop,
  network,
  dataFolder,
  size = "xs",
  variant = "default",
}: OpenNetworkProps) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<string>();
  const [isShown, setShown] = useState(false);

  const open = async (via: Desktop) => {
    setTrouble(undefined);
    setBusy(true);
    try {
      await via.setNetwork({ lan: true });
    } catch (error) {
      setTrouble(t("connect.openFailed", { reason: inWords(error) }));
    } finally {
      setBusy(false);
    }
  };

  if (desktop)
    return (
      <div className={classes.open}>
        <Button size={size} variant={variant} onClick={() => open(desktop)} loading={busy}>
          {label}
        </Button>
        {trouble && (
          <Note tone="error" role="alert">
            {trouble}
          </Note>
        )}
      </div>
    );
  return (
    <div className={classes.open}>
      {!isShown && (
        <Button size={size} variant={variant} onClick={() => setShown(true)}>
          {t("connect.howToOpen")}
        </Button>
      )}
      {isShown && (
        <div className={classes.command}>
          <p>{t("connect.command")}</p>
          <Command>{commandFor(dataFolder, network.port)}</Command>
        </div>
      )}
    </div>
  );
}

const USUAL_PORT = 9400;

const commandFor = (folder: string, port: number): string =>
  `npm run hearth -- serve --data "${folder}" --host 0.0.0.0${port === USUAL_PORT ? "" : ` --port ${port}`}`;
