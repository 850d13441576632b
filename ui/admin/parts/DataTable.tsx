import { Checkbox, TextInput } from "@mantine/core";
import {
  createColumnHelper,
  createSortedRowModel,
  type RowData,
  type RowSelectionState,
  rowSelectionFeature,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from "@tanstack/react-table";
import { useVirtualizer } from "@tanstack/react-virtual";
import { ArrowDown, ArrowUp, Search } from "lucide-react";
import { type KeyboardEvent, memo, type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { usePageSearch } from "../page-search.ts";
import classes from "./DataTable.module.css";
import { EmptyState } from "./EmptyState.tsx";
import { type Facet, FacetMenu } from "./FacetMenu.tsx";

export interface DataColumn<Row> {
  readonly id: string;
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  /** What the column sorts by; without it, the column does not sort. */
  readonly sortBy?: (row: Row) => string | number;
  /** A track of CSS grid, such as `minmax(8rem, 1fr)`. */
  readonly width: string;
  /** From which width of the table on the column is shown; by default always. */
  readonly from?: "medium" | "large";
}

export interface DataTableProps<Row> {
  /** What the rows are, for screen readers and the search field. */
  label: string;
  rows: readonly Row[];
  columns: readonly DataColumn<Row>[];
  rowKey: (row: Row) => string;
  /** What a row is called. */
  rowName: (row: Row) => string;
  /** The text in which words are searched. */
  searchText: (row: Row) => string;
  facets?: readonly Facet<Row>[];
  /** `name`, or `-name` for descending. */
  defaultSort: string;
  /** Opens a row's details; by default the address's `open` becomes the row's key. */
  onOpen?: (row: Row) => void;
  /** What can be done with several rows at once. Without it, rows cannot be selected. */
  selectionActions?: (rows: readonly Row[], deselect: () => void) => ReactNode;
  /** Shown where there are no rows at all. */
  empty: ReactNode;
  /** Beside the search field; given the rows that are found, in their order. */
  tools?: (found: readonly Row[]) => ReactNode;
}

const features = tableFeatures({ rowSortingFeature, rowSelectionFeature, sortedRowModel: createSortedRowModel() });
const ROW_PX = 52;

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });
const compare = (a: string | number, b: string | number) =>
  typeof a === "number" && typeof b === "number" ? a - b : collator.compare(String(a), String(b));

/**
 * Thousands of rows that can be searched, filtered, sorted and selected, by mouse and keys. Search, facets, order and
 * the open row are in the address. Only the rows in view are in the page.
 */
