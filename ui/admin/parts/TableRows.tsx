import type { RowSelectionState } from "@tanstack/react-table";
import { useVirtualizer } from "@tanstack/react-virtual";
import {
  type KeyboardEvent,
  memo,
  type ReactNode,
  type RefObject,
  useCallback,
  useLayoutEffect,
  useState,
} from "react";
import { useTranslation } from "react-i18next";
import classes from "./DataTable.module.css";
import { RowsMoveContext } from "./RowPicture.tsx";

export interface DataColumn<Row> {
  readonly id: string;
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  /** The sort key. Without it, the column does not sort. */
  readonly sortBy?: (row: Row) => string | number;
  /** A CSS grid track, such as `minmax(8rem, 1fr)`. */
  readonly width: string;
  /** The smallest width of the table that shows the column. Default: always. */
  readonly from?: "medium" | "large";
}

const ROW_PX = 52;

export interface RowActs<Row> {
  focus(index: number): void;
  open(row: Row): void;
  key(event: KeyboardEvent, index: number, row: Row): void;
  toggle(id: string): void;
}

interface TableRowsProps<Row> {
  rows: readonly { readonly id: string; readonly original: Row }[];
  selected: RowSelectionState;
  /** The index of the row that Tab reaches. */
  active: number;
  openId: string | undefined;
  columns: readonly DataColumn<Row>[];
  rowName: (row: Row) => string;
  isSelectable: boolean;
  acts: RowActs<Row>;
  body: RefObject<HTMLTableSectionElement | null>;
  /** Receives a function that scrolls to a row. */
  scrollTo: RefObject<((index: number) => void) | null>;
}

/** The rows in view. Scrolling renders only this component and the rows that come into view. */
export function TableRows<Row>({
  rows,
  selected,
  active,
  openId,
  columns,
  rowName,
  isSelectable,
  acts,
  body,
  scrollTo,
}: TableRowsProps<Row>) {
  const [scrollMargin, setScrollMargin] = useState(0);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: scroller,
    estimateSize: () => ROW_PX,
    overscan: 8,
    scrollMargin,
    getItemKey: (index) => rows[index]?.id ?? index,
  });
  const rowsMove = useCallback(() => virtual.isScrolling, [virtual]);
  // Runs after every render, except while scrolling: the content above the rows can change its height.
  useLayoutEffect(() => {
    scrollTo.current = (index) => virtual.scrollToIndex(index);
    const content = scroller();
    if (virtual.isScrolling || !body.current || !content) return;
    const top = body.current.getBoundingClientRect().top - content.getBoundingClientRect().top;
    setScrollMargin(Math.round(top + content.scrollTop));
  });
  const items = virtual.getVirtualItems();
  const above = (items[0]?.start ?? scrollMargin) - scrollMargin;
  const below = virtual.getTotalSize() - ((items.at(-1)?.end ?? scrollMargin) - scrollMargin);
  return (
    <tbody ref={body} style={{ paddingBlockStart: above, paddingBlockEnd: below }}>
      <RowsMoveContext value={rowsMove}>
        {items.map(({ index }) => {
          const row = rows[index];
          if (!row) return null;
          return (
            <DataRow
              key={row.id}
              id={row.id}
              row={row.original}
              index={index}
              name={rowName(row.original)}
              columns={columns}
              isSelectable={isSelectable}
              isSelected={selected[row.id] === true}
              isOpen={openId === row.id}
              isActive={index === active}
              measure={virtual.measureElement}
              acts={acts}
            />
          );
        })}
      </RowsMoveContext>
    </tbody>
  );
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
          <input
            type="checkbox"
            className={classes.check}
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

const scroller = () => document.getElementById("content");

const isControl = (target: EventTarget) =>
  target instanceof Element && target.closest("a, button, input, label") !== null;
