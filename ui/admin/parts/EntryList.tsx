import { closestCenter, DndContext, type DragEndEvent } from "@dnd-kit/core";
import { arrayMove, SortableContext, useSortable, verticalListSortingStrategy } from "@dnd-kit/sortable";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { noticeError } from "../../parts/settings/notices.tsx";
import { usePendingValue } from "../../parts/settings/use-pending-value.ts";
import { DragHandle, useDragAnnouncements, useDragSensors } from "./dragging.tsx";
import classes from "./EntryList.module.css";
import { useTarget } from "./use-target.ts";

export interface Entry {
  readonly id: number;
  readonly name: string;
  readonly content: ReactNode;
  readonly tools?: ReactNode;
}

export interface EntryListProps {
  label: string;
  entries: readonly Entry[];
  /** Saves a new order. Without it, the order is fixed. */
  onReorder?: (ids: number[]) => Promise<unknown>;
  /** The id of the entry that the URL names. */
  target?: string | undefined;
}

/** A short list of things that administrators created, optionally sortable. */
export function EntryList({ label, entries, onReorder, target }: EntryListProps) {
  const { t } = useTranslation();
  const { shown, put } = usePendingValue(
    entries.map(({ id }) => id),
    async (ids) => onReorder?.(ids),
  );
  const sensors = useDragSensors();
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const order = shown.filter((id) => byId.has(id));

  const drop = ({ active, over }: DragEndEvent) => {
    if (!over || active.id === over.id || !onReorder) return;
    const next = arrayMove(order, order.indexOf(Number(active.id)), order.indexOf(Number(over.id)));
    put(next, order).catch(noticeError);
  };
  const words = useDragAnnouncements({
    nameOf: (id) => byId.get(Number(id))?.name ?? "",
    placeOf: (id) => t("entries.place", { position: order.indexOf(Number(id)) + 1, count: order.length }),
  });

  return (
    <DndContext sensors={sensors} collisionDetection={closestCenter} onDragEnd={drop} accessibility={words}>
      <SortableContext items={order} strategy={verticalListSortingStrategy}>
        <ul className={classes.list} aria-label={label}>
          {order.map((id) => (
            <Row
              key={id}
              entry={byId.get(id) as Entry}
              isSortable={onReorder !== undefined && order.length > 1}
              isTarget={String(id) === target}
            />
          ))}
        </ul>
      </SortableContext>
    </DndContext>
  );
}

interface RowProps {
  entry: Entry;
  isSortable: boolean;
  isTarget: boolean;
}

function Row({ entry: { id, name, content, tools }, isSortable, isTarget }: RowProps) {
  const { t } = useTranslation();
  const place = useTarget<HTMLDivElement>(isTarget);
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({
    id,
  });
  const style = transform ? { transform: `translateY(${transform.y}px)`, transition } : {};
  return (
    <li ref={setNodeRef} className={classes.entry} style={style} data-dragging={isDragging} data-target={isTarget}>
      {isSortable && (
        <DragHandle
          label={t("entries.move", { name })}
          {...{ attributes, listeners }}
          handleRef={setActivatorNodeRef}
        />
      )}
      <div className={classes.content} ref={place} tabIndex={isTarget ? -1 : undefined}>
        {content}
      </div>
      {tools && <div className={classes.tools}>{tools}</div>}
    </li>
  );
}
