import type { ComponentType } from "react";
import { lazyPart } from "../parts/lazy-part.ts";
import { useChat, usePageState } from "./chat-context.ts";
import type { OpenDialog } from "./page-state.ts";
import { leaveOverlay } from "./use-place.ts";

const Palette = lazyPart(() => import("./actions/Palette.tsx").then(({ Palette }) => ({ default: Palette })));
const HelpDialog = lazyPart(() => import("./help/HelpDialog.tsx").then(({ HelpDialog }) => ({ default: HelpDialog })));
const GroupList = lazyPart(() => import("./people/GroupList.tsx").then(({ GroupList }) => ({ default: GroupList })));
const NewDirectMessage = lazyPart(() =>
  import("./sidebar/NewDirectMessage.tsx").then(({ NewDirectMessage }) => ({ default: NewDirectMessage })),
);
const BrowseChannels = lazyPart(() =>
  import("./sidebar/BrowseChannels.tsx").then(({ BrowseChannels }) => ({ default: BrowseChannels })),
);
const NewChannel = lazyPart(() =>
  import("./channels/NewChannel.tsx").then(({ NewChannel }) => ({ default: NewChannel })),
);
const DeleteTopic = lazyPart(() =>
  import("./channels/DeleteTopic.tsx").then(({ DeleteTopic }) => ({ default: DeleteTopic })),
);
const PictureViewer = lazyPart(() =>
  import("./feed/PictureViewer.tsx").then(({ PictureViewer }) => ({ default: PictureViewer })),
);
const RemindMe = lazyPart(() => import("./feed/RemindMe.tsx").then(({ RemindMe }) => ({ default: RemindMe })));

const ScheduleDraft = lazyPart(() =>
  import("./composer/ScheduleMessage.tsx").then(({ ScheduleDraft }) => ({ default: ScheduleDraft })),
);
const Reschedule = lazyPart(() =>
  import("./composer/ScheduleMessage.tsx").then(({ Reschedule }) => ({ default: Reschedule })),
);
const Snippets = lazyPart(() => import("./composer/Snippets.tsx").then(({ Snippets }) => ({ default: Snippets })));
const NewWidget = lazyPart(() => import("./composer/NewWidget.tsx").then(({ NewWidget }) => ({ default: NewWidget })));

type OfMessage = ComponentType<{ messageId: number; onClose(): void }>;
const OF_MESSAGE: Readonly<Record<"history" | "receipts" | "reactors" | "report", OfMessage>> = {
  history: lazyPart(() =>
    import("./feed/MessageHistory.tsx").then(({ MessageHistory }) => ({ default: MessageHistory })),
  ),
  receipts: lazyPart(() => import("./feed/ReadReceipts.tsx").then(({ ReadReceipts }) => ({ default: ReadReceipts }))),
  reactors: lazyPart(() => import("./feed/Reactors.tsx").then(({ Reactors }) => ({ default: Reactors }))),
  report: lazyPart(() => import("./feed/ReportMessage.tsx").then(({ ReportMessage }) => ({ default: ReportMessage }))),
};

/** The open dialog, if any. */
export function Dialogs() {
  const { page } = useChat();
  const dialog = usePageState((state) => state.dialog);
  const onClose = () => {
    page.update((before) => ({ ...before, dialog: undefined, forwarding: undefined }));
    leaveOverlay();
  };
  return dialog && <Open dialog={dialog} onClose={onClose} />;
}

function Open({ dialog, onClose }: { dialog: OpenDialog; onClose(): void }) {
  switch (dialog.kind) {
    case "help":
      return <HelpDialog key={dialog.section} section={dialog.section} onClose={onClose} />;
    case "groups":
      return <GroupList onClose={onClose} />;
    case "palette":
      return <Palette mode={dialog.mode} text={dialog.text} onClose={onClose} />;
    case "newDirect":
      return <NewDirectMessage onClose={onClose} />;
    case "browse":
      return <BrowseChannels onClose={onClose} />;
    case "newChannel":
      return <NewChannel name={dialog.name} onClose={onClose} />;
    case "deleteTopic":
      return <DeleteTopic channelId={dialog.channelId} topic={dialog.topic} onClose={onClose} />;
    case "schedule":
      return <ScheduleDraft narrow={dialog.narrow} onClose={onClose} />;
    case "snippets":
      return <Snippets narrow={dialog.narrow} onClose={onClose} />;
    case "poll":
    case "todo":
      return <NewWidget kind={dialog.kind} narrow={dialog.narrow} onClose={onClose} />;
    case "reschedule":
      return <Reschedule id={dialog.scheduledId} onClose={onClose} />;
    case "picture":
      return <PictureViewer address={dialog.address} onClose={onClose} />;
    case "remind":
      return <RemindMe messageId={dialog.messageId} onClose={onClose} />;
    default: {
      const Chosen = OF_MESSAGE[dialog.kind];
      return <Chosen messageId={dialog.messageId} onClose={onClose} />;
    }
  }
}
