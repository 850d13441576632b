import { Button, NativeSelect } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useChat, useChatState } from "../chat-context.ts";
import { FIELD, optionsOf, type ProfileField } from "../model/people.ts";
import { personById } from "../model/selectors.ts";
import { useOpenCard } from "../people/open-card.ts";
import { PicturePicker } from "./PicturePicker.tsx";
import { SavingNote } from "./SavingNote.tsx";
import classes from "./Settings.module.css";
import { TextSetting } from "./TextSetting.tsx";
import { useSaveSettings, useSaving } from "./use-saving.ts";

/** How others see one: picture, name, status and profile fields. */
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
  const name = useChatState(({ full_name }) => full_name ?? "");
  const isFixed = useChatState((state) => state.realm_name_changes_disabled === true && state.is_admin !== true);
  const [saving, save] = useSaveSettings();
  return (
    <TextSetting
      label={t("ownSettings.profile.fullName")}
      hint={t(isFixed ? "ownSettings.profile.nameFixed" : "ownSettings.profile.nameHint")}
      value={name}
      isFixed={isFixed}
      onSave={(full_name) => save({ full_name })}
      note={<SavingNote saving={saving} />}
    />
  );
}

const INPUT_TYPES: Readonly<Record<number, "date" | "url">> = { [FIELD.date]: "date", [FIELD.link]: "url" };

function Field({ field }: { field: ProfileField }) {
  const { t } = useTranslation();
  const { chat } = useChat();
  const value = useChatState((state) => personById(state, chat.userId)?.profile_data?.[field.id]?.value ?? "");
  const isAdmin = useChatState(({ is_admin }) => is_admin === true);
  const [saving, save] = useSaving();
  const isFixed = !field.editable_by_user && !isAdmin;
  const store = (text: string | number[]) =>
    save(() =>
      text.length === 0
        ? chat.client.call("DELETE /users/me/profile_data", { data: [field.id] })
        : chat.client.call("PATCH /users/me/profile_data", { data: [{ id: field.id, value: text }] }),
    );
  const hint = isFixed ? t("ownSettings.profile.fieldFixed") : field.hint;
  if (field.type === FIELD.people)
    return <PeopleField field={field} hint={hint} value={value} isFixed={isFixed} onSave={store} saving={saving} />;
  if (field.type === FIELD.select)
    return (
      <div className={classes.row}>
        <NativeSelect
          label={field.name}
          description={hint}
          value={value}
          disabled={isFixed}
          onChange={(event) => void store(event.currentTarget.value)}
          data={[{ value: "", label: t("ownSettings.profile.nothing") }, ...optionsOf(field)]}
        />
        <SavingNote saving={saving} />
      </div>
    );
  return (
    <TextSetting
      label={field.name}
      hint={hint}
      value={value}
      isFixed={isFixed}
      isLong={field.type === FIELD.longText}
      type={INPUT_TYPES[field.type] ?? "text"}
      onSave={store}
      note={<SavingNote saving={saving} />}
    />
  );
}

interface PeopleFieldProps {
  field: ProfileField;
  hint: string;
  /** JSON. */
  value: string;
  isFixed: boolean;
  onSave(userIds: number[]): Promise<boolean>;
  saving: ReturnType<typeof useSaving>[0];
}

/** People are chosen one by one from a list of those that are left; a click on a name takes it away. */
function PeopleField({ field, hint, value, isFixed, onSave, saving }: PeopleFieldProps) {
  const { t } = useTranslation();
  const state = useChatState((all) => all);
  const chosen = value === "" ? [] : (JSON.parse(value) as number[]);
  const others = (state.realm_users ?? []).filter(({ user_id, is_bot }) => !is_bot && !chosen.includes(user_id));
  return (
    <div className={classes.row}>
      <NativeSelect
        label={field.name}
        description={hint}
        value=""
        disabled={isFixed}
        onChange={(event) => void onSave([...chosen, Number(event.currentTarget.value)])}
        data={[
          { value: "", label: t("ownSettings.profile.addPerson") },
          ...others.map(({ user_id, full_name }) => ({ value: String(user_id), label: full_name })),
        ]}
      />
      <SavingNote saving={saving} />
      <div className={classes.actions}>
        {chosen.map((id) => {
          const name = personById(state, id)?.full_name ?? t("chat.unknownPerson");
          return (
            <Button
              key={id}
              size="compact-sm"
              variant="default"
              disabled={isFixed}
              onClick={() => void onSave(chosen.filter((one) => one !== id))}
              aria-label={t("ownSettings.profile.removePerson", { name })}
            >
              {name} ✕
            </Button>
          );
        })}
      </div>
    </div>
  );
}
