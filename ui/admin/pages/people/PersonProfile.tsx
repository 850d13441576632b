import { Stack } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useClient } from "../../../api/client-context.ts";
import { useStore } from "../../../api/store.ts";
import { RelativeTime } from "../../../parts/RelativeTime.tsx";
import { ProfileFieldSetting } from "../../../parts/settings/ProfileFieldSetting.tsx";
import { OWNER, type Role, roleHint, roleName } from "../../../parts/settings/roles.ts";
import { ChoiceSetting, TextSetting } from "../../../parts/settings/settings.tsx";
import { Fact, Facts } from "../../../parts/text/Facts.tsx";
import { useAdmin, useOrganization } from "../../admin-context.ts";
import { type Person, rolesToGive, useRights } from "./use-people.ts";

export interface PersonProfileProps {
  person: Person;
  isChangeable: boolean;
}

export function PersonProfile({ person, isChangeable }: PersonProfileProps) {
  const { t } = useTranslation();
  const client = useClient();
  const rights = useRights();
  const fields = useOrganization(({ custom_profile_fields }) => custom_profile_fields) ?? [];
  const { id: user_id, name, email, user } = person;
  const role = user.role as Role;
  const roles = rolesToGive(rights);
  return (
    <Stack gap="md">
      <TextSetting
        label={t("people.name")}
        value={name}
        disabled={!isChangeable}
        save={(full_name) => client.call("PATCH /users/{user_id}", { user_id, full_name })}
      />
      <TextSetting
        label={t("people.email")}
        help={t(email || isChangeable ? "people.emailHint" : "people.emailHidden")}
        type="email"
        value={email}
        disabled={!isChangeable}
        save={(new_email) => client.call("PATCH /users/{user_id}", { user_id, new_email })}
      />
      <ChoiceSetting
        label={t("people.role")}
        help={roleHint(role, t)}
        value={role}
        choices={(roles.includes(role) ? roles : [...roles, role]).map((value) => ({
          value,
          label: roleName(value, t),
        }))}
        disabled={!isChangeable}
        ask={(next) =>
          next === OWNER
            ? { title: t("people.makeOwner", { name }), consequences: t("people.makeOwnerHint") }
            : undefined
        }
        save={(next) => client.call("PATCH /users/{user_id}", { user_id, role: next })}
      />
      {fields.map((field) => (
        <ProfileFieldSetting
          key={field.id}
          field={field}
          help={field.hint}
          disabled={!isChangeable}
          value={user.profile_data?.[field.id]?.value ?? ""}
          none={t("people.notSet")}
          save={(value) =>
            client.call("PATCH /users/{user_id}", {
              user_id,
              profile_data: [{ id: field.id, value: value as string | number[] | null }],
            })
          }
        />
      ))}
      <PersonTimes person={person} />
    </Stack>
  );
}

/** The table shows these times only on wide screens. */
function PersonTimes({ person: { user, lastSeen } }: { person: Person }) {
  const { t } = useTranslation();
  const { server } = useAdmin();
  const clockAhead = useStore(server.followed, (followed) => followed.clockAhead);
  return (
    <Facts>
      <Fact label={t("people.lastSeen")}>
        {lastSeen ? <RelativeTime at={lastSeen} clockAhead={clockAhead} /> : t("people.neverSeen")}
      </Fact>
      <Fact label={t("people.joined")}>
        <RelativeTime at={Date.parse(user.date_joined)} clockAhead={clockAhead} />
      </Fact>
    </Facts>
  );
}
