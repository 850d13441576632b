import { Button, Checkbox, Popover } from "@mantine/core";
import { ChevronDown } from "lucide-react";
import { memo, useMemo } from "react";
import { usePageSearch } from "../page-search.ts";
import classes from "./FacetMenu.module.css";

/** Something that rows differ in, to filter by. */
export interface Facet<Row> {
  /** Its name in the address. */
  readonly id: string;
  readonly label: string;
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  readonly valuesOf: (row: Row) => readonly string[];
  /** Whether to say how many rows have each value: not where the rows are only a part. Default true. */
  readonly hasCounts?: boolean;
}

interface FacetMenuProps<Row> {
  facet: Facet<Row>;
  rows: readonly Row[];
}

/** Chooses values of a facet, with how many rows have each. */
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
          className={classes.button}
          data-chosen={chosen.length > 0}
          rightSection={<ChevronDown size="1rem" aria-hidden="true" />}
        >
          {label.length > 0 ? `${facet.label}: ${label.join(", ")}` : facet.label}
        </Button>
      </Popover.Target>
      <Popover.Dropdown className={classes.menu} role="group" aria-label={facet.label}>
        {facet.choices.map((choice) => (
          <Checkbox
            key={choice.value}
            size="sm"
            checked={chosen.includes(choice.value)}
            onChange={() => toggle(choice.value)}
            label={
              <span className={classes.choice}>
                <bdi>{choice.label}</bdi>
                {facet.hasCounts !== false && <span className={classes.count}>{counts.get(choice.value) ?? 0}</span>}
              </span>
            }
          />
        ))}
      </Popover.Dropdown>
    </Popover>
  );
}) as <Row>(props: FacetMenuProps<Row>) => React.ReactNode;
