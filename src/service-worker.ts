/// <reference lib="webworker" />
/** Shows notifications that come from the push service, and opens their page. It keeps and fetches nothing else. */
const worker = globalThis as unknown as ServiceWorkerGlobalScope;

interface Payload {
	title: string;
	body: string;
	path: string;
	tag: string;
}

/** A path of ours; anything else is the list. */
const ownPath = (path: unknown): string =>
	typeof path === 'string' && /^\/(?!\/)/.test(path) ? path : '/notifications';

worker.addEventListener('push', (event) => {
	const { title, body, path, tag } = event.data?.json() as Payload;
	event.waitUntil(
		worker.registration.showNotification(title, {
			body,
			tag,
			icon: '/favicon.svg',
			data: { path: ownPath(path) }
		})
	);
});

worker.addEventListener('notificationclick', (event) => {
	event.notification.close();
	const { path } = event.notification.data as { path: string };
	event.waitUntil(worker.clients.openWindow(ownPath(path)));
});
