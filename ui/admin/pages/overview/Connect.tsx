import { Fragment, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import type { Desktop } from "../../../../main/bridge-types.ts";
import type { ServerState } from "../../../api/server-state.ts";
import { Callout } from "../../../parts/Callout.tsx";
import { CopyButton } from "../../../parts/CopyButton.tsx";
import { Logo } from "../../../parts/Logo.tsx";
import { QrCode } from "../../../parts/QrCode.tsx";
import { Addresses } from "./Addresses.tsx";
import { CloseNetwork } from "./CloseNetwork.tsx";
import classes from "./Connect.module.css";
import { OpenNetwork } from "./OpenNetwork.tsx";

export interface ConnectProps {
  network: ServerState["network"];
  /** Undefined for those who cannot open the network: administrators do not get to the machine. */
  dataFolder: string | undefined;
  desktop: Desktop | undefined;
}

/** The most important part of the page: the address that people connect to. */
export function Connect({ network, dataFolder, desktop }: ConnectProps) {
  const { t } = useTranslation();
  const [selectedUrl, setSelectedUrl] = useState<string>();
  const [error, setError] = useState<string>();
  const addressLine = useRef<HTMLParagraphElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const { lan, addresses } = network;
  const address = addresses.find(({ url }) => url === selectedUrl) ?? addresses[0];
  const selectText = () => addressLine.current && window.getSelection()?.selectAllChildren(addressLine.current);
  const show = (url: string) => {
    flushSync(() => setSelectedUrl(url));
    addressLine.current?.focus(); // the button that was clicked has left the list with its address
  };

  const wasLan = useRef(lan);
  useLayoutEffect(() => {
    // The button that opened or closed the network has disappeared and taken the focus with it.
    if (lan !== wasLan.current && document.activeElement === document.body)
      heading.current?.focus({ preventScroll: true });
    wasLan.current = lan;
  }, [lan]);

  return (
    <section className={classes.connect} aria-labelledby="how-people-connect">
      <div className={classes.text}>
        <h2 id="how-people-connect" className={classes.title} ref={heading} tabIndex={-1}>
          {t("connect.title")}
        </h2>
        <p className={classes.lead} role="status">
          {lan ? t("connect.lead") : t("connect.leadLocal")}
        </p>
        {address ? (
          <p className={classes.address} dir="ltr" ref={addressLine} tabIndex={-1}>
            <Breakable url={address.url} />
          </p>
        ) : (
          <p className={classes.noAddress}>{t("connect.noAddress")}</p>
        )}
        {!lan && <p className={classes.hint}>{t("connect.localHint")}</p>}
        <div className={classes.actions}>
          {!lan && dataFolder !== undefined && (
            <OpenNetwork
              label={t("connect.open")}
              {...{ desktop, network, dataFolder }}
              variant="filled"
              onError={setError}
            />
          )}
          {address && (
            <CopyButton text={address.url} size="md" variant={lan ? "filled" : "default"} onFailed={selectText} />
          )}
          {lan && desktop && <CloseNetwork desktop={desktop} />}
        </div>
        {!lan && error && (
          <Callout tone="error" role="alert">
            {error}
          </Callout>
        )}
        {addresses.length > 1 && <Addresses addresses={addresses} shown={address?.url ?? ""} onShow={show} />}
      </div>
      {lan && address ? (
        <div className={classes.code}>
          <QrCode text={address.url} />
          <p>{t("connect.qrHint")}</p>
        </div>
      ) : (
        <div className={classes.logo}>
          <Logo width="6.5rem" />
        </div>
      )}
    </section>
  );
}

/** Lets the address break before a dot or the port, not within a number. */
function Breakable({ url }: { url: string }) {
  return url.split(/(?=[.:]\d)/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of an address have no other key
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
