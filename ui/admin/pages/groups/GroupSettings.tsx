import { Button } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Objection, WireUserGroup } from "../../../../server/api/presenters/user-groups.ts";
import type { UserGroupGroupSettingName } from "../../../../server/api/queries/permission-settings.ts";
import { Refusal } from "../../../api/client.ts";
import { useClient } from "../../../api/client-context.ts";
import { ConfirmDialog } from "../../../parts/settings/ConfirmDialog.tsx";
import { GroupSetting } from "../../../parts/settings/GroupSettingPicker.tsx";
import { membersInEffect } from "../../../parts/settings/group-members.ts";
import { noticeDone } from "../../../parts/settings/notices.tsx";
import { TextSetting } from "../../../parts/settings/settings.tsx";
import { useOrganization } from "../../admin-context.ts";
import classes from "../../parts/details.module.css";
import { useWrite } from "../../use-write.ts";
import { GroupUses } from "./GroupUses.tsx";
import { useMayManageGroup } from "./use-groups.ts";

/** The uses of the group, if the server rejected its deactivation because of them. */
const usesIn = (error: unknown): readonly Objection[] | undefined =>
  error instanceof Refusal && error.code === "CANNOT_DEACTIVATE_GROUP_IN_USE"
    ? (error.data["objections"] as readonly Objection[])
    : undefined;

export function GroupSettings({ group }: { group: WireUserGroup }) {
  const { t } = useTranslation();
  const client = useClient();
  const { mutate: write } = useWrite();
  const mayManage = useMayManageGroup(group);
  const members = useOrganization(({ realm_user_groups }) => membersInEffect(realm_user_groups ?? [], group.id).size);
  const supported = useOrganization((state) => state.server_supported_permission_settings?.group);
  const [isConfirming, setConfirming] = useState(false);
  const [uses, setUses] = useState<readonly Objection[]>();
  const { id: user_group_id, name } = group;

  const reactivate = () => client.call("PATCH /user_groups/{user_group_id}", { user_group_id, deactivated: false });

  return (
    <>
      <section className={classes.section}>
        {!mayManage && <p>{t("groups.readOnly")}</p>}
        <TextSetting
          label={t("groups.name")}
          value={name}
          disabled={!mayManage}
          save={(next) => client.call("PATCH /user_groups/{user_group_id}", { user_group_id, name: next })}
        />
        <TextSetting
          label={t("groups.description")}
          value={group.description}
          disabled={!mayManage}
          multiline
          save={(description) => client.call("PATCH /user_groups/{user_group_id}", { user_group_id, description })}
        />
        {(Object.keys(supported ?? {}) as UserGroupGroupSettingName[]).map((setting) => (
          <GroupSetting
            key={setting}
            label={t(`groups.${setting}`)}
            permission={{ of: "group", name: setting }}
            value={group[setting]}
            disabled={!mayManage}
            save={(next, old) =>
              client.call("PATCH /user_groups/{user_group_id}", { user_group_id, [setting]: { new: next, old } })
            }
          />
        ))}
      </section>
      {mayManage && (
        <section className={classes.section}>
          <h3>{t(group.deactivated ? "groups.reactivateTitle" : "groups.deactivateTitle")}</h3>
          <p>{t(group.deactivated ? "groups.reactivateHint" : "groups.deactivateHint")}</p>
          <div>
            {group.deactivated ? (
              <Button onClick={() => write({ run: reactivate, done: t("groups.reactivated", { name }) })}>
                {t("groups.reactivate", { name })}
              </Button>
            ) : (
              <Button
                variant="outline"
                color="red"
                onClick={() => {
                  setUses(undefined);
                  setConfirming(true);
                }}
              >
                {t("groups.deactivate", { name })}
              </Button>
            )}
          </div>
          {uses && !group.deactivated && <GroupUses objections={uses} />}
        </section>
      )}
      {isConfirming && (
        <ConfirmDialog
          title={t("groups.deactivateQuestion", { name })}
          confirmLabel={t("groups.deactivate", { name })}
          onConfirm={async () => {
            try {
              await client.call("POST /user_groups/{user_group_id}/deactivate", { user_group_id });
            } catch (error) {
              const objections = usesIn(error);
              if (!objections) throw error;
              setUses(objections);
              return;
            }
            noticeDone(t("groups.deactivated", { name }), reactivate);
          }}
          onClose={() => setConfirming(false)}
        >
          {t("groups.deactivateLoss", { count: members })}
        </ConfirmDialog>
      )}
    </>
  );
}
