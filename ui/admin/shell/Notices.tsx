import { Notifications } from "@mantine/notifications";
import { useTranslation } from "react-i18next";
import classes from "./Shell.module.css";

/** Where notices appear. Those of before it is loaded wait for it. */
export function Notices() {
  const { t } = useTranslation();
  return (
    <aside aria-label={t("shell.notices")}>
      <Notifications withinPortal={false} position="bottom-left" className={classes.notices ?? ""} autoClose={6000} />
    </aside>
  );
}
