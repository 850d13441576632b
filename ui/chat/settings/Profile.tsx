import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { ProfileFieldSetting } from "../../parts/settings/ProfileFieldSetting.tsx";
import { TextSetting } from "../../parts/settings/settings.tsx";
import { useChat, useChatState } from "../chat-context.ts";
import type { ProfileField } from "../model/people.ts";
import { personById } from "../model/selectors.ts";
import { useOpenCard } from "../people/open-card.ts";
import { PicturePicker } from "./PicturePicker.tsx";
import classes from "./Settings.module.css";

export function Profile() {
  const { t } = useTranslation();
  const { chat } = useChat();
  const openCard = useOpenCard();
  const fields = useChatState(({ custom_profile_fields }) => custom_profile_fields);
  return (
    <>
      <section className={classes.group}>
        <h3>{t("ownSettings.profile.picture")}</h3>
        <PicturePicker />
      </section>
      <section className={classes.group}>
        <h3>{t("ownSettings.profile.name")}</h3>
        <Name />
        <div className={classes.actions}>
          <Button size="sm" variant="default" onClick={() => openCard({ kind: "status" })}>
            {t("chatPeople.status.set")}
          </Button>
          <Button size="sm" variant="default" onClick={() => openCard({ kind: "person", userId: chat.userId })}>
            {t("ownSettings.profile.preview")}
          </Button>
        </div>
      </section>
      {fields !== undefined && fields.length > 0 && (
        <section className={classes.group}>
          <h3>{t("ownSettings.profile.about")}</h3>
          {fields.map((field) => (
            <Field key={field.id} field={field} />
          ))}
        </section>
      )}
    </>
  );
}

function Name() {
  const { t } = useTranslation();
  const { chat } = useChat();
  const name = useChatState(({ full_name }) => full_name ?? "");
  const isFixed = useChatState((state) => state.realm_name_changes_disabled === true && state.is_admin !== true);
  return (
    <TextSetting
      label={t("ownSettings.profile.fullName")}
      help={t(isFixed ? "ownSettings.profile.nameFixed" : "ownSettings.profile.nameHint")}
      value={name}
      disabled={isFixed}
      save={(full_name) => chat.client.call("PATCH /settings", { full_name })}
    />
  );
}

function Field({ field }: { field: ProfileField }) {
  const { t } = useTranslation();
  const { chat } = useChat();
  const value = useChatState((state) => personById(state, chat.userId)?.profile_data?.[field.id]?.value ?? "");
  const isAdmin = useChatState(({ is_admin }) => is_admin === true);
  const isFixed = !field.editable_by_user && !isAdmin;
  const { id } = field;
  return (
    <ProfileFieldSetting
      field={field}
      help={isFixed ? t("ownSettings.profile.fieldFixed") : field.hint}
      disabled={isFixed}
      value={value}
      none={t("ownSettings.profile.nothing")}
      save={(next) =>
        next === null
          ? chat.client.call("DELETE /users/me/profile_data", { data: [id] })
          : chat.client.call("PATCH /users/me/profile_data", { data: [{ id, value: next as string | number[] }] })
      }
    />
  );
}
