import { Button } from "@mantine/core";
import { Archive, ArchiveRestore } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useClient } from "../../../api/client-context.ts";
import { ConfirmDialog } from "../../../parts/settings/ConfirmDialog.tsx";
import { noticeDone } from "../../../parts/settings/notices.tsx";
import { useOrganization } from "../../admin-context.ts";
import { BulletList } from "../../parts/BulletList.tsx";
import classes from "../../parts/details.module.css";
import { useAnswer } from "../../use-answer.ts";
import { useWrite } from "../../use-write.ts";
import type { Channel } from "./channel-kinds.ts";

export function ArchiveChannel({ channel }: { channel: Channel }) {
  const { t } = useTranslation();
  const client = useClient();
  const { mutate: write, isPending } = useWrite();
  const [isConfirming, setConfirming] = useState(false);
  const { stream_id, name } = channel;
  const restore = () => client.call("PATCH /streams/{stream_id}", { stream_id, is_archived: false });

  return (
    <section className={classes.section}>
      {channel.is_archived ? (
        <>
          <p>{t("channels.archive.isArchived")}</p>
          <div>
            <Button
              variant="default"
              leftSection={<ArchiveRestore size="1rem" aria-hidden="true" />}
              loading={isPending}
              onClick={() => write({ run: restore, done: t("channels.archive.restored", { name }) })}
            >
              {t("channels.archive.restore")}
            </Button>
          </div>
        </>
      ) : (
        <>
          <p>{t("channels.archive.hint")}</p>
          <div>
            <Button
              variant="default"
              leftSection={<Archive size="1rem" aria-hidden="true" />}
              onClick={() => setConfirming(true)}
            >
              {t("channels.archive.open", { name })}
            </Button>
          </div>
        </>
      )}
      {isConfirming && (
        <ConfirmDialog
          title={t("channels.archive.title", { name })}
          confirmLabel={t("channels.archive.confirm", { name })}
          typedName={name}
          onConfirm={async () => {
            await client.call("DELETE /streams/{stream_id}", { stream_id });
            noticeDone(t("channels.archive.done", { name }), restore);
          }}
          onClose={() => setConfirming(false)}
        >
          <Consequences channel={channel} />
        </ConfirmDialog>
      )}
    </section>
  );
}

function Consequences({ channel }: { channel: Channel }) {
  const { t } = useTranslation();
  const { stream_id, subscriber_count: count, stream_weekly_traffic: traffic } = channel;
  const isDefault = useOrganization((state) => state.realm_default_streams?.includes(stream_id) ?? false);
  const topics = useAnswer("GET /users/me/{stream_id}/topics", { stream_id, allow_empty_topic_name: true });
  return (
    <BulletList>
      <li>{t("channels.archive.subscribers", { count })}</li>
      {traffic !== null && traffic > 0 && <li>{t("channels.archive.traffic", { count: traffic })}</li>}
      {topics.data && <li>{t("channels.archive.topics", { count: topics.data.topics.length })}</li>}
      {isDefault && <li>{t("channels.archive.default")}</li>}
      <li>{t("channels.archive.unread")}</li>
      <li>{t("channels.archive.back")}</li>
    </BulletList>
  );
}
