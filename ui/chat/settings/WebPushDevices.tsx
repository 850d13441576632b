import { Anchor, Button, Group, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import type { WireWebPushDevice } from "../../../server/api/presenters/web-push.ts";
import type { WireEvent } from "../../api/state-shape.ts";
import { errorMessage } from "../../parts/error-messages.ts";
import { RelativeTime } from "../../parts/RelativeTime.tsx";
import { SwitchSetting } from "../../parts/settings/settings.tsx";
import { Hint } from "../../parts/text/Hint.tsx";
import { PlainList } from "../../parts/text/PlainList.tsx";
import { useChat } from "../chat-context.ts";
import {
  deviceHere,
  isInBrowser,
  offersWebPush,
  PermissionDenied,
  PUSH_ROUTE,
  turnOffWebPush,
  turnOnWebPush,
} from "../notifications/web-push.ts";
import classes from "./Settings.module.css";

const KEY = [PUSH_ROUTE];

/** Whether this browser is notified while the page is closed, and the person's other browsers. */
export function WebPushDevices() {
  const { t } = useTranslation();
  const { chat, mayManage } = useChat();
  const queries = useQueryClient();
  const { data } = useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) => {
      const answer = await chat.client.call(PUSH_ROUTE, {}, signal);
      return { ...answer, here: await deviceHere(answer) };
    },
    staleTime: 0,
    enabled: isInBrowser(),
  });
  useEffect(() => {
    const follow = (event: WireEvent) =>
      event.type === "web_push_devices" && void queries.invalidateQueries({ queryKey: KEY });
    chat.listeners.add(follow);
    return () => void chat.listeners.delete(follow);
  }, [chat, queries]);
  if (!data) return null;

  const obstacle = obstacleHere(data.is_on);
  return (
    <section className={classes.part} aria-label={t("ownSettings.webPush.title")}>
      <h4>{t("ownSettings.webPush.title")}</h4>
      {obstacle ? (
        <>
          <p className={classes.hint}>{t(`ownSettings.webPush.${obstacle}`)}</p>
          {obstacle === "off" && mayManage && (
            <Anchor href="/admin/#/network" size="sm">
              {t("ownSettings.devices.toNetwork")}
            </Anchor>
          )}
        </>
      ) : (
        <ThisBrowser here={data.here} reload={() => queries.invalidateQueries({ queryKey: KEY })} />
      )}
      {data.devices.length > 0 && <Devices devices={data.devices} here={data.here} isOn={data.is_on} />}
    </section>
  );
}

/** Why this browser cannot be notified: the name of a text. */
function obstacleHere(isOn: boolean) {
  if (!isOn) return "off";
  if (!window.isSecureContext) return "insecure";
  if (offersWebPush()) return Notification.permission === "denied" ? "denied" : undefined;
  return isAppleDevice() ? "homeScreen" : "unsupported";
}

/** An iPad claims to be a Mac, but no Mac has a touch screen. */
const isAppleDevice = (): boolean =>
  /iPhone|iPad/.test(navigator.userAgent) || (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1);

function ThisBrowser({ here, reload }: { here: number | undefined; reload(): Promise<void> }) {
  const { t } = useTranslation();
  const { chat } = useChat();
  const save = async (on: boolean) => {
    try {
      await (on ? turnOnWebPush(chat.client) : turnOffWebPush(chat.client, here));
    } catch (error) {
      if (error instanceof PermissionDenied) throw new Error(t("ownSettings.webPush.notAllowed"));
      // The browser reached no push service, or has none.
      if (error instanceof DOMException) throw new Error(t("ownSettings.webPush.failed"));
      throw error;
    } finally {
      await reload();
    }
  };
  return (
    <SwitchSetting
      label={t("ownSettings.webPush.here")}
      help={t("ownSettings.webPush.hint")}
      value={here !== undefined}
      save={save}
    />
  );
}

interface DevicesProps {
  devices: readonly WireWebPushDevice[];
  here: number | undefined;
  isOn: boolean;
}

function Devices({ devices, here, isOn }: DevicesProps) {
  const { t } = useTranslation();
  const { client } = useChat().chat;
  const removing = useMutation({
    mutationFn: async (id: number) => {
      if (id === here) await turnOffWebPush(client, id);
      else await client.call("DELETE /users/me/web_push/devices/{device_id}", { device_id: id });
    },
  });
  const testing = useMutation({
    mutationFn: () => client.call("POST /users/me/notifications/test", { device: "web_push" }),
  });
  const nameOf = ({ browser, system }: WireWebPushDevice) =>
    browser && system ? t("sessions.of", { browser, system }) : browser || system || t("sessions.unknown");
  const error = removing.error ?? testing.error;
  return (
    <>
      <PlainList divided w="100%" aria-label={t("ownSettings.webPush.list")}>
        {devices.map((device) => (
          <Group component="li" key={device.id} justify="space-between" wrap="nowrap" gap="sm" mih="3.25rem">
            <span>
              <Text span display="block" size="sm">
                {nameOf(device)} {device.id === here && <Hint span>({t("ownSettings.webPush.thisOne")})</Hint>}
              </Text>
              <Hint span size="xs">
                {t("ownSettings.webPush.added")} <RelativeTime at={device.created_at} />
              </Hint>
              {device.failure !== null && (
                <Text span display="block" size="xs" c="var(--hearth-bad)">
                  {device.failure === 0
                    ? t("ownSettings.webPush.unreachable", { host: device.push_service })
                    : t("ownSettings.webPush.refused", { host: device.push_service, status: device.failure })}
                </Text>
              )}
            </span>
            <Button
              size="compact-sm"
              variant="subtle"
              color="gray"
              flex="none"
              aria-label={t("ownSettings.webPush.removeNamed", { name: nameOf(device) })}
              onClick={() => removing.mutate(device.id)}
            >
              {t("ownSettings.webPush.remove")}
            </Button>
          </Group>
        ))}
      </PlainList>
      {isOn && (
        <div className={classes.actions}>
          <Button size="sm" variant="default" loading={testing.isPending} onClick={() => testing.mutate()}>
            {t("ownSettings.webPush.test")}
          </Button>
          <Hint span role="status">
            {error ? errorMessage(error) : testing.isSuccess && t("ownSettings.webPush.tested")}
          </Hint>
        </div>
      )}
    </>
  );
}
