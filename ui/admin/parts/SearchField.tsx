import { TextInput, type TextInputProps } from "@mantine/core";
import { Search } from "lucide-react";
import { useSearchKey } from "./use-search-key.ts";

/** The search field of a page, drawer or dialog. The key `/` focuses it. */
export function SearchField(props: TextInputProps) {
  const field = useSearchKey();
  return (
    <TextInput
      ref={field}
      aria-keyshortcuts="/"
      size="sm"
      type="search"
      leftSection={<Search size="1rem" aria-hidden="true" />}
      {...props}
    />
  );
}
