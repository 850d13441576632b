export { unclearAddressTexts as texts } from "../unclear-address.ts";
