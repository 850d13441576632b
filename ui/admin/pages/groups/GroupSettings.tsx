import { Button } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { WireUserGroup } from "../../../../server/presenters/user-groups.ts";
import { useClient } from "../../../api/client-context.ts";
import { useOrganization } from "../../admin-context.ts";
import { membersInEffect } from "../../model/group-members.ts";
import { ConfirmDialog } from "../../parts/ConfirmDialog.tsx";
import classes from "../../parts/details.module.css";
import { GroupSetting } from "../../parts/GroupSettingPicker.tsx";
import { noticeDone, noticeError } from "../../parts/notices.tsx";
import { TextSetting } from "../../parts/settings.tsx";
import { useMayManageGroup } from "./use-groups.ts";

const SETTINGS = [
  "can_manage_group",
  "can_add_members_group",
  "can_remove_members_group",
  "can_join_group",
  "can_leave_group",
  "can_mention_group",
] as const;

/** A group's name and description, who may do what with it, and whether it is in use. */
export function GroupSettings({ group }: { group: WireUserGroup }) {
  const { t } = useTranslation();
  const client = useClient();
  const mayManage = useMayManageGroup(group);
  const members = useOrganization(({ realm_user_groups }) => membersInEffect(realm_user_groups ?? [], group.id).size);
  const [isAsking, setAsking] = useState(false);
  const { id: user_group_id, name } = group;

  const reactivate = async () => {
    try {
      await client.call("PATCH /user_groups/{user_group_id}", { user_group_id, deactivated: false });
      noticeDone(t("groups.reactivated", { name }));
    } catch (error) {
      noticeError(error);
    }
  };

  return (
    <>
      <section className={classes.section}>
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
        {SETTINGS.map((setting) => (
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
              <Button onClick={reactivate}>{t("groups.reactivate", { name })}</Button>
            ) : (
              <Button variant="outline" color="red" onClick={() => setAsking(true)}>
                {t("groups.deactivate", { name })}
              </Button>
            )}
          </div>
        </section>
      )}
      {isAsking && (
        <ConfirmDialog
          title={t("groups.deactivateQuestion", { name })}
          confirmLabel={t("groups.deactivate", { name })}
          onConfirm={async () => {
            await client.call("POST /user_groups/{user_group_id}/deactivate", { user_group_id });
            noticeDone(t("groups.deactivated", { name }), () =>
              client.call("PATCH /user_groups/{user_group_id}", { user_group_id, deactivated: false }),
            );
          }}
          onClose={() => setAsking(false)}
        >
          {t("groups.deactivateLoss", { count: members })}
        </ConfirmDialog>
      )}
    </>
  );
}
