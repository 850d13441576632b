import { Anchor, Button } from "@mantine/core";
import { MessagesSquare } from "lucide-react";
import type { ReactNode } from "react";
import { useAdmin } from "../admin-context.ts";
import { useOpenChat } from "./use-open-chat.ts";

export interface ChatLinkProps {
  /** A URL of the chat page: see chat-address.ts. */
  address: string;
  children: ReactNode;
}

/** A link to the chat page. In the desktop app it is a button, because the browser opens it. */
export function ChatLink({ address, children }: ChatLinkProps) {
  const { desktop } = useAdmin();
  const openChat = useOpenChat();
  return desktop ? (
    <Anchor component="button" type="button" inherit ta="start" underline="always" onClick={() => openChat(address)}>
      {children}
    </Anchor>
  ) : (
    <Anchor inherit underline="always" href={address}>
      {children}
    </Anchor>
  );
}

/** The same as a button. */
export function ChatButton({ address, children }: ChatLinkProps) {
  const { desktop } = useAdmin();
  const openChat = useOpenChat();
  const look = {
    variant: "default",
    size: "compact-sm",
    mb: "sm",
    leftSection: <MessagesSquare size="0.9375rem" aria-hidden="true" />,
  };
  return desktop ? (
    <Button {...look} onClick={() => openChat(address)}>
      {children}
    </Button>
  ) : (
    <Button component="a" href={address} {...look}>
      {children}
    </Button>
  );
}
