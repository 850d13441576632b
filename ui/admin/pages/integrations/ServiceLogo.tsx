import type { Integration } from "./integrations.ts";
import classes from "./ServiceLogo.module.css";

/** A service's first letter on its brand colour. The real logo is a trademark. */
export function ServiceLogo({ integration: { display_name, color } }: { integration: Integration }) {
  return (
    <span className={classes.logo} style={{ "--service-color": color } as React.CSSProperties} aria-hidden="true">
      <span className={classes.letter}>{display_name.slice(0, 1)}</span>
    </span>
  );
}
