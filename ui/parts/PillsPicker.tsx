import { Combobox, Pill, PillsInput, useCombobox } from "@mantine/core";
import { type KeyboardEvent, type ReactNode, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { wordMatcher } from "./folded.ts";
import classes from "./PillsPicker.module.css";

export interface PickerOption {
  readonly value: string;
  readonly name: string;
  /** Shown before the name. */
  readonly icon?: ReactNode;
  /** Shown after the name in the list. */
  readonly mark?: ReactNode;
}

export interface PickerGroup {
  readonly label?: string;
  readonly options: readonly PickerOption[];
}

export interface PillsPickerProps {
  label: string;
  description?: ReactNode;
  error?: ReactNode;
  disabled?: boolean;
  isSaving?: boolean;
  placeholder?: string;
  /** Shown as pills in the field. */
  chosen: readonly PickerOption[];
  isRemovable?: boolean;
  /** The options whose names match. Called only while the list is open. */
  optionsFor(isMatch: (name: string) => boolean): readonly PickerGroup[];
  /** Shows the list below the field at all times, not in a dropdown. */
  isInline?: boolean;
  autoFocus?: boolean;
  onOpenChange?(isOpen: boolean): void;
  onAdd(value: string): void;
  onRemove(value: string): void;
  /** Enter, while nothing is typed. By default it submits the form. */
  onEnter?(): void;
}

/** A field that holds what was chosen as pills, and finds more by a part of its name. Enter adds the first match. */
export function PillsPicker(props: PillsPickerProps) {
  const { label, description, error, disabled = false, isSaving = false, placeholder = "" } = props;
  const { chosen, isRemovable = !disabled, optionsFor, isInline = false, autoFocus = false } = props;
  const { onOpenChange, onAdd, onRemove, onEnter } = props;
  const { t } = useTranslation();
  const combobox = useCombobox({
    onDropdownOpen: () => onOpenChange?.(true),
    onDropdownClose: () => {
      setActive(undefined);
      onOpenChange?.(false);
    },
  });
  const [query, setQuery] = useState("");
  const [active, setActive] = useState<number>();
  const id = useId();
  const isTyped = query.trim() !== "";
  const isOpen = isInline || combobox.dropdownOpened;
  const groups = isOpen ? optionsFor(wordMatcher(query)).filter(({ options }) => options.length > 0) : [];
  const options = groups.flatMap((group) => group.options);
  const activeAt = Math.min(active ?? (isTyped ? 0 : -1), options.length - 1);
  const activeOption = options[activeAt];
  const optionId = (option: PickerOption) => `${id}-${option.value}`;

  const type = (text: string) => {
    setQuery(text);
    setActive(undefined);
  };
  const add = (value: string) => {
    type("");
    onAdd(value);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    switch (event.key) {
      case "ArrowDown":
      case "ArrowUp": {
        event.preventDefault();
        combobox.openDropdown();
        const next = event.key === "ArrowDown" ? activeAt + 1 : activeAt - 1;
        if (options.length > 0) setActive((next + options.length) % options.length);
        break;
      }
      case "Enter":
        // Typed text that matches nothing must not submit the form: the person would believe that it was added.
        if (isTyped || activeOption) event.preventDefault();
        if (activeOption) {
          add(activeOption.value);
          combobox.closeDropdown(); // it would cover the button that submits
        } else if (isTyped) combobox.openDropdown();
        else if (onEnter) {
          event.preventDefault();
          onEnter();
        }
        break;
      case "Escape":
        combobox.closeDropdown();
        break;
      case "Backspace": {
        const last = chosen.at(-1);
        if (query !== "" || !isRemovable || !last) break;
        event.preventDefault();
        onRemove(last.value);
      }
    }
  };

  const list = (
    <Combobox.Options id={id} aria-label={label} className={isInline ? classes.inline : classes.options}>
      {groups.map((group) =>
        group.label === undefined ? (
          group.options.map(shown)
        ) : (
          <Combobox.Group key={group.label} label={group.label}>
            {group.options.map(shown)}
          </Combobox.Group>
        ),
      )}
      {options.length === 0 && <Combobox.Empty>{t("picker.none")}</Combobox.Empty>}
    </Combobox.Options>
  );
  function shown(option: PickerOption) {
    const isActive = option === activeOption;
    return (
      <Combobox.Option
        key={option.value}
        id={optionId(option)}
        value={option.value}
        aria-selected={isActive}
        data-combobox-selected={isActive || undefined}
        ref={isActive ? scrollIntoView : undefined}
      >
        <span className={classes.named}>
          {option.icon}
          <bdi>{option.name}</bdi>
          {option.mark}
        </span>
      </Combobox.Option>
    );
  }

  return (
    <Combobox store={combobox} onOptionSubmit={add} disabled={disabled}>
      <Combobox.DropdownTarget>
        <PillsInput
          label={label}
          description={description}
          error={error}
          disabled={disabled}
          size="md"
          aria-busy={isSaving}
          onClick={() => combobox.openDropdown()}
        >
          <Pill.Group>
            {chosen.map(({ value, name, icon }) => (
              <Pill
                key={value}
                size="md"
                classNames={{ root: classes.pill ?? "", remove: classes.remove ?? "" }}
                withRemoveButton={isRemovable}
                onRemove={() => onRemove(value)}
                removeButtonProps={{ "aria-label": t("picker.remove", { name }), tabIndex: 0, "aria-hidden": false }}
              >
                <span className={classes.named}>
                  {icon}
                  <bdi>{name}</bdi>
                </span>
              </Pill>
            ))}
            <PillsInput.Field
              className={classes.field}
              role="combobox"
              aria-haspopup="listbox"
              aria-expanded={isOpen}
              aria-controls={isOpen ? id : undefined}
              aria-activedescendant={activeOption && optionId(activeOption)}
              autoComplete="off"
              placeholder={placeholder}
              disabled={disabled}
              value={query}
              data-mantine-stop-propagation={combobox.dropdownOpened} // Escape closes the list, not its dialog
              data-autofocus={autoFocus || undefined}
              // At the start of a dialog, the list would cover the rest and take the first Escape. It would hide an error.
              onFocus={() => autoFocus || error || combobox.openDropdown()}
              onBlur={() => {
                combobox.closeDropdown();
                type("");
              }}
              onChange={(event) => {
                type(event.currentTarget.value);
                combobox.openDropdown();
              }}
              onKeyDown={onKeyDown}
            />
          </Pill.Group>
        </PillsInput>
      </Combobox.DropdownTarget>
      {isInline ? list : <Combobox.Dropdown>{list}</Combobox.Dropdown>}
    </Combobox>
  );
}

const scrollIntoView = (element: HTMLElement | null): void => element?.scrollIntoView({ block: "nearest" });
