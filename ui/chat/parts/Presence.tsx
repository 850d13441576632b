import { Bot, Users } from "lucide-react";
import classes from "./Presence.module.css";

/** A dot for a person, an icon for a bot. Undefined means several people. */
export function Presence({ presence }: { presence: "active" | "idle" | "offline" | "bot" | undefined }) {
  if (presence === undefined) return <Users size="0.9375rem" aria-hidden="true" />;
  if (presence === "bot") return <Bot size="0.9375rem" aria-hidden="true" />;
  return <span className={classes.dot} data-presence={presence} aria-hidden="true" />;
}
