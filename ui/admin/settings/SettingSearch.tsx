import { Checkbox, TextInput } from "@mantine/core";
import { Search } from "lucide-react";
import { useTranslation } from "react-i18next";
import { usePageSearch } from "../page-search.ts";
import { useSearchKey } from "../parts/use-search-key.ts";
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
  const field = useSearchKey();
  return (
    <search className={classes.search}>
      <TextInput
        ref={field}
        aria-keyshortcuts="/"
        type="search"
        size="sm"
        leftSection={<Search size="1rem" aria-hidden="true" />}
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
