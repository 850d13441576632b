import { CopyButton } from "../../parts/CopyButton.tsx";
import classes from "./CodeBlock.module.css";

export interface CodeBlockProps {
  /** What it is, for screen readers. */
  label: string;
  children: string;
  /** What is copied, where it differs from what is shown. */
  copied?: string;
  canCopy?: boolean;
}

/** Several lines of code or of a request, as they are. Long ones scroll. */
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
