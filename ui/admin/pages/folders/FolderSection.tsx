import { useDraggable, useDroppable } from "@dnd-kit/core";
import { useSortable } from "@dnd-kit/sortable";
import { Button, Menu, Text } from "@mantine/core";
import { FolderInput, MoreHorizontal } from "lucide-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { plainText } from "../../../parts/plain-text.ts";
import { Hint } from "../../../parts/text/Hint.tsx";
import { DragHandle } from "../../parts/dragging.tsx";
import { IconButton } from "../../parts/IconButton.tsx";
import { type Channel, KIND_ICONS, kindOf } from "../channels/channel-kinds.ts";
import classes from "./FoldersPage.module.css";
import type { Folder, MoveChannel } from "./moves.ts";

export interface FolderSectionProps {
  /** Undefined for the channels without a folder. */
  folder: Folder | undefined;
  /** The folders that its channels can move to. */
  folders: readonly Folder[];
  channels: readonly Channel[];
  mayManage: boolean;
  onMoveChannel: MoveChannel;
  onEdit?: () => void;
  onArchive?: () => void;
  /** Undefined for the first folder. */
  onUp?: () => void;
  /** Undefined for the last folder. */
  onDown?: () => void;
}

/** Each draggable channel is expensive, so a button shows the others. */
const PAGE = 50;

type Offset = { x: number; y: number } | null;
const movedBy = (offset: Offset) => (offset ? { transform: `translate(${offset.x}px, ${offset.y}px)` } : {});

export function FolderSection(props: FolderSectionProps) {
  const { folder, folders, channels, mayManage, onMoveChannel, onEdit, onArchive, onUp, onDown } = props;
  const { t } = useTranslation();
  const description = useMemo(() => plainText(folder?.rendered_description ?? ""), [folder?.rendered_description]);
  const [shown, setShown] = useState(PAGE);
  const id = folder?.id ?? null;
  const place = useDroppable({ id: `place ${id}`, data: { kind: "place", id } });
  const sortable = useSortable({
    id: `folder ${id}`,
    data: { kind: "folder", id },
    disabled: folder === undefined || !mayManage,
  });
  const isReceiving = place.isOver && place.active?.data.current?.["kind"] === "channel";
  const name = folder?.name ?? t("channels.noFolder");
  return (
    <section
      ref={folder && sortable.setNodeRef}
      className={classes.folder}
      aria-label={name}
      data-dragging={sortable.isDragging}
      style={folder && { ...movedBy(sortable.transform), transition: sortable.transition }}
    >
      <header className={classes.head}>
        {folder && mayManage && (
          <DragHandle
            label={t("folders.dragFolder", { name })}
            attributes={sortable.attributes}
            listeners={sortable.listeners}
            handleRef={sortable.setActivatorNodeRef}
          />
        )}
        <div className={classes.names}>
          <h3 className={classes.name}>{name}</h3>
          {description !== "" && <Hint>{description}</Hint>}
        </div>
        <Count>{t("folders.channels", { count: channels.length })}</Count>
        {folder && mayManage && (
          <Menu position="bottom-end" shadow="md">
            <Menu.Target>
              <IconButton label={t("folders.actions", { name })} c="dimmed">
                <MoreHorizontal size="1.125rem" aria-hidden="true" />
              </IconButton>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={onEdit}>{t("folders.edit")}</Menu.Item>
              <Menu.Item onClick={onUp} disabled={!onUp}>
                {t("folders.up")}
              </Menu.Item>
              <Menu.Item onClick={onDown} disabled={!onDown}>
                {t("folders.down")}
              </Menu.Item>
              <Menu.Item onClick={onArchive}>{t("folders.archive")}</Menu.Item>
            </Menu.Dropdown>
          </Menu>
        )}
      </header>
      <ul ref={place.setNodeRef} className={classes.channels} data-receiving={isReceiving} aria-label={name}>
        {channels.slice(0, shown).map((channel) => (
          <FolderChannel
            key={channel.stream_id}
            channel={channel}
            folders={folders}
            place={id}
            mayManage={mayManage}
            onMove={onMoveChannel}
          />
        ))}
        {channels.length === 0 && (
          <Text component="li" size="sm" c="dimmed" px="md" py="sm">
            {t("folders.noChannels")}
          </Text>
        )}
      </ul>
      {channels.length > shown && (
        <Button variant="subtle" size="compact-sm" onClick={() => setShown(shown + PAGE)}>
          {t("folders.more", { count: channels.length - shown })}
        </Button>
      )}
    </section>
  );
}

const Count = ({ children }: { children: string }) => (
  <Text span size="xs" c="dimmed" style={{ whiteSpace: "nowrap" }}>
    {children}
  </Text>
);

interface FolderChannelProps {
  channel: Channel;
  folders: readonly Folder[];
  /** The id of its folder. */
  place: number | null;
  mayManage: boolean;
  onMove: MoveChannel;
}

function FolderChannel({ channel, folders, place, mayManage, onMove }: FolderChannelProps) {
  const { t } = useTranslation();
  const { stream_id, name, is_archived } = channel;
  const drag = useDraggable({
    id: `channel ${stream_id}`,
    data: { kind: "channel", id: stream_id },
    disabled: !mayManage,
  });
  const Icon = KIND_ICONS[kindOf(channel)];
  const targets = [
    ...folders.map((folder) => ({ id: folder.id as number | null, name: folder.name })),
    { id: null, name: t("channels.noFolder") },
  ].filter(({ id }) => id !== place);
  return (
    <li
      ref={drag.setNodeRef}
      className={classes.channel}
      data-dragging={drag.isDragging}
      style={movedBy(drag.transform)}
    >
      {mayManage && (
        <DragHandle
          label={t("folders.dragChannel", { name })}
          attributes={drag.attributes}
          listeners={drag.listeners}
          handleRef={drag.setActivatorNodeRef}
        />
      )}
      <Icon size="1rem" aria-hidden="true" color="var(--hearth-ink-soft)" style={{ flex: "none" }} />
      <bdi className={classes.channelName}>{name}</bdi>
      {is_archived && <Count>{t("channels.archived")}</Count>}
      {mayManage && targets.length > 0 && (
        <Menu position="bottom-end" shadow="md">
          <Menu.Target>
            <IconButton label={t("folders.moveChannel", { name })} c="dimmed" size="sm">
              <FolderInput size="1rem" aria-hidden="true" />
            </IconButton>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Label>{t("folders.moveTo")}</Menu.Label>
            {targets.map((target) => (
              <Menu.Item key={target.id} onClick={() => onMove(channel, target.id)}>
                {target.name}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </li>
  );
}
