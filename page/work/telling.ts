/** Tells somebody who is elsewhere by a notification of the system, if that is allowed. */
export async function tell(title: string, body: string): Promise<void> {
  if (!document.hidden || Notification.permission !== 'granted') return
  try {
    const notification = new Notification(title, { body })
    notification.onclick = () => {
      focus()
      notification.close()
    }
  } catch {
    // Phones allow it only to service workers.
    const worker = await navigator.serviceWorker?.getRegistration(new URL('page/', document.baseURI))
    await worker?.showNotification(title, { body })
  }
}
