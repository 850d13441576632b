/**
 * Shows a notification of this page. Chrome on Android has the constructor, but only service workers can use it. Rejects
 * if the browser shows none.
 */
export async function showNotification(title: string, options: NotificationOptions): Promise<Notification | undefined> {
  try {
    return new Notification(title, options);
  } catch {
    const registration = await navigator.serviceWorker?.getRegistration();
    if (!registration) throw new Error("The browser shows no notifications.");
    await registration.showNotification(title, options);
    return undefined;
  }
}
