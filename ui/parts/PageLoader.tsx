import { Loader } from "@mantine/core";
import { useTranslation } from "react-i18next";
import classes from "./PageLoader.module.css";

/** While the first answer is on its way; it shows only when that takes a while, since a flicker looks broken. */
export function PageLoader() {
  const { t } = useTranslation();
  return <Loader className={classes.moment} aria-label={t("app.loading")} role="status" />;
}
