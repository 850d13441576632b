import { useTranslation } from "react-i18next";
import { noticeDone, noticeError } from "../../parts/settings/notices.tsx";

/** Brings a setting back to what a new organization has; the notice takes that back. */
export function useReset<T>(name: string, value: T, save: (value: T) => Promise<unknown>) {
  const { t } = useTranslation();
  return (initial: T): void =>
    void save(initial).then(
      () => noticeDone(t("saving.savedNamed", { name }), () => save(value)),
      (error: unknown) => noticeError(error),
    );
}
