import { Anchor, Button } from "@mantine/core";
import { useWindowEvent } from "@mantine/hooks";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import type { NtfyState } from "../../../server/api/presenters/ntfy-topics.ts";
import type { WireEvent } from "../../api/state-shape.ts";
import { BusyButton } from "../../parts/BusyButton.tsx";
import { Callout } from "../../parts/Callout.tsx";
import { CopyableCode } from "../../parts/CopyableCode.tsx";
import { ErrorCallout } from "../../parts/ErrorCallout.tsx";
import { isLocalHost } from "../../parts/is-local-host.ts";
import { QrCode } from "../../parts/QrCode.tsx";
import { useChat } from "../chat-context.ts";
import { ConfirmButton } from "../parts/ConfirmButton.tsx";
import classes from "./PhoneNotifications.module.css";
import settings from "./Settings.module.css";
import { SettingsGroup } from "./SettingsGroup.tsx";

const KEY = ["GET /users/me/ntfy"];
/** No event announces that a phone connects, and people wait for it after they have scanned the code. */
const CONNECTING_MS = 3000;

/** Sets up the ntfy app, and has the settings for all devices. */
export function PhoneNotifications() {
  return (
    <>
      <NtfyApp />
      <SettingsGroup group="phone" />
    </>
  );
}

function useNtfy() {
  const { chat } = useChat();
  const queries = useQueryClient();
  const { data, error } = useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) => (await chat.client.call("GET /users/me/ntfy", {}, signal)).ntfy,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.is_on && state.data.connections === 0 ? CONNECTING_MS : false),
  });
  const reload = () => queries.invalidateQueries({ queryKey: KEY });
  useWindowEvent("focus", () => void reload());
  useEffect(() => {
    const follow = ({ type }: WireEvent) => {
      if (type === "ntfy_topic") void queries.invalidateQueries({ queryKey: KEY });
    };
    chat.listeners.add(follow);
    return () => void chat.listeners.delete(follow);
  }, [chat, queries]);
  const turnOn = async () => {
    const { ntfy } = await chat.client.call("POST /users/me/ntfy", {});
    queries.setQueryData(KEY, ntfy);
  };
  const turnOff = async () => {
    await chat.client.call("DELETE /users/me/ntfy", {});
    await reload();
  };
  return { ntfy: data, error, turnOn, turnOff };
}

function NtfyApp() {
  const { t } = useTranslation();
  const { mayManage } = useChat();
  const { ntfy, error, turnOn, turnOff } = useNtfy();
  const starting = useMutation({ mutationFn: turnOn });
  const isLocal = ntfy !== undefined && isLocalHost(new URL(ntfy.server_url).hostname);
  return (
    <section className={settings.group}>
      <h3>{t("ownSettings.phone.title")}</h3>
      <p className={settings.hint}>{t("ownSettings.phone.hint")}</p>
      <ErrorCallout error={error ?? starting.error} />
      {isLocal && (
        <Callout tone="info">
          {t("ownSettings.phone.local")}{" "}
          {mayManage && <Anchor href="/admin/#/network">{t("ownSettings.devices.toNetwork")}</Anchor>}
        </Callout>
      )}
      {ntfy?.is_on && !isLocal && <Steps ntfy={ntfy} />}
      {ntfy?.is_on && <Topic ntfy={ntfy} turnOn={turnOn} turnOff={turnOff} />}
      {ntfy?.is_on === false && !isLocal && (
        <div className={settings.actions}>
          <BusyButton size="sm" busy={starting.isPending} onClick={() => starting.mutate()}>
            {t("ownSettings.phone.setUp")}
          </BusyButton>
        </div>
      )}
      {ntfy && !isLocal && <Notes isEncrypted={ntfy.server_url.startsWith("https:")} isOn={ntfy.is_on} />}
    </section>
  );
}

function Steps({ ntfy: { server_url, topic, app_url } }: { ntfy: NtfyState }) {
  const { t } = useTranslation();
  if (topic === null || app_url === null) return null;
  return (
    <ol className={classes.steps}>
      <li>{t("ownSettings.phone.install")}</li>
      <li>
        <span className={classes.onComputers}>{t("ownSettings.phone.scan")}</span>
        <div className={classes.code}>
          <QrCode text={app_url} />
        </div>
        <Anchor href={app_url} size="sm" className={classes.onPhones}>
          {t("ownSettings.phone.open")}
        </Anchor>
      </li>
      <li>
        {t("ownSettings.phone.byHand")}
        <p className={classes.label}>{t("ownSettings.phone.topic")}</p>
        <CopyableCode>{topic}</CopyableCode>
        <p className={classes.label}>{t("ownSettings.phone.server")}</p>
        <CopyableCode>{server_url}</CopyableCode>
      </li>
    </ol>
  );
}

interface TopicProps {
  ntfy: NtfyState;
  turnOn(): Promise<void>;
  turnOff(): Promise<void>;
}

function Topic({ ntfy: { connections: count }, turnOn, turnOff }: TopicProps) {
  const { t } = useTranslation();
  const { chat } = useChat();
  const testing = useMutation({
    mutationFn: () => chat.client.call("POST /users/me/notifications/test", { device: "ntfy" }),
  });
  return (
    <>
      <p className={settings.hint} role="status">
        {count > 0 ? t("ownSettings.phone.connected", { count }) : t("ownSettings.phone.notConnected")}{" "}
        {testing.isSuccess && t("ownSettings.phone.tested")}
      </p>
      <ErrorCallout error={testing.error} />
      <div className={settings.actions}>
        <Button size="sm" loading={testing.isPending} onClick={() => testing.mutate()}>
          {t("ownSettings.test.send")}
        </Button>
        <ConfirmButton
          label={t("ownSettings.phone.replace")}
          confirmLabel={t("ownSettings.phone.replaceSure")}
          hint={<p className={settings.hint}>{t("ownSettings.phone.replaceHint")}</p>}
          onConfirm={turnOn}
        />
        <ConfirmButton
          label={t("ownSettings.phone.off")}
          confirmLabel={t("ownSettings.phone.offSure")}
          onConfirm={turnOff}
        />
      </div>
    </>
  );
}

function Notes({ isEncrypted, isOn }: { isEncrypted: boolean; isOn: boolean }) {
  const { t } = useTranslation();
  return (
    <ul className={classes.notes}>
      {isOn && <li>{t("ownSettings.phone.secret")}</li>}
      {isOn && <li>{t("ownSettings.phone.notes.signOut")}</li>}
      <li>{t("ownSettings.phone.notes.away")}</li>
      <li>{t(`ownSettings.phone.notes.${isEncrypted ? "https" : "http"}`)}</li>
      <li>{t("ownSettings.phone.notes.iphone")}</li>
    </ul>
  );
}
