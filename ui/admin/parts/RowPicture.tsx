import { Group } from "@mantine/core";
import { createContext, type ReactNode, useContext, useLayoutEffect, useRef } from "react";
import classes from "./DataTable.module.css";

/** Returns whether the user is scrolling the rows around a cell. */
export const RowsMoveContext = createContext<() => boolean>(() => false);

const STAYED_MS = 200;

/**
 * The picture in a row of a table. A request for a picture costs more than drawing the rest of the row. So a row that
 * scrolled into view loads its picture only after it has stayed there.
 */
export function RowPicture({ src, size = 32 }: { src: string; size?: number }) {
  const rowsMove = useContext(RowsMoveContext);
  const picture = useRef<HTMLImageElement>(null);
  useLayoutEffect(() => {
    const show = () => picture.current?.setAttribute("src", src);
    if (!rowsMove()) {
      show();
      return;
    }
    const timer = setTimeout(show, STAYED_MS);
    return () => clearTimeout(timer);
  }, [src, rowsMove]);
  return <img ref={picture} className={classes.picture} alt="" width={size} height={size} />;
}

/** A cell with a picture, a name and more lines below the name. */
export function NameCell({ picture, name, children }: { picture: ReactNode; name: ReactNode; children?: ReactNode }) {
  return (
    <Group gap="sm" wrap="nowrap" miw={0}>
      {picture}
      <div className={classes.names}>
        <div className={classes.name}>{name}</div>
        {children}
      </div>
    </Group>
  );
}
