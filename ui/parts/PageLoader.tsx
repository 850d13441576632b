import { Loader } from "@mantine/core";
import { useTranslation } from "react-i18next";
import classes from "./PageLoader.module.css";

/** Shown until the first response. It appears after a delay, since a flicker looks broken. */
export function PageLoader() {
  const { t } = useTranslation();
  return <Loader className={classes.loader} aria-label={t("app.loading")} role="status" />;
}
