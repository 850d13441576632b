import { useWindowEvent } from "@mantine/hooks";
import {
  createColumnHelper,
  createSortedRowModel,
  type RowData,
  type RowSelectionState,
  rowSelectionFeature,
  rowSortingFeature,
  tableFeatures,
  type Updater,
  useTable,
} from "@tanstack/react-table";
import { ArrowDown, ArrowUp, X } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { wordMatcher } from "../../parts/folded.ts";
import { isTyping } from "../../parts/is-typing.ts";
import { usePageSearch } from "../page-search.ts";
import classes from "./DataTable.module.css";
import { EmptyState } from "./EmptyState.tsx";
import { type Facet, FacetMenu } from "./FacetMenu.tsx";
import { FoldingLine } from "./FoldingLine.tsx";
import { IconButton } from "./IconButton.tsx";
import { SearchField } from "./SearchField.tsx";
import { type DataColumn, type RowActs, TableRows } from "./TableRows.tsx";

export interface DataTableProps<Row> {
  /** The name of the list for screen readers and the search field. */
  label: string;
  rows: readonly Row[];
  columns: readonly DataColumn<Row>[];
  rowKey: (row: Row) => string;
  rowName: (row: Row) => string;
  searchText: (row: Row) => string;
  facets?: readonly Facet<Row>[];
  /** `name`, or `-name` for descending. */
  defaultSort: string;
  /** Opens a row's details. By default, `open` in the URL becomes the row's key. */
  onOpen?: (row: Row) => void;
  /** Actions for several rows. Without them and without `selection`, rows cannot be selected. */
  selectionActions?: (rows: readonly Row[], deselect: () => void) => ReactNode;
  /** A selection that the page holds, by row key. */
  selection?: { selected: RowSelectionState; onChange(change: Updater<RowSelectionState>): void };
  /** Shown if there are no rows. */
  empty: ReactNode;
  /** Shown next to the search field. `found`: the matching rows, sorted. */
  tools?: (found: readonly Row[]) => ReactNode;
}

const features = tableFeatures({ rowSortingFeature, rowSelectionFeature, sortedRowModel: createSortedRowModel() });

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });
const compare = (a: string | number, b: string | number) =>
  typeof a === "number" && typeof b === "number" ? a - b : collator.compare(String(a), String(b));

/**
 * A table of thousands of rows with search, filters, sorting and selection, by mouse and keyboard. Search, facets, order
 * and the open row are in the URL. Only the rows in view are in the DOM.
 */
