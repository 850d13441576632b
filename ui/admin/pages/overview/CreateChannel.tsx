import { Button, Group, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useClient } from "../../../api/client-context.ts";
import type { State } from "../../../api/state-shape.ts";
import { BusyButton } from "../../../parts/BusyButton.tsx";
import { Dialog } from "../../../parts/Dialog.tsx";
import { Form } from "../../../parts/Form.tsx";
import { useSubmit } from "../../../parts/use-submit.ts";

export interface CreateChannelProps {
  /** Holds the existing channels. */
  organizationState: State | undefined;
  onClose(): void;
  onCreated(name: string): void;
}

export function CreateChannel({ organizationState, onClose, onCreated }: CreateChannelProps) {
  const { t } = useTranslation();
  const client = useClient();
  const [name, setName] = useState("");
  const isTaken = (newName: string) =>
    organizationState?.streams?.some((channel) => channel.name.toLowerCase() === newName.toLowerCase()) ?? false;
  const submission = useSubmit({
    fields: ["name", "description"],
    check: ({ name }) => {
      const newName = name.trim();
      if (!newName) return { name: t("errors.missing.name") };
      // The server would subscribe the user to the existing channel instead.
      return isTaken(newName) ? { name: t("createChannel.exists", { name: newName }) } : {};
    },
    async send({ name, description }, signal) {
      const subscriptions = [{ name: name.trim(), description }];
      await client.call("POST /users/me/subscriptions", { subscriptions }, signal);
      onCreated(name.trim());
    },
  });
  const { errors, busy } = submission;
  return (
    <Dialog title={t("createChannel.title")} isForm onClose={onClose}>
      <Form submission={submission}>
        <TextInput
          name="name"
          label={t("createChannel.name")}
          description={t("createChannel.nameHint")}
          autoComplete="off"
          error={errors.name}
          onChange={(event) => setName(event.currentTarget.value.trim())}
          data-autofocus
        />
        <TextInput
          name="description"
          label={t("createChannel.description")}
          placeholder={t("createChannel.optional")}
          autoComplete="off"
          error={errors.description}
        />
        <Group justify="end">
          <Button variant="default" onClick={onClose}>
            {t("createChannel.cancel")}
          </Button>
          <BusyButton type="submit" busy={busy} maw="100%">
            {name ? t("createChannel.submit", { name }) : t("createChannel.submitUnnamed")}
          </BusyButton>
        </Group>
      </Form>
    </Dialog>
  );
}
