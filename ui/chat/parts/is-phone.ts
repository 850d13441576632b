import { useMediaQuery } from "@mantine/hooks";

/** As in ChatPage.module.css: the page shows one column at a time. */
const PHONE = "(max-width: 47.99em)";

export const useIsPhone = (): boolean => useMediaQuery(PHONE, undefined, { getInitialValueInEffect: false }) === true;
