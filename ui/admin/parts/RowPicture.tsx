import { createContext, useContext, useLayoutEffect, useRef } from "react";
import classes from "./RowPicture.module.css";

/** Whether the rows around a cell are being scrolled. */
export const RowsMoveContext = createContext<() => boolean>(() => false);

const STAYED_MS = 200;

/**
 * The picture in a row of a table. To ask for a picture costs more than to draw the rest of the row, and thousands fly
 * past who scrolls far, so a row that has come by scrolling asks once it has stayed.
 */
export function RowPicture({ src }: { src: string }) {
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
  return <img ref={picture} className={classes.picture} alt="" width={32} height={32} />;
}
