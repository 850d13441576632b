/** The page's landmark, in which screen readers find menus and tooltips. */
export const MENU_HOST_ID = "chat";
