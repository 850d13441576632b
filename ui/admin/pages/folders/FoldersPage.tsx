import { type CollisionDetection, closestCenter, closestCorners, DndContext, type DragEndEvent } from "@dnd-kit/core";
import { arrayMove, SortableContext, verticalListSortingStrategy } from "@dnd-kit/sortable";
import { Button } from "@mantine/core";
import { Plus } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useClient } from "../../../api/client-context.ts";
import { noticeDone, noticeError } from "../../../parts/settings/notices.tsx";
import { answered, asked, type PendingSaves, refused } from "../../../parts/settings/pending-saves.ts";
import { useSaved } from "../../../parts/settings/use-saved.ts";
import { useOrganization } from "../../admin-context.ts";
import { usePageSearch } from "../../page-search.ts";
import { useDragAnnouncements, useDragSensors } from "../../parts/dragging.tsx";
import { EmptyState } from "../../parts/EmptyState.tsx";
import { Page } from "../../parts/Page.tsx";
import type { Channel } from "../channels/channel-kinds.ts";
import { ArchivedFolders } from "./ArchivedFolders.tsx";
import { ArchiveFolderDialog } from "./ArchiveFolderDialog.tsx";
import { coordinatesByKey } from "./drag-by-keys.ts";
import { FolderDialog } from "./FolderDialog.tsx";
import { FolderSection } from "./FolderSection.tsx";
import classes from "./FoldersPage.module.css";
import type { Folder, MoveChannel } from "./folder.ts";
import { type Moves, shownPlace, underWay } from "./moves.ts";

const NO_FOLDERS: readonly Folder[] = [];
const NO_CHANNELS: readonly Channel[] = [];

/** Folders are placed among folders, channels into folders. */
const collisions: CollisionDetection = (drag) => {
  const kind = drag.active.data.current?.["kind"];
  const takes = kind === "folder" ? "folder" : "place";
  const droppableContainers = drag.droppableContainers.filter(({ data }) => data.current?.["kind"] === takes);
  return (kind === "folder" ? closestCenter : closestCorners)({ ...drag, droppableContainers });
};