export function DataTable<Row extends RowData>(props: DataTableProps<Row>) {
  const { label, rows, columns, rowKey, rowName, searchText, facets = [], defaultSort, selectionActions } = props;
  const { t } = useTranslation();
  const [search, setSearch] = usePageSearch();
  const [ownSelection, setOwnSelection] = useState<RowSelectionState>({});
  const { selected, onChange: setSelected } = props.selection ?? { selected: ownSelection, onChange: setOwnSelection };
  const isSelectable = selectionActions !== undefined || props.selection !== undefined;
  const [active, setActive] = useState(0);
  const body = useRef<HTMLTableSectionElement>(null);
  const scrollTo = useRef<(index: number) => void>(null);
  const sort = search.sort ?? defaultSort;

  const found = useMemo(() => {
    const query = (search.q ?? "").trim();
    const matches = wordMatcher(query);
    const chosen = facets.flatMap((facet) => {
      const values = search[facet.id]?.split(",").filter(Boolean) ?? [];
      return values.length > 0 ? [{ facet, values: new Set(values) }] : [];
    });
    if (query === "" && chosen.length === 0) return rows;
    return rows.filter((row) => {
      if (!chosen.every(({ facet, values }) => facet.valuesOf(row).some((value) => values.has(value)))) return false;
      return query === "" || matches(searchText(row));
    });
  }, [rows, facets, search, searchText]);

  const tableColumns = useMemo(() => {
    const helper = createColumnHelper<typeof features, Row>();
    return helper.columns(
      columns.map(({ id, header, sortBy }) =>
        helper.accessor((row) => sortBy?.(row) ?? "", {
          id,
          header,
          enableSorting: sortBy !== undefined,
          sortFn: (a, b, column) => compare(a.getValue(column), b.getValue(column)),
        }),
      ),
    );
  }, [columns]);

  const sorting = useMemo(() => [{ id: sort.replace(/^-/, ""), desc: sort.startsWith("-") }], [sort]);
  const table = useTable({
    features,
    columns: tableColumns,
    data: found as Row[],
    getRowId: rowKey,
    enableRowSelection: isSelectable,
    state: { sorting, rowSelection: selected },
    onRowSelectionChange: setSelected,
  });
  const sorted = table.getRowModel().rows;
  const tools = useMemo(() => props.tools?.(sorted.map(({ original }) => original)), [props.tools, sorted]);
  const chosenRows = useMemo(() => rows.filter((row) => selected[rowKey(row)]), [rows, selected, rowKey]);
  const deselect = () => setSelected({});

  const open = props.onOpen ?? ((row: Row) => setSearch({ open: rowKey(row) }));
  const move = (to: number) => {
    const index = Math.max(0, Math.min(sorted.length - 1, to));
    setActive(index);
    scrollTo.current?.(index);
    requestAnimationFrame(() => body.current?.querySelector<HTMLElement>(`[data-index="${index}"]`)?.focus());
  };

  const onRowKey = (event: KeyboardEvent, index: number, row: Row) => {
    if (!isRowOrItsCheckbox(event) || event.ctrlKey || event.metaKey || event.altKey) return;
    const keys: Record<string, () => void> = {
      j: () => move(index + 1),
      ArrowDown: () => move(index + 1),
      k: () => move(index - 1),
      ArrowUp: () => move(index - 1),
      Home: () => move(0),
      End: () => move(sorted.length - 1),
      Enter: () => open(row),
      e: () => open(row),
      x: () => isSelectable && sorted[index]?.toggleSelected(),
    };
    const action = keys[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  };

  // Stable functions, so that scrolling renders only the rows that come into view.
  const latest = useRef({ open, onRowKey, setSelected });
  latest.current = { open, onRowKey, setSelected };
  const acts = useMemo(
    (): RowActs<Row> => ({
      focus: setActive,
      open: (row) => latest.current.open(row),
      key: (event, index, row) => latest.current.onRowKey(event, index, row),
      toggle: (id) =>
        latest.current.setSelected(({ [id]: was, ...others }) => (was ? others : { ...others, [id]: true })),
    }),
    [],
  );

  useWindowEvent("keydown", (event) => {
    if (event.key !== "j" || event.ctrlKey || event.metaKey || isTyping(event.target)) return;
    if (document.querySelector("[aria-modal=true]") || body.current?.contains(document.activeElement)) return;
    event.preventDefault();
    move(active);
  });

  // If the server filters, an empty list can also mean that no row matches.
  const isFiltered = Boolean(search.q) || facets.some(({ id }) => search[id]);
  if (rows.length === 0 && !isFiltered) return props.empty;

  const tracks = (size: "small" | "medium" | "large") =>
    [
      ...(isSelectable ? ["2.25rem"] : []),
      ...columns.filter(({ from }) => isShown(from, size)).map(({ width }) => width),
    ].join(" ");
  const style = {
    "--columns-small": tracks("small"),
    "--columns-medium": tracks("medium"),
    "--columns-large": tracks("large"),
  } as React.CSSProperties;
  const isSelecting = chosenRows.length > 0 && selectionActions !== undefined;
  const isAll = sorted.length > 0 && sorted.every((row) => selected[row.id]);

  return (
    <div className={classes.frame} style={style}>
      <div className={classes.tools}>
        <SearchField
          className={classes.search}
          placeholder={t("table.search")}
          aria-label={t("table.searchIn", { title: label })}
          value={search.q ?? ""}
          onChange={(event) => setSearch({ q: event.currentTarget.value })}
          onKeyDown={(event) => {
            if (event.key === "ArrowDown" || event.key === "Enter") move(0);
            // The browser clears the field. In an empty field, Escape returns to the rows.
            if (event.key === "Escape" && !event.currentTarget.value) {
              event.currentTarget.blur();
              move(active);
            }
          }}
        />
        {facets.map((facet) => (
          <FacetMenu key={facet.id} facet={facet} rows={rows} />
        ))}
        {tools}
        <span className={classes.count} role="status">
          {found.length === rows.length
            ? t("table.count", { count: rows.length })
            : t("table.countOf", { shown: found.length, count: rows.length })}
        </span>
      </div>
      <div className={classes.area}>
        {/* It covers the table's head, so that no row moves under the pointer. */}
        {isSelecting && (
          <div
            className={classes.selection}
            role="toolbar"
            aria-label={t("table.selected", { count: chosenRows.length })}
          >
            <span className={classes.selected}>{t("table.selected", { count: chosenRows.length })}</span>
            <FoldingLine label={t("table.actions")}>{selectionActions(chosenRows, deselect)}</FoldingLine>
            <IconButton label={t("table.deselect")} className={classes.deselect} onClick={deselect}>
              <X size="1rem" aria-hidden="true" />
            </IconButton>
          </div>
        )}
        <table className={classes.table} aria-label={label} aria-rowcount={sorted.length + 1}>
          <thead>
            <tr className={classes.head} aria-rowindex={1} data-selecting={isSelecting}>
              {isSelectable && (
                <th scope="col">
                  <input
                    type="checkbox"
                    className={classes.check}
                    aria-label={t("table.selectAll")}
                    checked={isAll}
                    ref={(box) => {
                      if (box) box.indeterminate = !isAll && chosenRows.length > 0;
                    }}
                    onChange={() => table.toggleAllRowsSelected(!isAll)}
                  />
                </th>
              )}
              {columns.map((column) => (
                <HeaderCell
                  key={column.id}
                  column={column}
                  sort={sort}
                  isCovered={isSelecting}
                  onSort={(next) => setSearch({ sort: next })}
                />
              ))}
            </tr>
          </thead>
          <TableRows
            rows={sorted}
            selected={selected}
            active={Math.min(active, sorted.length - 1)}
            openId={search.open}
            columns={columns}
            rowName={rowName}
            isSelectable={isSelectable}
            acts={acts}
            body={body}
            scrollTo={scrollTo}
          />
        </table>
      </div>
      {found.length === 0 && (
        <EmptyState
          title={t("table.none")}
          action={
            <button
              type="button"
              className={classes.clear}
              onClick={() =>
                setSearch({ q: undefined, ...Object.fromEntries(facets.map(({ id }) => [id, undefined])) })
              }
            >
              {t("table.clear")}
            </button>
          }
        />
      )}
    </div>
  );
}

interface HeaderCellProps<Row> {
  column: DataColumn<Row>;
  sort: string;
  /** Whether the toolbar for selected rows covers it. */
  isCovered: boolean;
  onSort(sort: string): void;
}

function HeaderCell<Row>({ column, sort, isCovered, onSort }: HeaderCellProps<Row>) {
  const { id, header, sortBy, from } = column;
  const direction = sort === id ? "ascending" : sort === `-${id}` ? "descending" : undefined;
  return (
    <th scope="col" data-from={from} {...(sortBy && { "aria-sort": direction ?? "none" })}>
      {sortBy ? (
        <button
          type="button"
          className={classes.sort}
          {...(isCovered && { tabIndex: -1 })}
          onClick={() => onSort(direction === "ascending" ? `-${id}` : id)}
        >
          {header}
          {direction === "ascending" && <ArrowUp size="0.875rem" aria-hidden="true" />}
          {direction === "descending" && <ArrowDown size="0.875rem" aria-hidden="true" />}
        </button>
      ) : (
        header
      )}
    </th>
  );
}

const SIZES = ["small", "medium", "large"] as const;

const isShown = (from: DataColumn<unknown>["from"], size: (typeof SIZES)[number]) =>
  SIZES.indexOf(size) >= SIZES.indexOf(from ?? "small");

/** Other elements of a row, such as buttons, handle keys themselves. */
const isRowOrItsCheckbox = ({ target, currentTarget }: KeyboardEvent) =>
  target === currentTarget || (target instanceof HTMLElement && target.matches("input[type=checkbox]"));
