import { Fragment, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import type { Desktop } from "../../../../main/bridge-types.ts";
import type { ServerState } from "../../../api/server-state.ts";
import { CopyButton } from "../../../parts/CopyButton.tsx";
import { Mark } from "../../../parts/Mark.tsx";
import { Note } from "../../../parts/Note.tsx";
import { QrCode } from "../../../parts/QrCode.tsx";
import { Addresses } from "./Addresses.tsx";
import { CloseNetwork } from "./CloseNetwork.tsx";
import classes from "./Connect.module.css";
import { OpenNetwork } from "./OpenNetwork.tsx";

export interface ConnectProps {
  network: ServerState["network"];
  dataFolder: string;
  desktop: Desktop | undefined;
}

/** What matters most here: the address that people need. */
export function Connect({ network, dataFolder, desktop }: ConnectProps) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<string>();
  const [trouble, setTrouble] = useState<string>();
  const shown = useRef<HTMLParagraphElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const { lan, addresses } = network;
  const address = addresses.find(({ url }) => url === chosen) ?? addresses[0];
  const select = () => shown.current && window.getSelection()?.selectAllChildren(shown.current);
  const show = (url: string) => {
    flushSync(() => setChosen(url));
    shown.current?.focus(); // it has left the list, and its button with it
  };

  const wasLan = useRef(lan);
  useLayoutEffect(() => {
    // The button that opened or closed it is gone, and with it the focus that it had.
    if (lan !== wasLan.current && document.activeElement === document.body)
      heading.current?.focus({ preventScroll: true });
    wasLan.current = lan;
  }, [lan]);

  return (
    <section className={classes.connect} aria-labelledby="how-people-connect">
      <div className={classes.words}>
        <h2 id="how-people-connect" className={classes.title} ref={heading} tabIndex={-1}>
          {t("connect.title")}
        </h2>
        <p className={classes.lead} role="status">
          {lan ? t("connect.lead") : t("connect.leadLocal")}
        </p>
        {address ? (
          <p className={classes.address} dir="ltr" ref={shown} tabIndex={-1}>
            <Breakable url={address.url} />
          </p>
        ) : (
          <p className={classes.none}>{t("connect.noAddress")}</p>
        )}
        {!lan && <p className={classes.hint}>{t("connect.localHint")}</p>}
        <div className={classes.actions}>
          {!lan && (
            <OpenNetwork
              label={t("connect.open")}
              {...{ desktop, network, dataFolder }}
              variant="filled"
              onError={setTrouble}
            />
          )}
          {address && (
            <CopyButton text={address.url} size="md" variant={lan ? "filled" : "default"} onFailed={select} />
          )}
          {lan && desktop && <CloseNetwork desktop={desktop} />}
        </div>
        {!lan && trouble && (
          <Note tone="error" role="alert">
            {trouble}
          </Note>
        )}
        {addresses.length > 1 && <Addresses addresses={addresses} shown={address?.url ?? ""} onShow={show} />}
      </div>
      {lan && address ? (
        <div className={classes.code}>
          <QrCode text={address.url} />
          <p>{t("connect.qrHint")}</p>
        </div>
      ) : (
        <div className={classes.flame}>
          <Mark width="6.5rem" />
        </div>
      )}
    </section>
  );
}

/** May go on in another line before a dot or the port, rather than within a number. */
function Breakable({ url }: { url: string }) {
  return url.split(/(?=[.:]\d)/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one address, which have no other name
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
