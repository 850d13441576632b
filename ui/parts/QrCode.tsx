import qrcode from "qrcode-generator";
import { useTranslation } from "react-i18next";
import classes from "./QrCode.module.css";

/** Light modules around the code, without which cameras do not find it. */
const QUIET_ZONE = 4;

/** As wide as its container, and dark on light in both themes. */
export function QrCode({ text }: { text: string }) {
  const { t } = useTranslation();
  const code = qrcode(0, "M");
  code.addData(text);
  code.make();
  const count = code.getModuleCount();
  const side = count + 2 * QUIET_ZONE;
  const indexes = Array.from({ length: count }, (_, index) => index);
  const dark = indexes.flatMap((row) =>
    indexes
      .filter((column) => code.isDark(row, column))
      .map((column) => `M${column + QUIET_ZONE} ${row + QUIET_ZONE}h1v1h-1z`),
  );
  return (
    <div className={classes.paper} role="img" aria-label={t("qrCode.of", { url: text })}>
      <svg viewBox={`0 0 ${side} ${side}`} shapeRendering="crispEdges" aria-hidden="true">
        <path fill="var(--hearth-qr-ink)" d={dark.join("")} />
      </svg>
    </div>
  );
}
