import type { ServerState } from "../../api/server-state.ts";

export type AuditEntry = NonNullable<ServerState["host"]>["audit"][number];

/** Whether the sentence contains the label of a setting, which is a text of another page. */
export const isAboutSetting = ({ target }: AuditEntry): boolean =>
  /^(organization setting|organization picture|default setting) /.test(target);
