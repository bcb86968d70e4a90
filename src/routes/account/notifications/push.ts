/** Subscribes this browser to push notifications. */

/** Why a browser cannot receive push notifications of this page. */
export type PushFault = 'insecure' | 'unsupported' | 'denied' | 'failed';

const WORKER = '/service-worker.js';

/** Returns the obstacle that exists before permission is requested; null for none. */
export function pushFault(): PushFault | null {
	if (!isSecureContext) return 'insecure';
	if (!('serviceWorker' in navigator) || !('PushManager' in window) || !('Notification' in window))
		return 'unsupported';
	return Notification.permission === 'denied' ? 'denied' : null;
}

/**
 * Requests permission, then subscribes at the push service.
 * @param key VAPID public key of the installation, base64url
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
		// A subscription of another installation at this origin, or with another key, would not work.
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
