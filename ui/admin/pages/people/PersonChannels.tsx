import { Button, Skeleton } from "@mantine/core";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useClient } from "../../../api/client-context.ts";
import { Callout } from "../../../parts/Callout.tsx";
import { errorMessage } from "../../../parts/error-messages.ts";
import { ChannelPicker, useChannels } from "../../../parts/pickers.tsx";
import { Hint } from "../../../parts/text/Hint.tsx";
import classes from "../../parts/details.module.css";
import { PageLink } from "../../parts/PageLink.tsx";
import { useAnswer } from "../../use-answer.ts";
import { useWrite, type Write } from "../../use-write.ts";
import { listOf } from "./people-for-task.ts";
import type { Person } from "./use-people.ts";

export function PersonChannels({ person: { id: user_id, name, user } }: { person: Person }) {
  const { t } = useTranslation();
  const client = useClient();
  const { mutate } = useWrite();
  const channels = useChannels();
  const account = useAnswer("GET /host/users/{user_id}", { user_id }, { changedBy: ["subscription", "stream"] });
  const [chosen, setChosen] = useState<number[]>([]);
  const subscribed = useMemo(() => new Set(account.data?.channel_ids), [account.data]);

  const subscribe = (names: readonly string[]) =>
    client.call("POST /users/me/subscriptions", {
      subscriptions: names.map((channel) => ({ name: channel })),
      principals: [user_id],
    });
  const unsubscribe = (names: readonly string[]) =>
    client.call("DELETE /users/me/subscriptions", { subscriptions: [...names], principals: [user_id] });
  const add = () => {
    const added = channels.filter(({ stream_id }) => chosen.includes(stream_id)).map((channel) => channel.name);
    const write: Write = {
      run: () => subscribe(added),
      done: t("people.nowIn", { name, list: listOf(added) }),
      undo: () => unsubscribe(added),
    };
    mutate(write, { onSuccess: () => setChosen([]) });
  };
  const remove = (channel: string) =>
    mutate({
      run: () => unsubscribe([channel]),
      done: t("people.unsubscribed", { name, channel }),
      undo: () => subscribe([channel]),
    });

  if (account.error) return <Callout tone="error">{errorMessage(account.error)}</Callout>;
  if (!account.data) return <Skeleton height="12rem" />;
  return (
    <>
      {user.is_active && (
        <div className={classes.add}>
          <ChannelPicker label={t("people.subscribeTo")} value={chosen} onChange={setChosen} exclude={subscribed} />
          <Button disabled={chosen.length === 0} onClick={add}>
            {t("people.addHere")}
          </Button>
        </div>
      )}
      {subscribed.size === 0 && <Hint mt="md">{t("people.noChannels", { name })}</Hint>}
      <ul className={classes.list} aria-label={t("people.channels")}>
        {channels
          .filter(({ stream_id }) => subscribed.has(stream_id))
          .map((channel) => (
            <li key={channel.stream_id} className={classes.item}>
              <span className={classes.itemName}>
                <PageLink to="/channels" search={{ open: String(channel.stream_id) }}>
                  <bdi>{channel.name}</bdi>
                </PageLink>
                {channel.invite_only && <span className={classes.how}>{t("people.privateChannel")}</span>}
              </span>
              {user.is_active && (
                <Button
                  size="compact-sm"
                  variant="subtle"
                  color="gray"
                  aria-label={t("people.unsubscribeFrom", { name, channel: channel.name })}
                  onClick={() => remove(channel.name)}
                >
                  {t("people.unsubscribe")}
                </Button>
              )}
            </li>
          ))}
      </ul>
    </>
  );
}
