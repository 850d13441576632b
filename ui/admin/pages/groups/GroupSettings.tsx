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
import { noticeDone, noticeError } from "../../../parts/settings/notices.tsx";
import { TextSetting } from "../../../parts/settings/settings.tsx";
import { useOrganization } from "../../admin-context.ts";
import classes from "../../parts/details.module.css";
import { GroupUses } from "./GroupUses.tsx";
import { useMayManageGroup } from "./use-groups.ts";

/** Where the group is used, if that is why the server did not deactivate it. */
const usesIn = (error: unknown): readonly Objection[] | undefined =>
  error instanceof Refusal && error.code === "CANNOT_DEACTIVATE_GROUP_IN_USE"
    ? (error.data["objections"] as readonly Objection[])
    : undefined;

/** A group's name and description, who may do what with it, and whether it is in use. */
export function GroupSettings({ group }: { group: WireUserGroup }) {
  const { t } = useTranslation();
  const client = useClient();
  const mayManage = useMayManageGroup(group);
  const members = useOrganization(({ realm_user_groups }) => membersInEffect(realm_user_groups ?? [], group.id).size);
  const supported = useOrganization((state) => state.server_supported_permission_settings?.group);
  const [isAsking, setAsking] = useState(false);
  const [uses, setUses] = useState<readonly Objection[]>();
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
              <Button onClick={reactivate}>{t("groups.reactivate", { name })}</Button>
            ) : (
              <Button
                variant="outline"
                color="red"
                onClick={() => {
                  setUses(undefined);
                  setAsking(true);
                }}
              >
                {t("groups.deactivate", { name })}
              </Button>
            )}
          </div>
          {uses && !group.deactivated && <GroupUses objections={uses} />}
        </section>
      )}
      {isAsking && (
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
