import { Button, Group, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { AskingDialog, FormButtons } from "../../parts/AskingDialog.tsx";
import { BusyButton } from "../../parts/BusyButton.tsx";
import { Form } from "../../parts/Form.tsx";
import { useSubmit } from "../../parts/use-submit.ts";
import { useChat, useDerived } from "../chat-context.ts";
import { type Kind, privacyOf } from "../model/channel-kinds.ts";
import { creatableKinds } from "../model/permissions.ts";
import { channelNamed } from "../model/selectors.ts";
import { ChoosePeople } from "../people/ChoosePeople.tsx";
import classes from "./Channels.module.css";

const OFFERED: readonly Kind[] = ["public", "private", "protected", "web"];

export function NewChannel({ name, onClose }: { name: string | undefined; onClose(): void }) {
  const { t } = useTranslation();
  const { chat, go } = useChat();
  const creatable = useDerived(creatableKinds);
  const kinds = OFFERED.filter((kind) => creatable.includes(kind));
  const [kind, setKind] = useState<Kind>(kinds[0] ?? "public");
  const [people, setPeople] = useState<readonly number[]>([]);
  const submission = useSubmit({
    fields: ["name", "description"],
    check: ({ name }) => {
      if (name.trim() === "") return { name: t("newChannel.nameMissing") };
      // The server would add the people to the existing channel.
      return channelNamed(chat.state.value ?? {}, name) ? { name: t("newChannel.taken") } : {};
    },
    send: async ({ name, description }, signal) => {
      await chat.client.call(
        "POST /users/me/subscriptions",
        {
          subscriptions: [{ name: name.trim(), description: description.trim() }],
          principals: [chat.userId, ...people],
          ...privacyOf(kind),
          announce: true,
        },
        signal,
      );
      const { stream_id } = await chat.client.call("GET /get_stream_id", { stream: name.trim() }, signal);
      go({ page: "messages", narrow: { kind: "channel", channelId: stream_id } }, "topic");
      onClose();
    },
  });
  return (
    <AskingDialog title={t("newChannel.title")} onClose={onClose}>
      {(leave) => (
        <Form submission={submission}>
          <TextInput
            name="name"
            label={t("newChannel.name")}
            description={t("newChannel.nameHint")}
            defaultValue={name ?? ""}
            error={submission.errors.name}
            autoComplete="off"
            data-autofocus
          />
          <Textarea
            name="description"
            label={t("newChannel.description")}
            description={t("newChannel.descriptionHint")}
            error={submission.errors.description}
            rows={2}
          />
          <fieldset className={classes.kinds}>
            <legend>{t("newChannel.kind")}</legend>
            {kinds.map((one) => (
              <label key={one}>
                <input type="radio" name="kind" checked={kind === one} onChange={() => setKind(one)} />
                <span>
                  {t(`channelKinds.names.${one}`)}
                  <span className={classes.hint}>{t(`channelKinds.hints.${one}`)}</span>
                </span>
              </label>
            ))}
          </fieldset>
          <ChoosePeople
            label={t("newChannel.people")}
            value={people}
            exclude={new Set([chat.userId])}
            onChange={setPeople}
          />
          <Group gap="sm" justify="end">
            <FormButtons>
              <Button variant="default" onClick={leave}>
                {t("chat.cancel")}
              </Button>
              <BusyButton type="submit" busy={submission.busy}>
                {t("newChannel.make")}
              </BusyButton>
            </FormButtons>
          </Group>
        </Form>
      )}
    </AskingDialog>
  );
}
