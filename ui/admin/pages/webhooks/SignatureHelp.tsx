import { Tabs } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Dialog } from "../../../parts/Dialog.tsx";
import { CodeBlock } from "../../parts/CodeBlock.tsx";
import classes from "./SignatureHelp.module.css";
import { NODE_VERIFIER, PYTHON_VERIFIER, SIGNATURE_HEADERS } from "./verifiers.ts";

const VERIFIERS = { node: NODE_VERIFIER, python: PYTHON_VERIFIER } as const;
const LANGUAGES = ["node", "python"] as const;

/** How a receiver checks that a delivery is from this server. */
export function SignatureHelp({ onClose }: { onClose(): void }) {
  const { t } = useTranslation();
  return (
    <Dialog title={t("webhooks.help.title")} size="46rem" onClose={onClose}>
      <div className={classes.help}>
        <p>{t("webhooks.help.lead")}</p>
        <dl className={classes.headers}>
          {SIGNATURE_HEADERS.map(([header, text]) => (
            <div key={header}>
              <dt>
                <code>{header}</code>
              </dt>
              <dd>{t(`webhooks.help.${text}`)}</dd>
            </div>
          ))}
        </dl>
        <p>{t("webhooks.help.secret")}</p>
        <Tabs defaultValue="node" keepMounted={false}>
          <Tabs.List>
            {LANGUAGES.map((language) => (
              <Tabs.Tab key={language} value={language}>
                {t(`webhooks.help.${language}`)}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {LANGUAGES.map((language) => (
            <Tabs.Panel key={language} value={language} className={classes.code}>
              <CodeBlock label={t(`webhooks.help.${language}`)}>{VERIFIERS[language]}</CodeBlock>
            </Tabs.Panel>
          ))}
        </Tabs>
      </div>
    </Dialog>
  );
}
