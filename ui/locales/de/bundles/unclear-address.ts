import { unclearAddressTexts } from "../unclear-address.ts";

export const texts = unclearAddressTexts;
