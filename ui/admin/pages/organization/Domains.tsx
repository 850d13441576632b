import { ActionIcon, Button, Checkbox, TextInput } from "@mantine/core";
import { Trash2 } from "lucide-react";
import { type SubmitEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { useClient } from "../../../api/client-context.ts";
import { errorMessage } from "../../../parts/error-messages.ts";
import { noticeDone, noticeError } from "../../../parts/settings/notices.tsx";
import { useOrganization } from "../../admin-context.ts";
import classes from "./OrganizationPage.module.css";

/** Whose email addresses may join without an invitation. */
export function Domains({ mayChange }: { mayChange: boolean }) {
  const { t } = useTranslation();
  const client = useClient();
  const domains = useOrganization(({ realm_domains }) => realm_domains) ?? [];
  const isRestricted = useOrganization(({ realm_emails_restricted_to_domains }) => realm_emails_restricted_to_domains);
  const [domain, setDomain] = useState("");
  const [allowSubdomains, setAllowSubdomains] = useState(false);
  const [error, setError] = useState<string>();

  const put = (name: string, allow_subdomains: boolean) =>
    client.call("POST /realm/domains", { domain: name, allow_subdomains });
  const add = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setError(undefined);
    try {
      await put(domain.trim(), allowSubdomains);
      setDomain("");
    } catch (refused) {
      setError(errorMessage(refused));
    }
  };
  const change = (name: string, allow_subdomains: boolean) =>
    client.call("PATCH /realm/domains/{domain}", { domain: name, allow_subdomains }).catch(noticeError);
  const remove = (name: string, allow_subdomains: boolean) =>
    client
      .call("DELETE /realm/domains/{domain}", { domain: name })
      .then(
        () => noticeDone(t("organization.domains.remove", { domain: name }), () => put(name, allow_subdomains)),
        noticeError,
      );

  return (
    <div className={classes.domains}>
      <h4>{t("organization.domains.title")}</h4>
      <p>{isRestricted ? t("organization.domains.hint") : t("organization.domains.hintOff")}</p>
      {domains.length === 0 && <p>{t("organization.domains.empty")}</p>}
      <ul>
        {domains.map(({ domain: name, allow_subdomains }) => (
          <li key={name}>
            <code>{name}</code>
            <Checkbox
              size="sm"
              label={t("organization.domains.subdomains")}
              checked={allow_subdomains}
              disabled={!mayChange}
              onChange={(event) => void change(name, event.currentTarget.checked)}
            />
            {mayChange && (
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={t("organization.domains.remove", { domain: name })}
                onClick={() => void remove(name, allow_subdomains)}
              >
                <Trash2 size="1rem" aria-hidden="true" />
              </ActionIcon>
            )}
          </li>
        ))}
      </ul>
      {mayChange && (
        <form onSubmit={add} noValidate>
          <TextInput
            size="sm"
            label={t("organization.domains.domain")}
            placeholder={t("organization.domains.placeholder")}
            value={domain}
            error={error}
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
        </form>
      )}
    </div>
  );
}
