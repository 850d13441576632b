import { Anchor, Button } from "@mantine/core";
import { MessagesSquare } from "lucide-react";
import type { ReactNode } from "react";
import { useAdmin } from "../admin-context.ts";

export interface ChatLinkProps {
  /** A URL of the chat page: see chat-address.ts. */
  address: string;
  children: ReactNode;
}

/** A link to the chat page. In the desktop app, where no one is signed in to the chat, it is plain text. */
export function ChatLink({ address, children }: ChatLinkProps) {
  const { session } = useAdmin();
  return session.at_desktop ? (
    children
  ) : (
    <Anchor inherit underline="always" href={address}>
      {children}
    </Anchor>
  );
}

/** The same as a button, absent in the desktop app. */
export function ChatButton({ address, children }: ChatLinkProps) {
  const { session } = useAdmin();
  if (session.at_desktop) return null;
  return (
    <Button
      component="a"
      href={address}
      variant="default"
      size="compact-sm"
      mb="sm"
      leftSection={<MessagesSquare size="0.9375rem" aria-hidden="true" />}
    >
      {children}
    </Button>
  );
}
