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
import { IconButton } from "./IconButton.tsx";

/** Mouse, touch and keyboard. A press without a move stays a click. */
export const useDragSensors = (coordinateGetter = sortableKeyboardCoordinates) =>
  useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter }),
  );

export interface DragAnnouncementOptions {
  nameOf(dragged: UniqueIdentifier): string;
  /** The name of a drop target. */
  placeOf(over: UniqueIdentifier): string;
}

/** Announcements for screen readers while the user drags. */
export function useDragAnnouncements({
  nameOf,
  placeOf,
}: DragAnnouncementOptions): NonNullable<DndContextProps["accessibility"]> {
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

/** The handle that drags a row; the rest of the row can still be scrolled and clicked. */
export function DragHandle({ label, attributes, listeners, handleRef }: DragHandleProps) {
  return (
    <IconButton
      label={label}
      ref={handleRef}
      size="sm"
      style={{ cursor: "grab", touchAction: "none" }}
      {...attributes}
      {...listeners}
    >
      <GripVertical size="1rem" aria-hidden="true" />
    </IconButton>
  );
}
