import { Checkbox } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { usePageSearch } from "../page-search.ts";
import { SearchField } from "../parts/SearchField.tsx";
import classes from "./SettingSearch.module.css";

export interface SettingSearchProps {
  /** What is found. */
  label: string;
  onlyChanged: boolean;
  onOnlyChanged(onlyChanged: boolean): void;
}

/** Finds settings by words, which are in the address, or only those with another value than in a new organization. */
export function SettingSearch({ label, onlyChanged, onOnlyChanged }: SettingSearchProps) {
  const { t } = useTranslation();
  const [search, setSearch] = usePageSearch();
  return (
    <search className={classes.search}>
      <SearchField
        placeholder={label}
        aria-label={label}
        value={search.q ?? ""}
        onChange={(event) => setSearch({ q: event.currentTarget.value })}
      />
      <Checkbox
        size="sm"
        label={t("settings.onlyChanged")}
        checked={onlyChanged}
        onChange={(event) => onOnlyChanged(event.currentTarget.checked)}
      />
    </search>
  );
}
