import { Box, Button, Group, TextInput } from "@mantine/core";
import { ArrowLeft } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Desktop, DesktopSettings } from "../../../../main/bridge-types.ts";
import { Refusal } from "../../../api/client.ts";
import { useClient } from "../../../api/client-context.ts";
import { askSession, type Session } from "../../../api/session.ts";
import { AuthLayout } from "../../../parts/AuthLayout.tsx";
import { Form } from "../../../parts/Form.tsx";
import { LiveRegion } from "../../../parts/LiveRegion.tsx";
import { NewPasswordField } from "../../../parts/NewPasswordField.tsx";
import { useSubmit } from "../../../parts/use-submit.ts";
import { DataFolder } from "./DataFolder.tsx";
import classes from "./NewOrganization.module.css";
import { SetupCodeField } from "./SetupCodeField.tsx";
import { StartAtLogin, saveStartAtLogin } from "./StartAtLogin.tsx";
import { clearSetupCode, rememberSetupCode } from "./setup-code.ts";
import { WhoMayConnect } from "./WhoMayConnect.tsx";

export interface NewOrganizationProps {
  session: Session;
  desktop: Desktop | undefined;
  onSession(session: Session): void;
  onBack(): void;
  onRestore(): void;
}

const FIELDS = ["code", "organization", "owner_name", "owner_email", "password", "lan", "startAtLogin"] as const;

export function NewOrganization({ session, desktop, onSession, onBack, onRestore }: NewOrganizationProps) {
  const { t } = useTranslation();
  const client = useClient();
  const [code] = useState(rememberSetupCode);
  const [settings, setSettings] = useState<DesktopSettings>();
  const [name, setName] = useState("");
  const [step, setStep] = useState<"creating" | "openingNetwork" | "almost">();
  const owner = useRef<HTMLDivElement>(null);

  useEffect(() => {
    // Keeps the code out of the address bar and the history.
    if (window.location.hash) window.history.replaceState(null, "", window.location.pathname);
    void desktop?.settings().then(setSettings);
  }, [desktop]);

  const submission = useSubmit({
    fields: FIELDS,
    check: (values) =>
      Object.fromEntries(
        (["code", "organization", "owner_name", "owner_email", "password"] as const)
          .filter((field) => !values[field].trim() && (field !== "code" || session.code_needed))
          .map((field) => [field, t(`errors.missing.${field}`)]),
      ),
    async send({ code: enteredCode, lan, startAtLogin, password, ...rest }) {
      setStep("creating");
      try {
        const input = { organization: rest.organization, owner_name: rest.owner_name, owner_email: rest.owner_email };
        const proof = session.code_needed ? { code: enteredCode.trim() } : {};
        await client.call("POST /host/setup", { ...input, ...proof, password }).catch((error: unknown) => {
          // Another window has created the organization.
          if (!(error instanceof Refusal && error.code === "ALREADY_SET_UP")) throw error;
        });
        clearSetupCode();
        if (desktop && settings && settings.lan !== (lan === "true")) {
          setStep("openingNetwork");
          // The organization exists by now. If this fails, Overview shows it and offers the same switch.
          await desktop.setNetwork({ lan: lan === "true" }).catch(() => {});
        }
        await saveStartAtLogin(desktop, startAtLogin);
        setStep("almost");
        onSession(await askSession({ client, accepts: ({ setup }) => !setup }));
      } finally {
        setStep(undefined);
      }
    },
  });

  const { errors, busy } = submission;
  const userInputs = () => [name, ...[...(owner.current?.querySelectorAll("input") ?? [])].map(({ value }) => value)];
  return (
    <AuthLayout title={t("firstRun.title")} lead={t("firstRun.lead")}>
      <Form submission={submission}>
        {session.code_needed && <SetupCodeField code={code} error={errors.code} autoFocus={!code} />}
        <TextInput
          name="organization"
          label={t("firstRun.organization")}
          description={t("firstRun.organizationHint")}
          autoComplete="organization"
          error={errors.organization}
          autoFocus={!session.code_needed || Boolean(code)}
          onChange={(event) => setName(event.currentTarget.value.trim())}
        />
        <Box
          ref={owner}
          display="grid"
          style={{
            gap: "var(--mantine-spacing-md)",
            gridTemplateColumns: "repeat(auto-fit, minmax(min(100%, 13rem), 1fr))",
          }}
        >
          <TextInput
            name="owner_name"
            label={t("firstRun.owner_name")}
            description={t("firstRun.owner_nameHint")}
            autoComplete="name"
            error={errors.owner_name}
          />
          <TextInput
            name="owner_email"
            type="email"
            label={t("firstRun.owner_email")}
            description={t("firstRun.owner_emailHint")}
            autoComplete="username"
            error={errors.owner_email}
          />
        </Box>
        <NewPasswordField
          name="password"
          label={t("password.label")}
          hint={t("password.hint")}
          error={errors.password}
          userInputs={userInputs}
        />
        {desktop && settings && <WhoMayConnect port={settings.port} />}
        {desktop && settings && <DataFolder {...{ desktop, settings }} disabled={busy} onSettings={setSettings} />}
        {desktop && <StartAtLogin />}
        <Group gap="sm" wrap="wrap-reverse" className={classes.actions}>
          {desktop && (
            <Button
              variant="subtle"
              size="lg"
              color="gray"
              onClick={onBack}
              disabled={busy}
              leftSection={<ArrowLeft size="1.125rem" aria-hidden="true" />}
            >
              {t("firstRun.back")}
            </Button>
          )}
          <Button type="submit" size="lg" flex="1 1 16rem" miw={0} aria-disabled={busy}>
            {step ? t(`firstRun.${step}`) : name ? t("firstRun.create", { name }) : t("firstRun.createUnnamed")}
          </Button>
        </Group>
        {!desktop && (
          <Button variant="subtle" color="gray" style={{ order: 3 }} onClick={onRestore} disabled={busy}>
            {t("restore.instead")}
          </Button>
        )}
        <LiveRegion>{step && t(`firstRun.${step}`)}</LiveRegion>
      </Form>
    </AuthLayout>
  );
}
