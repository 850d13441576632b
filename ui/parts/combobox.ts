import { useCombobox as useMantineCombobox } from "@mantine/core";
import { type KeyboardEvent, useId } from "react";
import classes from "./combobox.module.css";

export interface ComboboxOptions {
  /** The number of options. */
  count: number;
  /** The index of the selected option, or -1. */
  selected: number;
  onSelect(index: number): void;
  opened: boolean;
  /** Missing if the options are always visible. */
  onOpenedChange?(opened: boolean): void;
}

/**
 * The keys and ARIA attributes of a field with Mantine's `Combobox`, whose own ones are turned off. Mantine keeps the
 * selected option in the DOM only: options have no `aria-selected`, the field names no option before an arrow key is
 * pressed, and Enter of a touch screen's keyboard, which has no `code`, chooses nothing.
 */
export function useCombobox({ count, selected, onSelect, opened, onOpenedChange }: ComboboxOptions) {
  const id = useId();
  const store = useMantineCombobox({ opened });
  const at = Math.min(selected, count - 1);
  const idAt = (index: number) => `${id}-${index}`;

  const onKeyDown = (event: KeyboardEvent) => {
    const { key, nativeEvent } = event;
    // Safari ends the composition before it reports the Enter that ended it.
    if (nativeEvent.isComposing || nativeEvent.keyCode === 229) return;
    if (key === "ArrowDown" || key === "ArrowUp") {
      if (!opened) onOpenedChange?.(true);
      if (!opened) onSelect(0);
      else if (key === "ArrowDown") onSelect(at + 1 < count ? at + 1 : 0);
      else onSelect(at > 0 ? at - 1 : count - 1);
    } else if (key === "Enter" && opened && at >= 0) document.getElementById(idAt(at))?.click();
    else if (key === "Escape" && opened && onOpenedChange) {
      event.stopPropagation();
      onOpenedChange(false);
    } else return;
    event.preventDefault();
  };

  return {
    store,
    /** The index of the selected option, or -1. */
    at,
    fieldProps: {
      role: "combobox",
      "aria-expanded": opened && count > 0,
      "aria-controls": opened ? id : undefined,
      "aria-autocomplete": "list",
      "aria-activedescendant": opened && at >= 0 ? idAt(at) : undefined,
      autoComplete: "off",
      onKeyDown,
    },
    listProps: { id },
    optionProps: (index: number) => ({
      id: idAt(index),
      className: classes.option ?? "",
      selected: index === at,
      "aria-selected": index === at,
      ref: index === at ? scrollTo : undefined,
    }),
  } as const;
}

const scrollTo = (element: HTMLElement | null): void => element?.scrollIntoView({ block: "nearest" });
