import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "../../parts/Dialog.tsx";
import { useChatState } from "../chat-context.ts";
import { administers } from "../model/permissions.ts";
import { channelById, subscriptionTo } from "../model/selectors.ts";
import { SectionButtons } from "../parts/SectionButtons.tsx";
import type { ChannelSection } from "../people/open-card.ts";
import { About } from "./About.tsx";
import classes from "./Channels.module.css";
import { ChannelSettings } from "./channel-settings-part.ts";
import { OwnSettings } from "./OwnSettings.tsx";
import { Subscribers } from "./Subscribers.tsx";

export interface ChannelDialogProps {
  channelId: number;
  section: ChannelSection | undefined;
  onClose(): void;
}

export function ChannelDialog({ channelId, section, onClose }: ChannelDialogProps) {
  const { t } = useTranslation();
  const channel = useChatState((state) => channelById(state, channelId));
  const subscription = useChatState((state) => subscriptionTo(state, channelId));
  const isAdministered = useChatState((state) => channel !== undefined && administers(state, channel));
  const sections: readonly ChannelSection[] = [
    ...(subscription ? (["own"] as const) : []),
    "about",
    "people",
    ...(isAdministered ? (["settings"] as const) : []),
  ];
  const [chosen, setChosen] = useState<ChannelSection>(section ?? "own");
  const shown = sections.includes(chosen) ? chosen : "about";
  // A private channel disappears for a person who leaves it.
  if (!channel) return null;
  return (
    <Dialog title={channel.name} finds onClose={onClose}>
      <div className={classes.sections}>
        <SectionButtons
          sections={sections}
          shown={shown}
          labelOf={(one) => t(`channelDialog.sections.${one}`)}
          onChoose={setChosen}
        />
      </div>
      <div className={classes.shown}>
        {shown === "own" && subscription && <OwnSettings channel={subscription} onClose={onClose} />}
        {shown === "about" && <About channel={channel} onClose={onClose} />}
        {shown === "people" && <Subscribers channel={channel} />}
        {shown === "settings" && <ChannelSettings channel={channel} />}
      </div>
    </Dialog>
  );
}
