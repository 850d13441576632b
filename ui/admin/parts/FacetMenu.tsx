import { Button, Checkbox, Group, Popover, Stack } from "@mantine/core";
import { ChevronDown } from "lucide-react";
import { memo, useMemo } from "react";
import { Hint } from "../../parts/text/Hint.tsx";
import { usePageSearch } from "../page-search.ts";

/** A property of rows to filter by. */
export interface Facet<Row> {
  /** Its name in the URL. */
  readonly id: string;
  readonly label: string;
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  readonly valuesOf: (row: Row) => readonly string[];
  /** Whether to show the number of rows per value; false if only some of the rows are loaded. Default true. */
  readonly hasCounts?: boolean;
}

interface FacetMenuProps<Row> {
  facet: Facet<Row>;
  rows: readonly Row[];
}

export const FacetMenu = memo(function FacetMenu<Row>({ facet, rows }: FacetMenuProps<Row>) {
  const [search, setSearch] = usePageSearch();
  const chosen = search[facet.id]?.split(",").filter(Boolean) ?? [];
  const counts = useMemo(() => {
    const byValue = new Map<string, number>();
    for (const row of rows) for (const value of facet.valuesOf(row)) byValue.set(value, (byValue.get(value) ?? 0) + 1);
    return byValue;
  }, [facet, rows]);
  const toggle = (value: string) => {
    const next = chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value];
    setSearch({ [facet.id]: next.join(",") });
  };
  const label = facet.choices.filter(({ value }) => chosen.includes(value)).map((choice) => choice.label);
  return (
    <Popover position="bottom-start" shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <Button
          size="sm"
          variant="default"
          fw={400}
          {...(chosen.length > 0 && { bd: "1px solid var(--hearth-ember-line)", bg: "var(--hearth-ember-wash)" })}
          rightSection={<ChevronDown size="1rem" aria-hidden="true" />}
        >
          {label.length > 0 ? `${facet.label}: ${label.join(", ")}` : facet.label}
        </Button>
      </Popover.Target>
      <Popover.Dropdown role="group" aria-label={facet.label} mah="20rem" miw="12rem" style={{ overflowY: "auto" }}>
        <Stack gap="xs">
          {facet.choices.map((choice) => (
            <Checkbox
              key={choice.value}
              size="sm"
              checked={chosen.includes(choice.value)}
              onChange={() => toggle(choice.value)}
              label={
                <Group component="span" justify="space-between" gap="lg" wrap="nowrap">
                  <bdi>{choice.label}</bdi>
                  {facet.hasCounts !== false && <Hint span>{counts.get(choice.value) ?? 0}</Hint>}
                </Group>
              }
            />
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}) as <Row>(props: FacetMenuProps<Row>) => React.ReactNode;
