import { Button, Group, TextInput } from "@mantine/core";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useClient } from "../../../api/client-context.ts";
import { AskingDialog, FormButtons } from "../../../parts/AskingDialog.tsx";
import { BusyButton } from "../../../parts/BusyButton.tsx";
import { Form } from "../../../parts/Form.tsx";
import { NewPasswordField } from "../../../parts/NewPasswordField.tsx";
import { MEMBER, roleHint } from "../../../parts/settings/roles.ts";
import { useSubmit } from "../../../parts/use-submit.ts";
import { useOrganization } from "../../admin-context.ts";
import { GrantFields, type Grants, getsDefaults } from "../../parts/GrantFields.tsx";
import { rolesToGive, useRights } from "./use-people.ts";

export interface AddPersonProps {
  onClose(): void;
  onAdded(name: string): void;
}

export function AddPerson({ onClose, onAdded }: AddPersonProps) {
  const { t } = useTranslation();
  const client = useClient();
  const [name, setName] = useState("");
  const email = useRef<HTMLInputElement>(null);
  const rights = useRights();
  const defaultIds = useOrganization(({ realm_default_streams }) => realm_default_streams);
  const [grants, setGrants] = useState<Grants>({ invite_as: MEMBER, defaults: true, stream_ids: [], group_ids: [] });
  const submission = useSubmit({
    fields: ["full_name", "email", "password", "invite_as", "stream_ids", "group_ids"],
    check: ({ full_name, email, password }) => ({
      ...(!full_name.trim() && { full_name: t("errors.missing.full_name") }),
      ...(!email.trim() && { email: t("errors.missing.email") }),
      ...(!password && { password: t("errors.missing.newPassword") }),
    }),
    async send({ full_name, email, password }, signal) {
      const { invite_as, stream_ids, group_ids } = grants;
      const defaults = getsDefaults(grants) ? (defaultIds ?? []) : [];
      const chosen = { invite_as, stream_ids: [...new Set([...defaults, ...stream_ids])], group_ids };
      await client.call("POST /users", { full_name, email, password, ...chosen }, signal);
      onAdded(full_name.trim());
    },
  });
  const { errors, busy } = submission;
  return (
    <AskingDialog title={t("addPerson.title")} onClose={onClose}>
      {(leave) => (
        <Form submission={submission}>
          <TextInput
            name="full_name"
            label={t("addPerson.full_name")}
            autoComplete="off"
            error={errors.full_name}
            onChange={(event) => setName(event.currentTarget.value.trim())}
            data-autofocus
          />
          <TextInput
            ref={email}
            name="email"
            type="email"
            label={t("addPerson.email")}
            description={t("addPerson.emailHint")}
            autoComplete="off"
            error={errors.email}
          />
          <NewPasswordField
            name="password"
            label={t("addPerson.password")}
            hint={t("addPerson.passwordHint")}
            error={errors.password}
            userInputs={() => [name, email.current?.value ?? ""]}
          />
          <GrantFields
            value={grants}
            onChange={(changed) => setGrants((before) => ({ ...before, ...changed }))}
            roles={rolesToGive(rights)}
            roleHint={roleHint(grants.invite_as, t)}
            errors={errors}
          />
          <Group justify="end" data-form-end>
            <FormButtons>
              <Button variant="default" onClick={leave}>
                {t("addPerson.cancel")}
              </Button>
              <BusyButton type="submit" busy={busy} maw="100%">
                {name ? t("addPerson.submit", { name }) : t("addPerson.submitUnnamed")}
              </BusyButton>
            </FormButtons>
          </Group>
        </Form>
      )}
    </AskingDialog>
  );
}
