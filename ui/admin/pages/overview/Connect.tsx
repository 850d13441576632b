import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Desktop } from "../../../../main/bridge-types.ts";
import type { HostState } from "../../../api/host-feed.ts";
import { CopyButton } from "../../../parts/CopyButton.tsx";
import { QrCode } from "../../../parts/QrCode.tsx";
import { Addresses } from "./Addresses.tsx";
import { CloseNetwork } from "./CloseNetwork.tsx";
import classes from "./Connect.module.css";
import { OpenNetwork } from "./OpenNetwork.tsx";

export interface ConnectProps {
  network: HostState["network"];
  dataFolder: string;
  desktop: Desktop | undefined;
}

/** What matters most here: the address that people need. */
export function Connect({ network, dataFolder, desktop }: ConnectProps) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<string>();
  const shown = useRef<HTMLParagraphElement>(null);
  const { lan, addresses } = network;
  const address = addresses.find(({ url }) => url === chosen) ?? addresses[0];
  const select = () => shown.current && window.getSelection()?.selectAllChildren(shown.current);
  return (
    <section className={classes.connect} aria-labelledby="how-people-connect">
      <div className={classes.words}>
        <h2 id="how-people-connect" className={classes.title}>
          {t("connect.title")}
        </h2>
        <p className={classes.lead}>{lan ? t("connect.lead") : t("connect.leadLocal")}</p>
        {address ? (
          <p className={classes.address} dir="ltr" ref={shown}>
            {address.url}
          </p>
        ) : (
          <p className={classes.none}>{t("connect.noAddress")}</p>
        )}
        {!lan && <p className={classes.hint}>{t("connect.localHint")}</p>}
        <div className={classes.actions}>
          {!lan && (
            <OpenNetwork label={t("connect.open")} {...{ desktop, network, dataFolder }} size="md" variant="filled" />
          )}
          {address && (
            <CopyButton text={address.url} size="md" variant={lan ? "filled" : "default"} onFailed={select} />
          )}
          {lan && desktop && <CloseNetwork desktop={desktop} />}
        </div>
        {addresses.length > 1 && (
          <Addresses addresses={addresses} shown={address?.url ?? ""} onShow={(url) => setChosen(url)} />
        )}
      </div>
      {lan && address && (
        <div className={classes.code}>
          <QrCode text={address.url} />
          <p>{t("connect.qrHint")}</p>
        </div>
      )}
    </section>
  );
}
