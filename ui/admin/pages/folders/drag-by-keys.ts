import { KeyboardCode, type KeyboardCoordinateGetter } from "@dnd-kit/core";
import { sortableKeyboardCoordinates } from "@dnd-kit/sortable";

/** Arrow keys move a folder by one position, and a channel to the next folder. */
export const coordinatesByKey: KeyboardCoordinateGetter = (event, drag) => {
  const { active, droppableContainers, droppableRects, over } = drag.context;
  if (active?.data.current?.["kind"] === "folder") return sortableKeyboardCoordinates(event, drag);
  const step = event.code === KeyboardCode.Down ? 1 : event.code === KeyboardCode.Up ? -1 : 0;
  if (step === 0) return undefined;
  event.preventDefault();
  const places = droppableContainers
    .getEnabled()
    .filter(({ data }) => data.current?.["kind"] === "place")
    .flatMap(({ id }) => {
      const rect = droppableRects.get(id);
      return rect ? [{ id, rect }] : [];
    })
    .sort((a, b) => a.rect.top - b.rect.top);
  const next = places[places.findIndex(({ id }) => id === over?.id) + step];
  return next && { x: next.rect.left, y: next.rect.top };
};
