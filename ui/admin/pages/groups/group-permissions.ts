/** Who may do what with a group, in the order of its settings. */
export const GROUP_PERMISSIONS = [
  "can_manage_group",
  "can_add_members_group",
  "can_remove_members_group",
  "can_join_group",
  "can_leave_group",
  "can_mention_group",
] as const;

export type GroupPermission = (typeof GROUP_PERMISSIONS)[number];
