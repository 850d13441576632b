import { Fragment, useRef } from "react";
import classes from "./CopyableCode.module.css";
import { CopyButton } from "./CopyButton.tsx";

/** A command or a URL, with a button that copies it. */
export function CopyableCode({ children }: { children: string }) {
  const code = useRef<HTMLElement>(null);
  return (
    <div className={classes.block}>
      <code ref={code}>
        {/* A browser also breaks lines within `--option`. */}
        {children.split(" ").map((word, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the words have a fixed order
          <Fragment key={index}>
            {index > 0 && " "}
            <span>{word}</span>
          </Fragment>
        ))}
      </code>
      <CopyButton
        text={children}
        size="xs"
        variant="default"
        onFailed={() => code.current && window.getSelection()?.selectAllChildren(code.current)}
      />
    </div>
  );
}
