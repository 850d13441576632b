import { Checkbox, Group } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { usePageSearch } from "../page-search.ts";
import { SearchField } from "../parts/SearchField.tsx";

export interface SettingSearchProps {
  /** The label of the search field. */
  label: string;
  onlyChanged: boolean;
  onOnlyChanged(onlyChanged: boolean): void;
}

/** Filters settings by words, which are in the URL, or by a value other than the default. */
export function SettingSearch({ label, onlyChanged, onOnlyChanged }: SettingSearchProps) {
  const { t } = useTranslation();
  const [search, setSearch] = usePageSearch();
  return (
    <Group component="search" gap="0.5rem 1rem">
      <SearchField
        flex="1 1 16rem"
        maw="26rem"
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
    </Group>
  );
}
