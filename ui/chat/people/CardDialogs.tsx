import { lazyPart } from "../../parts/lazy-part.ts";
import type { OpenCard } from "./open-card.ts";

const PersonCard = lazyPart(() => import("./PersonCard.tsx").then((all) => ({ default: all.PersonCard })));
const GroupCard = lazyPart(() => import("./GroupCard.tsx").then((all) => ({ default: all.GroupCard })));
const StatusDialog = lazyPart(() => import("./StatusDialog.tsx").then((all) => ({ default: all.StatusDialog })));
const ChannelDialog = lazyPart(() =>
  import("../channels/ChannelDialog.tsx").then((all) => ({ default: all.ChannelDialog })),
);

/** The open card, if any. */
export function CardDialogs({ dialog, onClose }: { dialog: OpenCard | undefined; onClose(): void }) {
  return (
    <>
      {dialog?.kind === "person" && <PersonCard userId={dialog.userId} onClose={onClose} />}
      {dialog?.kind === "group" && <GroupCard groupId={dialog.groupId} onClose={onClose} />}
      {dialog?.kind === "status" && <StatusDialog onClose={onClose} />}
      {dialog?.kind === "channel" && (
        <ChannelDialog key={dialog.channelId} channelId={dialog.channelId} section={dialog.section} onClose={onClose} />
      )}
    </>
  );
}