export function FoldersPage() {
  const { t } = useTranslation();
  const client = useClient();
  const [search, setSearch] = usePageSearch();
  const folders = useOrganization(({ channel_folders }) => channel_folders ?? NO_FOLDERS);
  const channels = useOrganization(({ streams }) => streams ?? NO_CHANNELS);
  const mayManage = useOrganization(({ is_admin }) => is_admin === true);
  const [archiving, setArchiving] = useState<Folder>();
  const [moves, setMoves] = useState<Moves>(new Map());
  const lastMove = useRef(0);
  /** For Undo, which is pressed later. */
  const latest = useRef(channels);

  // The event may come after the answer: until then, a channel is shown where it was put.
  useEffect(() => {
    latest.current = channels;
    setMoves((before) => underWay(before, channels));
  }, [channels]);

  const order = useMemo(() => folders.map(({ id }) => id), [folders]);
  const saved = useSaved<readonly number[]>({
    value: order,
    name: t("folders.order"),
    save: (ids) => client.call("PATCH /channel_folders", { order: [...ids] }),
  });
  const inOrder = saved.shown.flatMap((id) => folders.find((folder) => folder.id === id) ?? []);
  const active = inOrder.filter(({ is_archived }) => !is_archived);
  const archived = inOrder.filter(({ is_archived }) => is_archived);

  const byFolder = useMemo(() => {
    const sorted = [...channels].sort((a, b) => a.name.localeCompare(b.name));
    const placed = new Map<number | null, Channel[]>();
    for (const channel of sorted) {
      const place = shownPlace(channel, moves);
      placed.set(place, [...(placed.get(place) ?? []), channel]);
    }
    return placed;
  }, [channels, moves]);

  const put = async (stream_id: number, to: number | null) => {
    const id = ++lastMove.current;
    const held = latest.current.find((channel) => channel.stream_id === stream_id)?.folder_id ?? null;
    const update = (next: (pending: PendingSaves<number | null>) => PendingSaves<number | null>) =>
      setMoves((before) => new Map(before).set(stream_id, next(before.get(stream_id) ?? { held, saves: [] })));
    update((pending) => asked(pending, id, to));
    try {
      await client.call("PATCH /streams/{stream_id}", { stream_id, folder_id: to });
      update((pending) => answered(pending, id));
    } catch (error) {
      update((pending) => refused(pending, id));
      throw error;
    }
  };

  const move: MoveChannel = async (channel, to) => {
    const { stream_id, name } = channel;
    const from = shownPlace(channel, moves);
    if (to === from) return;
    try {
      await put(stream_id, to);
      const folder = folders.find(({ id }) => id === to);
      const text = folder ? t("folders.moved", { name, folder: folder.name }) : t("folders.takenOut", { name });
      noticeDone(text, () => put(stream_id, from));
    } catch (error) {
      noticeError(error);
    }
  };

  const place = (id: number, index: number) => {
    const ids = active.map((folder) => folder.id);
    const next = arrayMove(ids, ids.indexOf(id), index);
    saved.change([...next, ...archived.map((folder) => folder.id)]);
  };

  const drop = ({ active: dragged, over }: DragEndEvent) => {
    const what = dragged.data.current;
    const where = over?.data.current;
    if (what?.["kind"] === "folder" && over && over.id !== dragged.id)
      place(
        Number(what["id"]),
        active.findIndex(({ id }) => id === where?.["id"]),
      );
    const channel = what?.["kind"] === "channel" && channels.find(({ stream_id }) => stream_id === what["id"]);
    if (channel && where) void move(channel, where["id"] as number | null);
  };

  const sensors = useDragSensors(coordinatesByKey);
  const nameOf = (id: string | number) => {
    const [kind, number] = String(id).split(" ");
    if (kind === "channel") return channels.find(({ stream_id }) => stream_id === Number(number))?.name ?? "";
    return folders.find((folder) => folder.id === Number(number))?.name ?? t("channels.noFolder");
  };
  const words = useDragAnnouncements({ nameOf, placeOf: nameOf });

  const create = mayManage && (
    <Button leftSection={<Plus size="1rem" aria-hidden="true" />} onClick={() => setSearch({ create: "yes" })}>
      {t("folders.create")}
    </Button>
  );
  const opened = folders.find(({ id }) => String(id) === search.open);
  return (
    <Page
      title={t("nav.folders")}
      description={t("folders.description")}
      actions={active.length > 0 && create}
      width="narrow"
    >
      {saved.error && (
        <p role="alert" className={classes.error}>
          {saved.error}
        </p>
      )}
      {active.length === 0 && (
        <EmptyState title={t("folders.empty")} action={create}>
          {t("folders.emptyHint")}
        </EmptyState>
      )}
      <DndContext sensors={sensors} collisionDetection={collisions} onDragEnd={drop} accessibility={words}>
        <SortableContext items={active.map(({ id }) => `folder ${id}`)} strategy={verticalListSortingStrategy}>
          {active.map((folder, index) => (
            <FolderSection
              key={folder.id}
              folder={folder}
              folders={active}
              channels={byFolder.get(folder.id) ?? []}
              mayManage={mayManage}
              onMoveChannel={move}
              onEdit={() => setSearch({ open: String(folder.id) })}
              onArchive={() => setArchiving(folder)}
              {...(index > 0 && { onUp: () => place(folder.id, index - 1) })}
              {...(index < active.length - 1 && { onDown: () => place(folder.id, index + 1) })}
            />
          ))}
        </SortableContext>
        {channels.length > 0 && (
          <FolderSection
            folder={undefined}
            folders={active}
            channels={byFolder.get(null) ?? []}
            mayManage={mayManage}
            onMoveChannel={move}
          />
        )}
      </DndContext>
      {archived.length > 0 && <ArchivedFolders folders={archived} mayManage={mayManage} />}
      {search["create"] && mayManage && <FolderDialog onClose={() => setSearch({ create: undefined })} />}
      {opened && mayManage && (
        <FolderDialog key={opened.id} folder={opened} onClose={() => setSearch({ open: undefined })} />
      )}
      {archiving && (
        <ArchiveFolderDialog
          folder={archiving}
          channels={byFolder.get(archiving.id) ?? []}
          onClose={() => setArchiving(undefined)}
        />
      )}
    </Page>
  );
}
