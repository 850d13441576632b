import { Combobox, Input } from "@mantine/core";
import { Search } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useState } from "react";
import classes from "./combobox.module.css";
import { useCombobox } from "./combobox.ts";
import { Dialog } from "./Dialog.tsx";

export interface PaletteOption {
  readonly key: string;
  readonly icon?: ReactNode;
  readonly label: ReactNode;
  /** Behind the label, in grey. */
  readonly description?: ReactNode;
  run(): void;
}

export interface PaletteProps {
  title: string;
  placeholder: string;
  typed: string;
  onType(typed: string): void;
  options: readonly PaletteOption[];
  /** Shown in place of options. */
  empty: ReactNode;
  /** A message below the options, which screen readers announce. */
  status?: ReactNode;
  /** Tab with the selected option; returns whether it did something. */
  onTab?(selected: PaletteOption | undefined): boolean;
  onClose(): void;
}

/** A field that opens what its text finds. The first option is selected, so that Enter chooses it. */
export function Palette({ title, placeholder, typed, onType, options, empty, status, onTab, onClose }: PaletteProps) {
  const [selected, setSelected] = useState(0);
  const { store, at, fieldProps, listProps, optionProps } = useCombobox({
    count: options.length,
    selected,
    onSelect: setSelected,
    opened: true,
  });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Tab" || event.shiftKey) return fieldProps.onKeyDown(event);
    if (!onTab?.(options[at])) return;
    setSelected(0);
    event.preventDefault();
  };
  const choose = (key: string) => {
    setSelected(0);
    options.find((option) => option.key === key)?.run();
  };
  return (
    <Dialog title={title} finds onClose={onClose}>
      <Combobox store={store} onOptionSubmit={choose}>
        <Input
          className={classes.field}
          dir="auto"
          value={typed}
          onChange={(event) => {
            onType(event.currentTarget.value);
            setSelected(0);
          }}
          {...fieldProps}
          onKeyDown={onKeyDown}
          aria-label={title}
          placeholder={placeholder}
          leftSection={<Search size="1.0625rem" aria-hidden="true" />}
          spellCheck={false}
          data-autofocus
        />
        <Combobox.Options className={classes.options} aria-label={title} {...listProps}>
          {options.map(({ key, icon, label, description }, index) => (
            <Combobox.Option key={key} value={key} {...optionProps(index)}>
              <div className={classes.choice}>
                <span className={classes.icon} aria-hidden="true">
                  {icon}
                </span>
                <span className={classes.label}>{label}</span>
                {description}
              </div>
            </Combobox.Option>
          ))}
        </Combobox.Options>
      </Combobox>
      {options.length === 0 && <p className={classes.note}>{empty}</p>}
      <p className={classes.note} role="status">
        {status}
      </p>
    </Dialog>
  );
}
