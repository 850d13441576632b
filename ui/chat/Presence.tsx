import { Users } from "lucide-react";
import classes from "./Presence.module.css";

/** A dot: here, away, or gone. Undefined for several people. */
export function Presence({ presence }: { presence: "active" | "idle" | "offline" | undefined }) {
  if (presence === undefined) return <Users size="0.9375rem" aria-hidden="true" />;
  return <span className={classes.dot} data-presence={presence} aria-hidden="true" />;
}
