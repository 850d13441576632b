import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { WireUser } from "../../../../server/api/presenters/users.ts";
import { membersInEffect } from "../../../parts/settings/group-members.ts";
import { peopleAndBots } from "../../../parts/settings/people-and-bots.ts";
import { useGroupNames } from "../../../parts/settings/use-group-names.ts";
import { WhoCould } from "../../../parts/settings/WhoCould.tsx";
import { Hint } from "../../../parts/text/Hint.tsx";
import { useOrganization } from "../../admin-context.ts";
import { useAnswer } from "../../use-answer.ts";
import { type Channel, kindOf } from "./channel-kinds.ts";

/** The number of people who can read the channel, with the reason for each (docs/protocol.md#who-sees-a-channel). */
export function ChannelReaders({ channel }: { channel: Channel }) {
  const { t } = useTranslation();
  const { wayTo } = useGroupNames();
  const users = useOrganization(({ realm_users }) => realm_users);
  const groups = useOrganization(({ realm_user_groups }) => realm_user_groups);
  const { stream_id, can_subscribe_group, can_add_subscribers_group } = channel;
  const { data } = useAnswer("GET /streams/{stream_id}/members", { stream_id }, { changedBy: ["subscription"] });
  const kind = kindOf(channel);

  const reasons = useMemo(() => {
    const subscribers = new Set(data?.subscribers);
    const maySubscribe = membersInEffect(groups ?? [], can_subscribe_group);
    const mayAdd = membersInEffect(groups ?? [], can_add_subscribers_group);
    const reasonOf = ({ user_id, is_guest }: WireUser): string | undefined => {
      if (subscribers.has(user_id)) return t("channels.readers.subscribed");
      if (kind === "web") return t("channels.readers.web");
      if (is_guest) return undefined;
      if (kind === "public") return t("channels.readers.public");
      const way = maySubscribe.get(user_id) ?? mayAdd.get(user_id);
      if (!way) return undefined;
      const may = t(maySubscribe.has(user_id) ? "channels.readers.maySubscribe" : "channels.readers.mayAdd");
      return way.length > 0 ? `${may}, ${t("permissions.through", { way: wayTo(way) })}` : may;
    };
    return new Map(
      (users ?? []).flatMap((user) => {
        const reason = reasonOf(user);
        return reason === undefined ? [] : [[user.user_id, reason] as const];
      }),
    );
  }, [data, users, groups, can_subscribe_group, can_add_subscribers_group, kind, wayTo, t]);

  // A user without access to a private channel might not see its subscribers either.
  if (!data) return null;
  const readers = (users ?? []).filter(({ user_id }) => reasons.has(user_id));
  return (
    <Hint size="xs" mt="xxs">
      {t("channels.readers.count", { count: readers.length, who: peopleAndBots(readers, t) })}{" "}
      <WhoCould
        label={t("channels.readers.who")}
        people={reasons}
        reasonOf={({ user_id, is_guest }) =>
          reasons.get(user_id) ?? t(is_guest ? "channels.readers.guest" : "channels.readers.notSubscribed")
        }
      />
    </Hint>
  );
}
