import {
  type Announcements,
  type DndContextProps,
  type DraggableAttributes,
  type DraggableSyntheticListeners,
  KeyboardSensor,
  PointerSensor,
  type UniqueIdentifier,
  useSensor,
  useSensors,
} from "@dnd-kit/core";
import { sortableKeyboardCoordinates } from "@dnd-kit/sortable";
import { GripVertical } from "lucide-react";
import { useTranslation } from "react-i18next";
import classes from "./dragging.module.css";

/* What is the same wherever things are put in order by dragging. */

/** By mouse, by finger and by keys. A press without a move stays a press. */
export const useDragSensors = (coordinateGetter = sortableKeyboardCoordinates) =>
  useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter }),
  );

export interface DragWordsOptions {
  nameOf(dragged: UniqueIdentifier): string;
  /** What it would be put down at. */
  placeOf(over: UniqueIdentifier): string;
}

/** What a screen reader says while something is dragged. */
export function useDragWords({ nameOf, placeOf }: DragWordsOptions): NonNullable<DndContextProps["accessibility"]> {
  const { t } = useTranslation();
  const announcements: Announcements = {
    onDragStart: ({ active }) => t("dragging.started", { name: nameOf(active.id) }),
    onDragOver: ({ active, over }) =>
      over ? t("dragging.over", { name: nameOf(active.id), over: placeOf(over.id) }) : undefined,
    onDragEnd: ({ active, over }) =>
      over ? t("dragging.ended", { name: nameOf(active.id), over: placeOf(over.id) }) : undefined,
    onDragCancel: ({ active }) => t("dragging.cancelled", { name: nameOf(active.id) }),
  };
  return { announcements, screenReaderInstructions: { draggable: t("dragging.instructions") } };
}

export interface DragHandleProps {
  label: string;
  attributes: DraggableAttributes;
  listeners: DraggableSyntheticListeners;
  handleRef(element: HTMLElement | null): void;
}

/** What is taken hold of: the rest of a row can be scrolled and pressed. */
export function DragHandle({ label, attributes, listeners, handleRef }: DragHandleProps) {
  return (
    <button type="button" ref={handleRef} className={classes.handle} {...attributes} {...listeners} aria-label={label}>
      <GripVertical size="1rem" aria-hidden="true" />
    </button>
  );
}
