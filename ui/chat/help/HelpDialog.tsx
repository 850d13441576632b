import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "../../parts/Dialog.tsx";
import { SectionButtons } from "../parts/SectionButtons.tsx";
import { About } from "./About.tsx";
import { Formatting } from "./Formatting.tsx";
import classes from "./Help.module.css";
import { Keys } from "./Keys.tsx";
import { Operators } from "./Operators.tsx";
import { HELP_SECTIONS, type HelpSection } from "./sections.ts";

export function HelpDialog({ section, onClose }: { section: HelpSection; onClose(): void }) {
  const { t } = useTranslation();
  const [shown, setShown] = useState(section);
  return (
    <Dialog title={t(`help.titles.${shown}`)} finds onClose={onClose} size="42rem">
      <div className={classes.sections}>
        <SectionButtons
          sections={HELP_SECTIONS}
          shown={shown}
          labelOf={(name) => t(`help.sections.${name}`)}
          onChoose={setShown}
        />
      </div>
      {shown === "keys" && <Keys />}
      {shown === "formatting" && <Formatting />}
      {shown === "operators" && <Operators />}
      {shown === "about" && <About />}
    </Dialog>
  );
}
