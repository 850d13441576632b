import { Stack, Tabs, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Dialog } from "../../../parts/Dialog.tsx";
import { Fact, Facts } from "../../../parts/text/Facts.tsx";
import { CodeBlock } from "../../parts/CodeBlock.tsx";
import { NODE_VERIFIER, PYTHON_VERIFIER, SIGNATURE_HEADERS } from "./verifiers.ts";

const VERIFIERS = { node: NODE_VERIFIER, python: PYTHON_VERIFIER } as const;
const LANGUAGES = ["node", "python"] as const;

/** Explains how a receiver verifies that this server sent a delivery. */
export function SignatureHelp({ onClose }: { onClose(): void }) {
  const { t } = useTranslation();
  return (
    <Dialog title={t("webhooks.help.title")} size="46rem" onClose={onClose}>
      <Stack gap="md">
        <Text>{t("webhooks.help.lead")}</Text>
        <Facts labelWidth="12rem">
          {SIGNATURE_HEADERS.map(([header, text]) => (
            <Fact key={header} label={<code>{header}</code>}>
              {t(`webhooks.help.${text}`)}
            </Fact>
          ))}
        </Facts>
        <Text>{t("webhooks.help.secret")}</Text>
        <Tabs defaultValue="node" keepMounted={false}>
          <Tabs.List>
            {LANGUAGES.map((language) => (
              <Tabs.Tab key={language} value={language}>
                {t(`webhooks.help.${language}`)}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {LANGUAGES.map((language) => (
            <Tabs.Panel key={language} value={language} pt="md">
              <CodeBlock label={t(`webhooks.help.${language}`)}>{VERIFIERS[language]}</CodeBlock>
            </Tabs.Panel>
          ))}
        </Tabs>
      </Stack>
    </Dialog>
  );
}
