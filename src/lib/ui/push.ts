/** Subscribes this browser at its push service. */

/** Why a browser takes no notifications of this page. */
export type PushFault = 'insecure' | 'unsupported' | 'denied' | 'failed';

const WORKER = '/service-worker.js';

/** What stands in the way before anything is asked; null when nothing does. */
export function pushFault(): PushFault | null {
	if (!isSecureContext) return 'insecure';
	if (!('serviceWorker' in navigator) || !('PushManager' in window) || !('Notification' in window))
		return 'unsupported';
	return Notification.permission === 'denied' ? 'denied' : null;
}

/**
 * Asks the person and then the push service.
 * @param key the public key of the installation, base64url
 * @returns the subscription as JSON
 */
export async function subscribe(
	key: string
): Promise<{ subscription: string } | { fault: PushFault }> {
	const fault = pushFault();
	if (fault !== null) return { fault };
	if ((await Notification.requestPermission()) !== 'granted') return { fault: 'denied' };
	try {
		await navigator.serviceWorker.register(WORKER);
		const { pushManager } = await navigator.serviceWorker.ready;
		// One of another installation at this address, or of another key, would not be heard.
		await (await pushManager.getSubscription())?.unsubscribe();
		const subscription = await pushManager.subscribe({
			userVisibleOnly: true,
			applicationServerKey: key
		});
		return { subscription: JSON.stringify(subscription) };
	} catch {
		return { fault: 'failed' };
	}
}
