import type { Person, presenceOf } from "../model/selectors.ts";
import { Presence } from "../parts/Presence.tsx";
import { useOpenCard } from "./open-card.ts";
import classes from "./People.module.css";
import { StatusEmoji } from "./StatusEmoji.tsx";

export interface PersonRowProps {
  person: Person;
  presence: ReturnType<typeof presenceOf>;
}

/** A row of a list of people. Opens the person's card. */
export function PersonRow({ person, presence }: PersonRowProps) {
  const open = useOpenCard();
  return (
    <button
      type="button"
      className={classes.row}
      onClick={() => open({ kind: "person", userId: person.user_id })}
      data-presence={presence}
    >
      <span className={classes.rowPicture}>
        <img src={person.avatar_url} alt="" width={28} height={28} loading="lazy" />
        {!person.is_bot && (
          <span className={classes.rowDot}>
            <Presence presence={presence} />
          </span>
        )}
      </span>
      <span className={classes.rowName}>
        <bdi>{person.full_name}</bdi>
      </span>
      <StatusEmoji userId={person.user_id} />
    </button>
  );
}
