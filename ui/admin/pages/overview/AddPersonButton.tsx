import { Button } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Callout } from "../../../parts/Callout.tsx";
import { AddPerson } from "../people/lazy-add-person.ts";

/** Opens the form that makes an account for somebody else, and says when it is made. */
export function AddPersonButton() {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const [added, setAdded] = useState<string>();
  return (
    <>
      <Button variant="default" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {t("invitations.addPerson")}
      </Button>
      {/* A screen reader announces only text that appears in an existing live region. */}
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
