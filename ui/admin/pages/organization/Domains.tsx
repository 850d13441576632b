import { Button, Checkbox, Group, Stack, Text, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useClient } from "../../../api/client-context.ts";
import { errorMessage } from "../../../parts/error-messages.ts";
import { Hint } from "../../../parts/text/Hint.tsx";
import { PlainList } from "../../../parts/text/PlainList.tsx";
import { useOrganization } from "../../admin-context.ts";
import { IconButton } from "../../parts/IconButton.tsx";
import { useWrite } from "../../use-write.ts";

/** Email domains whose owners can join without an invitation. */
export function Domains({ mayChange }: { mayChange: boolean }) {
  const { t } = useTranslation();
  const client = useClient();
  const { mutate: write } = useWrite();
  const domains = useOrganization(({ realm_domains }) => realm_domains) ?? [];
  const isRestricted = useOrganization(({ realm_emails_restricted_to_domains }) => realm_emails_restricted_to_domains);
  const [domain, setDomain] = useState("");
  const [allowSubdomains, setAllowSubdomains] = useState(false);

  const post = (name: string, allow_subdomains: boolean) =>
    client.call("POST /realm/domains", { domain: name, allow_subdomains });
  const add = useMutation({
    mutationFn: () => post(domain.trim(), allowSubdomains),
    onSuccess: () => setDomain(""),
  });
  const change = (name: string, allow_subdomains: boolean) =>
    write({ run: () => client.call("PATCH /realm/domains/{domain}", { domain: name, allow_subdomains }) });
  const remove = (name: string, allow_subdomains: boolean) =>
    write({
      run: () => client.call("DELETE /realm/domains/{domain}", { domain: name }),
      done: t("organization.domains.remove", { domain: name }),
      undo: () => post(name, allow_subdomains),
    });

  return (
    <Stack gap="xs" py="sm">
      <div>
        <Text component="h4" size="sm" fw={560}>
          {t("organization.domains.title")}
        </Text>
        <Hint size="xs">{isRestricted ? t("organization.domains.hint") : t("organization.domains.hintOff")}</Hint>
        {domains.length === 0 && <Hint size="xs">{t("organization.domains.empty")}</Hint>}
      </div>
      <PlainList>
        {domains.map(({ domain: name, allow_subdomains }) => (
          <Group component="li" key={name} py="xxs">
            <Text component="code" flex="0 1 14rem" style={{ overflowWrap: "anywhere" }}>
              {name}
            </Text>
            <Checkbox
              size="sm"
              label={t("organization.domains.subdomains")}
              checked={allow_subdomains}
              disabled={!mayChange}
              onChange={(event) => change(name, event.currentTarget.checked)}
            />
            {mayChange && (
              <IconButton
                label={t("organization.domains.remove", { domain: name })}
                onClick={() => remove(name, allow_subdomains)}
              >
                <Trash2 size="1rem" aria-hidden="true" />
              </IconButton>
            )}
          </Group>
        ))}
      </PlainList>
      {mayChange && (
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            add.mutate();
          }}
        >
          <Group align="end" gap="xs">
            <TextInput
              size="sm"
              label={t("organization.domains.domain")}
              placeholder={t("organization.domains.placeholder")}
              value={domain}
              error={add.error && errorMessage(add.error)}
              onChange={(event) => setDomain(event.currentTarget.value)}
            />
            <Checkbox
              size="sm"
              label={t("organization.domains.subdomains")}
              checked={allowSubdomains}
              onChange={(event) => setAllowSubdomains(event.currentTarget.checked)}
            />
            <Button type="submit" size="sm" variant="default" disabled={domain.trim() === ""}>
              {t("organization.domains.add")}
            </Button>
          </Group>
        </form>
      )}
    </Stack>
  );
}
