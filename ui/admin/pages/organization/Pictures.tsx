import { Button, Group, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useClient } from "../../../api/client-context.ts";
import { Hint } from "../../../parts/text/Hint.tsx";
import { useOrganization } from "../../admin-context.ts";
import { PageSection } from "../../parts/PageSection.tsx";
import { PictureButton } from "../../parts/PictureButton.tsx";
import { useWrite } from "../../use-write.ts";
import classes from "./OrganizationPage.module.css";

const PICTURES = ["icon", "logo", "nightLogo"] as const;
type Picture = (typeof PICTURES)[number];

/** The icon, and the logos for light and dark pages. */
export function Pictures() {
  const { t } = useTranslation();
  return (
    <PageSection title={t("organization.pictures.title")}>
      <Stack gap="md" mt="md">
        {PICTURES.map((picture) => (
          <OrganizationPicture key={picture} picture={picture} />
        ))}
      </Stack>
    </PageSection>
  );
}

function OrganizationPicture({ picture }: { picture: Picture }) {
  const { t } = useTranslation();
  const client = useClient();
  const url = useOrganization((state) => {
    if (picture === "icon") return state.realm_icon_url;
    return picture === "logo" ? state.realm_logo_url : state.realm_night_logo_url;
  });
  const source = useOrganization((state) => {
    if (picture === "icon") return state.realm_icon_source;
    return picture === "logo" ? state.realm_logo_source : state.realm_night_logo_source;
  });
  const name = t(`organization.pictures.${picture}`);
  const night = picture === "nightLogo";
  const { mutate: write } = useWrite();
  return (
    <div className={classes.picture}>
      <div className={classes.frame}>
        <img src={url} alt="" />
      </div>
      <div>
        <Text component="h4" size="sm" fw={560}>
          {name}
        </Text>
        <Hint size="xs">{t(`organization.pictures.${picture}Help`)}</Hint>
        <Group gap="xs" mt="xs">
          <PictureButton
            aria-label={`${t("organization.pictures.choose")} ${name}`}
            onPicked={(file) =>
              write({
                run: () =>
                  picture === "icon"
                    ? client.upload("POST /realm/icon", {}, file)
                    : client.upload("POST /realm/logo", { night }, file),
                done: t("organization.pictures.uploaded"),
              })
            }
          >
            {t("organization.pictures.choose")}
          </PictureButton>
          {source === "U" && (
            <Button
              size="xs"
              variant="subtle"
              color="gray"
              aria-label={`${t("organization.pictures.remove")}: ${name}`}
              onClick={() =>
                write({
                  run: () =>
                    picture === "icon"
                      ? client.call("DELETE /realm/icon", {})
                      : client.call("DELETE /realm/logo", { night }),
                  done: t("organization.pictures.removed"),
                })
              }
            >
              {t("organization.pictures.remove")}
            </Button>
          )}
        </Group>
      </div>
    </div>
  );
}
