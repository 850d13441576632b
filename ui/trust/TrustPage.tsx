import { Anchor, Button, Group, Loader, Stack, Tabs, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { AuthLayout } from "../parts/AuthLayout.tsx";
import { Fingerprint } from "../parts/Fingerprint.tsx";
import { PageLoader } from "../parts/PageLoader.tsx";
import { Steps } from "../parts/Steps.tsx";
import { Hint } from "../parts/text/Hint.tsx";
import { Sketch } from "./Sketch.tsx";
import { GUIDES, SYSTEMS, type System, systemOf } from "./systems.ts";
import classes from "./TrustPage.module.css";

export interface TrustPageProps {
  /** The server's HTTPS origin. */
  origin: string;
  fingerprint: string;
  /** The name that devices list the root by. */
  rootName: string;
}

const POLL_MS = 3000;
const TIMEOUT_MS = 8000;

/** Whether this browser connects to the origin without a warning. The response itself stays unread. */
const isTrusted = (origin: string): Promise<boolean> =>
  fetch(`${origin}/generated/loading.png`, {
    mode: "no-cors",
    cache: "no-store",
    credentials: "omit",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).then(
    () => true,
    () => false,
  );

/**
 * Shown over plain HTTP at every URL, until the device trusts the local authority's root. Then it continues to the same
 * URL over HTTPS.
 */
export function TrustPage({ origin, fingerprint, rootName }: TrustPageProps) {
  const { t } = useTranslation();
  const { data: trusted } = useQuery({
    queryKey: ["trusted", origin],
    queryFn: () => isTrusted(origin),
    refetchInterval: POLL_MS,
    refetchOnWindowFocus: "always",
  });
  // With the fragment, which no server receives.
  const { pathname, search, hash } = window.location;
  const destination = `${origin}${pathname}${search}${hash}`;

  useEffect(() => {
    if (trusted) window.location.replace(destination);
  }, [trusted, destination]);

  if (trusted === undefined) return <PageLoader />;
  return (
    <AuthLayout title={t("trust.title")} lead={t("trust.lead")} audience="members">
      <Tabs variant="pills" defaultValue={systemOf(navigator)} keepMounted={false} mt="lg">
        <Tabs.List aria-label={t("trust.device")}>
          {SYSTEMS.map((system) => (
            <Tabs.Tab key={system} value={system} className={classes.tab}>
              {t(`trust.${system}.name`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {SYSTEMS.map((system) => (
          <Tabs.Panel key={system} value={system} pt="md">
            <Guide system={system} rootName={rootName} />
          </Tabs.Panel>
        ))}
      </Tabs>
      <section className={classes.compare} aria-labelledby="compare">
        <Title order={2} size="sm" id="compare">
          {t("trust.compare")}
        </Title>
        <Hint my="xxs">{t("trust.compareHint")}</Hint>
        <Fingerprint>{fingerprint}</Fingerprint>
      </section>
      <Group gap="sm" wrap="nowrap" mt="lg" role="status">
        <Loader size="xs" aria-hidden="true" />
        {t(trusted ? "trust.opening" : "trust.waiting")}
      </Group>
      <Hint mt="xs">{t("trust.reopen")}</Hint>
      <Stack gap="xxs" align="start" mt="lg">
        <Anchor href={destination} underline="always">
          {t("trust.continue")}
        </Anchor>
        <Hint>{t("trust.continueHint")}</Hint>
      </Stack>
    </AuthLayout>
  );
}

/** How to trust the root on one system, with a drawing of each step. */
function Guide({ system, rootName: name }: { system: System; rootName: string }) {
  const { t } = useTranslation();
  const { download, frame, steps } = GUIDES[system];
  return (
    <>
      <Button component="a" href={download.path} download>
        {t(download.label)}
      </Button>
      <Steps>
        {steps.map(({ title, hint, sketch }) => (
          <li key={title}>
            <h2>{t(title)}</h2>
            <p>{t(hint, { name })}</p>
            <Sketch
              frame={frame}
              title={t(sketch.title)}
              rows={sketch.rows.map(({ text, ...row }) => ({ ...row, text: text === "name" ? name : t(text) }))}
            />
          </li>
        ))}
      </Steps>
    </>
  );
}