export function DataTable<Row extends RowData>(props: DataTableProps<Row>) {
  const { label, rows, columns, rowKey, rowName, searchText, facets = [], defaultSort, selectionActions } = props;
  const { t } = useTranslation();
  const [search, setSearch] = usePageSearch();
  const [selected, setSelected] = useState<RowSelectionState>({});
  const [active, setActive] = useState(0);
  const body = useRef<HTMLTableSectionElement>(null);
  const searchField = useRef<HTMLInputElement>(null);
  const sort = search.sort ?? defaultSort;

  const found = useMemo(() => {
    const words = (search.q ?? "").toLowerCase().split(/\s+/).filter(Boolean);
    const chosen = facets.flatMap((facet) => {
      const values = search[facet.id]?.split(",").filter(Boolean) ?? [];
      return values.length > 0 ? [{ facet, values: new Set(values) }] : [];
    });
    if (words.length === 0 && chosen.length === 0) return rows;
    return rows.filter((row) => {
      if (!chosen.every(({ facet, values }) => facet.valuesOf(row).some((value) => values.has(value)))) return false;
      const text = searchText(row).toLowerCase();
      return words.every((word) => text.includes(word));
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
    enableRowSelection: selectionActions !== undefined,
    state: { sorting, rowSelection: selected },
    onRowSelectionChange: setSelected,
  });
  const sorted = table.getRowModel().rows;
  const tools = useMemo(() => props.tools?.(sorted.map(({ original }) => original)), [props.tools, sorted]);
  const chosenRows = useMemo(() => rows.filter((row) => selected[rowKey(row)]), [rows, selected, rowKey]);
  const deselect = () => setSelected({});

  const [scrollMargin, setScrollMargin] = useState(0);
  // After each rendering: what stands above the rows may have changed its height
  useLayoutEffect(() => {
    const content = scroller();
    if (!body.current || !content) return;
    const top = body.current.getBoundingClientRect().top - content.getBoundingClientRect().top;
    setScrollMargin(Math.round(top + content.scrollTop));
  });
  const virtual = useVirtualizer({
    count: sorted.length,
    getScrollElement: scroller,
    estimateSize: () => ROW_PX,
    overscan: 8,
    scrollMargin,
    getItemKey: (index) => sorted[index]?.id ?? index,
  });
  const items = virtual.getVirtualItems();
  const above = (items[0]?.start ?? scrollMargin) - scrollMargin;
  const below = virtual.getTotalSize() - ((items.at(-1)?.end ?? scrollMargin) - scrollMargin);

  const open = props.onOpen ?? ((row: Row) => setSearch({ open: rowKey(row) }));
  const move = (to: number) => {
    const index = Math.max(0, Math.min(sorted.length - 1, to));
    setActive(index);
    virtual.scrollToIndex(index);
    requestAnimationFrame(() => body.current?.querySelector<HTMLElement>(`[data-index="${index}"]`)?.focus());
  };

  const onRowKey = (event: KeyboardEvent, index: number, row: Row) => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    const keys: Record<string, () => void> = {
      j: () => move(index + 1),
      ArrowDown: () => move(index + 1),
      k: () => move(index - 1),
      ArrowUp: () => move(index - 1),
      Home: () => move(0),
      End: () => move(sorted.length - 1),
      Enter: () => open(row),
      e: () => open(row),
      x: () => selectionActions && sorted[index]?.toggleSelected(),
    };
    const action = keys[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  };

  // Scrolling draws the rows that come into view and leaves the others alone, so what they are given stays the same.
  const latest = useRef({ open, onRowKey });
  latest.current = { open, onRowKey };
  const acts = useMemo(
    (): RowActs<Row> => ({
      focus: setActive,
      open: (row) => latest.current.open(row),
      key: (event, index, row) => latest.current.onRowKey(event, index, row),
      toggle: (id) => setSelected(({ [id]: was, ...others }) => (was ? others : { ...others, [id]: true })),
    }),
    [],
  );

  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.key !== "/" && event.key !== "j") return;
      if (event.ctrlKey || event.metaKey || isTyping(event.target) || document.querySelector("[aria-modal=true]"))
        return;
      event.preventDefault();
      if (event.key === "/") searchField.current?.focus();
      else if (!body.current?.contains(document.activeElement)) move(active);
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  });

  // Where the server filters, no rows may also mean that none fits.
  const isFiltered = Boolean(search.q) || facets.some(({ id }) => search[id]);
  if (rows.length === 0 && !isFiltered) return props.empty;

  const tracks = (size: "small" | "medium" | "large") =>
    [
      ...(selectionActions ? ["2.25rem"] : []),
      ...columns.filter(({ from }) => isShown(from, size)).map(({ width }) => width),
    ].join(" ");
  const style = {
    "--columns-small": tracks("small"),
    "--columns-medium": tracks("medium"),
    "--columns-large": tracks("large"),
  } as React.CSSProperties;
  const isAll = sorted.length > 0 && sorted.every((row) => selected[row.id]);

  return (
    <div className={classes.frame} style={style}>
      <div className={classes.tools}>
        <TextInput
          ref={searchField}
          className={classes.search}
          size="sm"
          type="search"
          leftSection={<Search size="1rem" aria-hidden="true" />}
          placeholder={t("table.search")}
          aria-label={t("table.searchIn", { title: label })}
          aria-keyshortcuts="/"
          value={search.q ?? ""}
          onChange={(event) => setSearch({ q: event.currentTarget.value })}
          onKeyDown={(event) => {
            if (event.key === "ArrowDown" || event.key === "Enter") move(0);
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
      {chosenRows.length > 0 && selectionActions && (
        <div
          className={classes.selection}
          role="toolbar"
          aria-label={t("table.selected", { count: chosenRows.length })}
        >
          <span>{t("table.selected", { count: chosenRows.length })}</span>
          {selectionActions(chosenRows, deselect)}
          <button type="button" className={classes.deselect} onClick={deselect}>
            {t("table.deselect")}
          </button>
        </div>
      )}
      <table className={classes.table} aria-label={label} aria-rowcount={sorted.length + 1}>
        <thead>
          <tr className={classes.head} aria-rowindex={1}>
            {selectionActions && (
              <th scope="col">
                <Checkbox
                  size="xs"
                  aria-label={t("table.selectAll")}
                  checked={isAll}
                  indeterminate={!isAll && chosenRows.length > 0}
                  onChange={() => table.toggleAllRowsSelected(!isAll)}
                />
              </th>
            )}
            {columns.map((column) => (
              <HeaderCell key={column.id} column={column} sort={sort} onSort={(next) => setSearch({ sort: next })} />
            ))}
          </tr>
        </thead>
        <tbody ref={body} style={{ paddingBlockStart: above, paddingBlockEnd: below }}>
          {items.map(({ index }) => {
            const row = sorted[index];
            if (!row) return null;
            return (
              <DataRow
                key={row.id}
                id={row.id}
                row={row.original}
                index={index}
                name={rowName(row.original)}
                columns={columns}
                isSelectable={selectionActions !== undefined}
                isSelected={row.getIsSelected()}
                isOpen={search.open === row.id}
                isActive={index === Math.min(active, sorted.length - 1)}
                measure={virtual.measureElement}
                acts={acts}
              />
            );
          })}
        </tbody>
      </table>
      {found.length === 0 && (
        <EmptyState
          title={t("table.none")}
          action={
            <button
              type="button"
              className={classes.deselect}
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

interface RowActs<Row> {
  focus(index: number): void;
  open(row: Row): void;
  key(event: KeyboardEvent, index: number, row: Row): void;
  toggle(id: string): void;
}

interface DataRowProps<Row> {
  id: string;
  row: Row;
  index: number;
  name: string;
  columns: readonly DataColumn<Row>[];
  isSelectable: boolean;
  isSelected: boolean;
  isOpen: boolean;
  /** Whether it is the row that Tab reaches. */
  isActive: boolean;
  measure: (element: HTMLElement | null) => void;
  acts: RowActs<Row>;
}

const DataRow = memo(function DataRow<Row>(props: DataRowProps<Row>) {
  const { id, row, index, name, columns, isSelectable, isSelected, isOpen, isActive, measure, acts } = props;
  const { t } = useTranslation();
  return (
    <tr
      className={classes.row}
      aria-rowindex={index + 2}
      {...(isSelectable && { "aria-selected": isSelected })}
      aria-label={name}
      data-index={index}
      data-open={isOpen}
      ref={measure}
      tabIndex={isActive ? 0 : -1}
      onFocus={() => acts.focus(index)}
      onKeyDown={(event) => acts.key(event, index, row)}
      onClick={(event) => {
        if (!isControl(event.target)) acts.open(row);
      }}
    >
      {isSelectable && (
        <td>
          <Checkbox
            size="xs"
            tabIndex={-1}
            aria-label={t("table.select", { name })}
            checked={isSelected}
            onChange={() => acts.toggle(id)}
          />
        </td>
      )}
      {columns.map((column) => (
        <td key={column.id} className={classes.cell} data-from={column.from}>
          {column.cell(row)}
        </td>
      ))}
    </tr>
  );
}) as <Row>(props: DataRowProps<Row>) => ReactNode;

interface HeaderCellProps<Row> {
  column: DataColumn<Row>;
  sort: string;
  onSort(sort: string): void;
}

function HeaderCell<Row>({ column: { id, header, sortBy, from }, sort, onSort }: HeaderCellProps<Row>) {
  const direction = sort === id ? "ascending" : sort === `-${id}` ? "descending" : undefined;
  return (
    <th scope="col" data-from={from} {...(sortBy && { "aria-sort": direction ?? "none" })}>
      {sortBy ? (
        <button
          type="button"
          className={classes.sort}
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

/** The shell's content scrolls, not the page. */
const scroller = () => document.getElementById("content");

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.matches("input, textarea, select, [contenteditable=true]");

const isControl = (target: EventTarget) =>
  target instanceof Element && target.closest("a, button, input, label") !== null;
