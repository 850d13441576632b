import "@mantine/core/styles/Notification.layer.css";
import "@mantine/notifications/styles.layer.css";
import { Notifications } from "@mantine/notifications";
import { useTranslation } from "react-i18next";

/** Where notices appear. Those of before it is loaded wait for it. `className`: for their place in the page. */
export function NoticeArea({ className = "" }: { className?: string | undefined }) {
  const { t } = useTranslation();
  return (
    <aside aria-label={t("saving.notices")}>
      <Notifications withinPortal={false} position="bottom-left" className={className} autoClose={6000} />
    </aside>
  );
}
