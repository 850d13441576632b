import { Button } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Callout } from "../../../parts/Callout.tsx";
import { AddPerson } from "../people/lazy-add-person.ts";

/** Opens the form that creates an account for another person. */
export function AddPersonButton() {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const [added, setAdded] = useState<string>();
  return (
    <>
      <Button variant="default" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {t("invitations.addPerson")}
      </Button>
      {/* Screen readers announce only text in a live region that exists already. */}
      <div role="status">{added && <Callout tone="info">{t("addPerson.added", { name: added })}</Callout>}</div>
      {isOpen && (
        <AddPerson
          onClose={() => setOpen(false)}
          onAdded={(name) => {
            setAdded(name);
            setOpen(false);
          }}
        />
      )}
    </>
  );
}
