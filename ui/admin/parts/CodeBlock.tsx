import { CopyButton } from "../../parts/CopyButton.tsx";
import classes from "./CodeBlock.module.css";

export interface CodeBlockProps {
  /** Its name for screen readers. */
  label: string;
  children: string;
  /** The copied text, if it differs from the shown one. */
  copied?: string;
  canCopy?: boolean;
}

/** Code or a request, with a button that copies it. */
export function CodeBlock({ label, children, copied = children, canCopy = true }: CodeBlockProps) {
  return (
    <div className={classes.block}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is scrolled by keys */}
      <section className={classes.code} tabIndex={0} aria-label={label}>
        <pre>{children}</pre>
      </section>
      {canCopy && (
        <div className={classes.copy}>
          <CopyButton size="xs" variant="default" text={copied} name={label} />
        </div>
      )}
    </div>
  );
}
