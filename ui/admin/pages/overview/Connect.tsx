import { Button, Group, Text } from "@mantine/core";
import { Fragment, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import type { Desktop } from "../../../../main/bridge-types.ts";
import type { ServerState } from "../../../api/server-state.ts";
import { Callout } from "../../../parts/Callout.tsx";
import { CopyButton } from "../../../parts/CopyButton.tsx";
import { Logo } from "../../../parts/Logo.tsx";
import { lazyPart } from "../../../parts/lazy-part.ts";
import { Hint } from "../../../parts/text/Hint.tsx";
import { PageLink } from "../../parts/PageLink.tsx";
import { useOpenChat } from "../../parts/use-open-chat.ts";
import { Addresses } from "./Addresses.tsx";
import { CloseNetwork } from "./CloseNetwork.tsx";
import classes from "./Connect.module.css";
import { OpenNetwork } from "./OpenNetwork.tsx";

const QrCode = lazyPart(
  () => import("../../../parts/QrCode.tsx").then((all) => ({ default: all.QrCode })),
  () => <div className={classes.codeRoom} />,
);

type Network = ServerState["network"];

export interface ConnectProps {
  network: Network;
  /** Undefined for administrators, who cannot open the network. */
  dataFolder: string | undefined;
  desktop: Desktop | undefined;
  /** A single row, until the user expands it: members already know the URL. */
  isBrief: boolean;
}

/** The URL that people connect to. */
export function Connect({ network, dataFolder, desktop, isBrief }: ConnectProps) {
  const { t } = useTranslation();
  const openChat = useOpenChat();
  const [selectedUrl, setSelectedUrl] = useState<string>();
  const [error, setError] = useState<string>();
  const [isWhole, setWhole] = useState(false);
  const addressLine = useRef<HTMLParagraphElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const { lan } = network;
  const addresses = network.addresses.map((one) => ({ ...one, url: urlForBrowsers(network, one) }));
  const address = addresses.find(({ url }) => url === selectedUrl) ?? addresses[0];
  const selectText = () => addressLine.current && window.getSelection()?.selectAllChildren(addressLine.current);
  const show = (url: string) => {
    flushSync(() => setSelectedUrl(url));
    addressLine.current?.focus(); // the clicked button is gone with its URL
  };

  const wasLan = useRef(lan);
  useLayoutEffect(() => {
    // The button that opened or closed the network is gone, and the focus with it.
    if (lan !== wasLan.current && document.activeElement === document.body)
      heading.current?.focus({ preventScroll: true });
    wasLan.current = lan;
  }, [lan]);

  const showWhole = (whole: boolean) => {
    flushSync(() => setWhole(whole));
    heading.current?.focus({ preventScroll: true }); // the button is gone
  };

  if (isBrief && lan && address && !isWhole)
    return (
      <section className={classes.brief} aria-labelledby="how-people-connect">
        <h2 id="how-people-connect" className={classes.title} ref={heading} tabIndex={-1}>
          {t("connect.title")}
        </h2>
        <p className={classes.briefAddress} dir="ltr" ref={addressLine} tabIndex={-1}>
          <Breakable url={address.url} />
        </p>
        <Group gap="xs">
          <CopyButton text={address.url} size="sm" variant="default" onFailed={selectText} />
          <Button size="sm" variant="subtle" onClick={() => showWhole(true)}>
            {t("connect.showAll")}
          </Button>
        </Group>
      </section>
    );
  return (
    <section className={classes.connect} aria-labelledby="how-people-connect">
      <div className={classes.text}>
        <h2 id="how-people-connect" className={classes.title} ref={heading} tabIndex={-1}>
          {t("connect.title")}
        </h2>
        <Text mt="xxs" c="dimmed" textWrap="pretty" role="status">
          {lan ? t("connect.lead") : t("connect.leadLocal")}
        </Text>
        {address ? (
          <p className={classes.address} dir="ltr" ref={addressLine} tabIndex={-1}>
            <Breakable url={address.url} />
          </p>
        ) : (
          <Hint mt="md" maw="34rem">
            {t("connect.noAddress")}
          </Hint>
        )}
        {!lan && (
          <Hint mt="xs" maw="34rem">
            {t("connect.localHint")}
          </Hint>
        )}
        {lan && network.https === "local authority" && (
          <Hint mt="xs" maw="34rem">
            {t("connect.trustHint")}
          </Hint>
        )}
        <Group align="start" gap="sm" mt="lg">
          {!lan && dataFolder !== undefined && (
            <OpenNetwork
              label={t("connect.open")}
              {...{ desktop, network, dataFolder }}
              variant="filled"
              onError={setError}
            />
          )}
          {desktop && (
            <Button variant={lan ? "filled" : "default"} onClick={() => openChat("/")}>
              {t("shell.openChat")}
            </Button>
          )}
          {/* Others cannot use a local address, and the app needs none. */}
          {address && (lan || !desktop) && (
            <CopyButton
              text={address.url}
              size="md"
              variant={lan && !desktop ? "filled" : "default"}
              onFailed={selectText}
            />
          )}
          {lan && desktop && <CloseNetwork desktop={desktop} />}
          {lan && isBrief && (
            <Button variant="subtle" onClick={() => showWhole(false)}>
              {t("connect.showLess")}
            </Button>
          )}
        </Group>
        {!lan && error && (
          <Callout tone="error" role="alert">
            {error}
          </Callout>
        )}
        {lan && dataFolder !== undefined && (
          <Hint mt="xs">
            <PageLink to="/network">{t("connect.help")}</PageLink>
          </Hint>
        )}
        {addresses.length > 1 && <Addresses addresses={addresses} shown={address?.url ?? ""} onShow={show} />}
      </div>
      {lan && address ? (
        <div className={classes.code}>
          <QrCode text={address.url} />
          <Hint size="xs" mt="xs" ta="center">
            {t("connect.qrHint")}
          </Hint>
        </div>
      ) : (
        <div className={classes.logo}>
          <Logo width="6.5rem" />
        </div>
      )}
    </section>
  );
}

/** With the local authority, the URL that leads a device to the trust page if it does not trust the root yet. */
const urlForBrowsers = ({ https }: Network, { url, interface: name }: Network["addresses"][number]): string =>
  https === "local authority" && name !== "proxy" ? url.replace(/^https:/, "http:") : url;

/** Lets the URL break before a dot or the port, not within a number. */
function Breakable({ url }: { url: string }) {
  return url.split(/(?=[.:]\d)/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of an address have no other key
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
