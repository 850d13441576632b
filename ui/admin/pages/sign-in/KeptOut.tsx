import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Entrance } from "../../../parts/Entrance.tsx";

export function KeptOut({ name, onSignOut }: { name: string; onSignOut(): void }) {
  const { t } = useTranslation();
  return (
    <Entrance title={t("keptOut.title", { name })} lead={t("keptOut.lead")}>
      <p>{t("keptOut.hint", { address: window.location.origin })}</p>
      <Button variant="default" onClick={onSignOut}>
        {t("keptOut.signOut")}
      </Button>
    </Entrance>
  );
}
