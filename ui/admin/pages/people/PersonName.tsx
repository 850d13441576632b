import { Badge } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { RowPicture } from "../../parts/RowPicture.tsx";
import classes from "./PeoplePage.module.css";
import { type Person, statusText } from "./use-people.ts";

export function PersonName({ person: { user, name } }: { person: Person }) {
  const { t } = useTranslation();
  return (
    <span className={classes.person} data-deactivated={!user.is_active}>
      <RowPicture src={user.avatar_url} />
      <span className={classes.name}>
        <bdi title={name}>{name}</bdi>
        {!user.is_active && (
          <Badge size="sm" variant="light" color="gray" tt="none">
            {statusText({ user }, t)}
          </Badge>
        )}
      </span>
    </span>
  );
}
