import { closestCenter, DndContext, type DragEndEvent } from "@dnd-kit/core";
import { arrayMove, SortableContext, useSortable, verticalListSortingStrategy } from "@dnd-kit/sortable";
import { type ReactNode, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { DragHandle, useDragSensors, useDragWords } from "./dragging.tsx";
import classes from "./EntryList.module.css";

export interface Entry {
  readonly id: number;
  readonly name: string;
  readonly content: ReactNode;
  /** What can be done with it. */
  readonly tools?: ReactNode;
}

export interface EntryListProps {
  label: string;
  entries: readonly Entry[];
  /** Saves another order, by dragging or by keys. Without it, the order is fixed. */
  onReorder?: (ids: number[]) => Promise<unknown>;
}

/** A short list of what administrators have made, in an order of their own where it matters. */
export function EntryList({ label, entries, onReorder }: EntryListProps) {
  const { t } = useTranslation();
  const [moved, setMoved] = useState<number[]>();
  const sensors = useDragSensors();
  // The event that brings the new order comes after the answer: until then, the moved order is shown.
  // biome-ignore lint/correctness/useExhaustiveDependencies: other entries replace what was moved
  useEffect(() => setMoved(undefined), [entries.map(({ id }) => id).join()]);
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const order = (moved ?? entries.map(({ id }) => id)).filter((id) => byId.has(id));

  const drop = ({ active, over }: DragEndEvent) => {
    if (!over || active.id === over.id || !onReorder) return;
    const next = arrayMove(order, order.indexOf(Number(active.id)), order.indexOf(Number(over.id)));
    setMoved(next);
    onReorder(next).catch(() => setMoved(undefined));
  };
  const words = useDragWords({
    nameOf: (id) => byId.get(Number(id))?.name ?? "",
    placeOf: (id) => t("entries.place", { position: order.indexOf(Number(id)) + 1, count: order.length }),
  });

  return (
    <DndContext sensors={sensors} collisionDetection={closestCenter} onDragEnd={drop} accessibility={words}>
      <SortableContext items={order} strategy={verticalListSortingStrategy}>
        <ul className={classes.list} aria-label={label}>
          {order.map((id) => (
            <Row key={id} entry={byId.get(id) as Entry} isSortable={onReorder !== undefined && order.length > 1} />
          ))}
        </ul>
      </SortableContext>
    </DndContext>
  );
}

function Row({ entry: { id, name, content, tools }, isSortable }: { entry: Entry; isSortable: boolean }) {
  const { t } = useTranslation();
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({
    id,
  });
  const style = transform ? { transform: `translateY(${transform.y}px)`, transition } : {};
  return (
    <li ref={setNodeRef} className={classes.entry} style={style} data-dragging={isDragging}>
      {isSortable && (
        <DragHandle
          label={t("entries.move", { name })}
          {...{ attributes, listeners }}
          handleRef={setActivatorNodeRef}
        />
      )}
      <div className={classes.content}>{content}</div>
      {tools && <div className={classes.tools}>{tools}</div>}
    </li>
  );
}
