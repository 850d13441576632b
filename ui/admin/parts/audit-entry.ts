import type { ServerState } from "../../api/server-state.ts";

export type AuditEntry = NonNullable<ServerState["host"]>["audit"][number];

/** Whether the sentence says the label of a setting, which is among the texts of its page. */
export const isAboutSetting = ({ target }: AuditEntry): boolean =>
  /^(organization setting|organization picture|default setting) /.test(target);
