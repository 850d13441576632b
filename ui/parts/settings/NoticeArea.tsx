import "@mantine/core/styles/Notification.layer.css";
import "@mantine/notifications/styles.layer.css";
import { Notifications } from "@mantine/notifications";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { isTyping } from "../is-typing.ts";
import { undoNewest } from "./notices.tsx";

/** The area where notices appear. It shows earlier ones when it loads. */
export function NoticeArea({ className = "" }: { className?: string | undefined }) {
  const { t } = useTranslation();
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
      // In a text field, the browser undoes the typing.
      if (!isUndo || event.key.toLowerCase() !== "z" || isTyping(event.target)) return;
      if (undoNewest()) event.preventDefault();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
  return (
    <aside aria-label={t("saving.notices")}>
      <Notifications withinPortal={false} position="bottom-left" className={className} autoClose={6000} />
    </aside>
  );
}
