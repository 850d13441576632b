import { Box, Button, Group, Text, Title } from "@mantine/core";
import { QrCode } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ServerState } from "../../../api/server-state.ts";
import { CopyButton } from "../../../parts/CopyButton.tsx";
import { Hint } from "../../../parts/text/Hint.tsx";
import { PlainList } from "../../../parts/text/PlainList.tsx";
import { IconButton } from "../../parts/IconButton.tsx";

export interface AddressesProps {
  addresses: ServerState["network"]["addresses"];
  /** The URL shown in large type above, with its QR code. */
  shown: string;
  onShow(url: string): void;
}

const COLLAPSED_COUNT = 2;

/** The other URLs of a computer that is on several networks. */
export function Addresses({ addresses, shown, onShow }: AddressesProps) {
  const { t } = useTranslation();
  const [isExpanded, setExpanded] = useState(false);
  const others = addresses.filter(({ url }) => url !== shown);
  const listed = isExpanded ? others : others.slice(0, COLLAPSED_COUNT);
  return (
    <Box mt="lg" maw="44rem">
      <Title order={3} fz="sm" c="dimmed">
        {t("connect.others")}
      </Title>
      <PlainList divided my="xxs">
        {listed.map(({ url, interface: name }) => (
          <Group component="li" key={url} gap="xs">
            <Text span size="sm" dir="ltr" miw={0} style={{ overflowWrap: "anywhere" }}>
              {url}
            </Text>
            <Hint span size="xs" flex="1 0 auto">
              {t("connect.via", { interface: name })}
            </Hint>
            <Group component="span" gap="xxs" wrap="nowrap" ms="auto">
              <IconButton label={t("connect.showQr", { url })} onClick={() => onShow(url)}>
                <QrCode size="1.0625rem" aria-hidden="true" />
              </IconButton>
              <CopyButton text={url} size="xs" variant="subtle" />
            </Group>
          </Group>
        ))}
      </PlainList>
      {others.length > COLLAPSED_COUNT && (
        <Button
          variant="subtle"
          size="compact-sm"
          ms="-0.5rem"
          onClick={() => setExpanded(!isExpanded)}
          aria-expanded={isExpanded}
        >
          {isExpanded ? t("connect.fewer") : t("connect.more", { count: others.length - COLLAPSED_COUNT })}
        </Button>
      )}
    </Box>
  );
}
